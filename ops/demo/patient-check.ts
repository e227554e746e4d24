/** Checks a Patient against the contract in the demo (docs/service.md S7.1 to S7.7). */

import { type ExpectedResource, entriesOf, type Json, objectOf } from './bundle-check.ts';
import { expectEqual, expectMatch, expectObject, expectTrue } from './expect.ts';

/** The member, as generated. */
export interface ExpectedMember {
  readonly patientId: string;
  readonly memberId: string;
  readonly lob: string;
  readonly json: string;
  readonly fhirJson?: string;
  /** Resources in addition to the Patient. */
  readonly resources: readonly ExpectedResource[];
}

/** Compares a Patient with the contract (docs/service.md S7.1 to S7.7), row by row, and then with the loaded Patient. */
export function checkPatient(body: string, member: ExpectedMember, form: 'described' | 'fhir'): void {
  const patient = expectObject('Patient', body);
  expectEqual('Patient.resourceType', patient.resourceType, 'Patient');
  expectEqual('Patient.id', patient.id, member.patientId);
  checkMeta(patient.meta);
  checkExtensions(patient.extension);
  checkIdentifiers(patient.identifier, member);
  checkName(patient.name);
  expectMatch('Patient.gender', patient.gender, /^(female|male|other|unknown)$/);
  expectMatch(
    'Patient.birthDate',
    patient.birthDate,
    form === 'described' ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/,
  );
  checkAddresses(patient.address);
  const loaded = form === 'described' ? member.json : (member.fhirJson ?? member.json);
  expectEqual('the Patient as a whole', patient, JSON.parse(loaded));
}

function checkMeta(value: unknown): void {
  const meta = objectOf('Patient.meta', value);
  expectMatch('Patient.meta.versionId', meta.versionId, /./);
  expectMatch(
    'Patient.meta.lastUpdated',
    meta.lastUpdated,
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)$/,
  );
  const profiles = entriesOf('Patient.meta.profile', meta.profile);
  for (const profile of profiles) expectMatch('Patient.meta.profile', profile, /^https?:\/\//);
  const versioned = profiles.filter((profile) => String(profile).endsWith('|1.1.0'));
  expectEqual('profiles with the suffix 1.1.0', versioned.length, 1);
}

function checkExtensions(value: unknown): void {
  const extensions = entriesOf('Patient.extension', value).map((it) => objectOf('Patient.extension', it));
  for (const [suffix, pattern] of [
    ['last_updated_date', /^\d{4}-\d\d-\d\d$/],
    ['row_id', /./],
    ['source_id', /./],
  ] as const) {
    const found = extensions.filter(({ url }) => String(url).endsWith(`/${suffix}`));
    expectEqual(`extensions ending with ${suffix}`, found.length, 1);
    expectMatch(`Patient.extension ${suffix} valueId`, found[0]?.valueId, pattern);
  }
}

function checkIdentifiers(value: unknown, member: ExpectedMember): void {
  const identifiers = entriesOf('Patient.identifier', value).map((it) => objectOf('Patient.identifier', it));
  const bySuffix = (suffix: string): readonly Json[] => {
    const found = identifiers.filter(({ system }) => String(system).endsWith(`/${suffix}`));
    expectTrue(`an identifier ending with ${suffix}`, found.length > 0, identifiers);
    return found;
  };
  const life = bySuffix('MEMBER_LIFE_ID')[0] ?? {};
  expectEqual('the member identifier', life.value, member.memberId);
  const coding = objectOf('type.coding', entriesOf('type.coding', objectOf('type', life.type).coding)[0]);
  expectEqual('the member identifier’s code', coding.code, 'MB');
  expectMatch('the member identifier’s code system', coding.system, /\/v2-0203$/);
  expectEqual('the lob identifier', bySuffix('lob')[0]?.value, member.lob);
  for (const suffix of ['group', 'plan']) {
    for (const it of bySuffix(suffix)) expectMatch(`the ${suffix} identifier`, it.value, /./);
  }
}

function checkName(value: unknown): void {
  for (const it of entriesOf('Patient.name', value)) {
    const name = objectOf('Patient.name', it);
    expectMatch('Patient.name.family', name.family, /./);
    for (const given of entriesOf('Patient.name.given', name.given))
      expectMatch('Patient.name.given', given, /./);
  }
}

function checkAddresses(value: unknown): void {
  const date = /^\d{4}-\d\d-\d\d$/;
  const ends = entriesOf('Patient.address', value).map((it) => {
    const address = objectOf('Patient.address', it);
    for (const name of ['city', 'state', 'postalCode'])
      expectMatch(`Patient.address.${name}`, address[name], /./);
    const period = objectOf('Patient.address.period', address.period);
    expectMatch('Patient.address.period.start', period.start, date);
    return expectMatch('Patient.address.period.end', period.end, date);
  });
  expectTrue('an address with an open end (9999-12-31)', ends.includes('9999-12-31'), ends);
}
