import { describe, expect, it } from 'vitest';
import { environments } from '../../../lambdas/catalog/environments.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { loadIssues } from '../../../lambdas/loads/ingest/ingest-content-rules.ts';
import { memberLoad } from '../../../lambdas/loads/ingest/ingest-contract.ts';
import { syntheticMembers } from '../../../ops/generator/members.ts';
import { seededTestMembers } from '../../../ops/generator/personas.ts';
import { fhirDate } from '../../../ops/generator/record/patient.ts';
import { pseudoRandom } from '../../../ops/generator/record/pseudo-random.ts';

const everybody = environments.flatMap((environment) =>
  syntheticMembers(environment).map((member) => ({ environment, ...member })),
);

/** The Patient of a member in both renditions, for `application/json` and for `application/fhir+json`. */
function patients(member: (typeof everybody)[number]) {
  const [resource] = member.resources;
  const described = JSON.parse(resource?.json ?? '');
  return { described, fhir: JSON.parse(resource?.fhirJson ?? resource?.json ?? '') };
}

describe('the synthetic members', () => {
  it('are the same every time', () => {
    for (const environment of environments) {
      expect(syntheticMembers(environment)).toEqual(syntheticMembers(environment));
    }
    // Developers write test members down, so they must not change.
    expect(syntheticMembers('sandbox')[0]).toMatchObject({
      memberId: 'CHPDC27779905',
      patientId: 'd26b83fc-66cb-4440-a34c-5f6ca9570ce1',
    });
  });

  it('are two a line of business in the sandbox and three in production', () => {
    for (const lob of lineOfBusinessCodes) {
      expect(syntheticMembers('sandbox').filter((member) => member.lob === lob)).toHaveLength(2);
      expect(syntheticMembers('production').filter((member) => member.lob === lob)).toHaveLength(3);
    }
  });

  it('are taken by ingest as they are', () => {
    for (const { environment: _environment, ...member } of everybody) {
      expect(memberLoad.safeParse(member).success).toBe(true);
      expect(loadIssues(member)).toEqual([]);
    }
  });

  it('share no id, member id, e-mail address or phone number within an environment', () => {
    for (const environment of environments) {
      const members = syntheticMembers(environment);
      for (const name of ['patientId', 'memberId', 'email', 'phoneNumber'] as const) {
        expect(new Set(members.map((member) => member[name])).size).toBe(members.length);
      }
    }
  });

  it('reach nobody: reserved mail domain and phone range', () => {
    for (const { email, phoneNumber } of everybody) {
      expect(email).toMatch(/@example\.com$/);
      expect(phoneNumber).toMatch(/^\+1\d{3}55501\d\d$/);
    }
  });

  it('have passwords any policy takes', () => {
    for (const { password } of everybody) {
      expect(password).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^\w]).{15,128}$/);
    }
  });

  it('show every shape: whole and partial birth dates, open and closed address periods', () => {
    for (const lob of lineOfBusinessCodes) {
      const [a, b] = everybody.filter((it) => it.environment === 'sandbox' && it.lob === lob).map(patients);
      expect(a?.described.birthDate).toMatch(/^\d{4}-(?!00)\d\d-(?!00)\d\d$/);
      expect(a?.described.address.map((it: { period: { end: string } }) => it.period.end)).toEqual([
        expect.not.stringMatching('9999-12-31'),
        '9999-12-31',
        '9999-12-31',
      ]);
      expect(b?.described.birthDate).toMatch(/^\d{4}-00-00$/);
      expect(b?.fhir.birthDate).toMatch(/^\d{4}$/);
      expect(b?.described.address.map(({ type }: { type?: string }) => type)).toEqual([undefined, 'postal']);
    }
    const months = everybody.map(patients).map(({ fhir }) => fhir.birthDate.length);
    expect(new Set(months)).toEqual(new Set([10, 4, 7]));
  });
});

describe("a synthetic member's Patient", () => {
  const prefix = 'https://memberdata.example/fhir';
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);

  it.each(everybody)('$environment $memberId has each field of the description and no other', (member) => {
    const { described } = patients(member);
    const valued = (suffix: string) => ({
      system: `${prefix}/identifier/${suffix}`,
      value: expect.stringMatching(/./),
    });
    const [life, lob, ...plans] = described.identifier.slice(0, -1);
    const { telecom, deceasedBoolean, communication, ...shown } = described;
    expect({
      ...shown,
      identifier: [],
      extension: described.extension.slice(0, 3),
      address: described.address.slice(0, -1),
    }).toEqual({
      resourceType: 'Patient',
      id: member.patientId,
      meta: {
        versionId: expect.stringMatching(/^\d+$/),
        lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-05:00$/),
        profile: [
          expect.stringMatching(/C4BB-Patient\|1\.1\.0$/),
          expect.stringMatching(/us-core-patient$/),
          expect.stringMatching(/C4BB-Patient\|2\.0\.0$/),
          expect.stringMatching(/us-core-patient\|6\.1\.0$/),
        ],
      },
      extension: [
        { url: `${prefix}/StructureDefinition/last_updated_date`, valueId: date },
        { url: `${prefix}/StructureDefinition/row_id`, valueId: expect.stringMatching(/^\d+$/) },
        { url: `${prefix}/StructureDefinition/source_id`, valueId: expect.stringMatching(/^SRC-\d+$/) },
      ],
      identifier: [],
      name: [{ family: member.familyName, given: [member.givenName, expect.any(String)] }],
      gender: expect.stringMatching(/^(fe)?male$/),
      birthDate: date,
      address: described.address.slice(1).map(() => ({
        city: expect.any(String),
        state: expect.stringMatching(/^(DC|MD)$/),
        postalCode: expect.stringMatching(/^\d{5}$/),
        period: { start: date, end: date },
      })),
    });
    expect(life).toEqual({
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }] },
      system: `${prefix}/identifier/MEMBER_LIFE_ID`,
      value: member.memberId,
    });
    expect(lob).toEqual({ system: `${prefix}/identifier/lob`, value: member.lob });
    expect(plans.length === 2 || plans.length === 4).toBe(true);
    for (let at = 0; at < plans.length; at += 2) {
      expect(plans.slice(at, at + 2)).toEqual([valued('group'), valued('plan')]);
    }
  });

  it.each(everybody)('$environment $memberId has beside them what the profiles ask to support', (member) => {
    const { described } = patients(member);
    const usCore = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core';
    expect(described.extension.slice(3).map(({ url }: { url: string }) => url)).toEqual([
      `${usCore}-race`,
      `${usCore}-ethnicity`,
      `${usCore}-birthsex`,
    ]);
    expect(described.identifier.at(-1)).toEqual({
      type: {
        coding: [{ system: 'http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBIdentifierType', code: 'um' }],
        text: 'Unique member number',
      },
      system: `${prefix}/identifier/unique_member_id`,
      value: expect.stringMatching(/^U\d{9}$/),
    });
    const { city, state, postalCode, period } = described.address.at(-2);
    expect(described.address.at(-1)).toEqual({
      type: 'postal',
      line: [expect.stringMatching(/^\d+ \w+ Court$/)],
      city,
      district: expect.any(String),
      state,
      postalCode,
      country: 'US',
      period,
    });
    expect(described.telecom).toEqual([
      { system: 'phone', value: member.phoneNumber?.replace(/^(\+1)(...)(...)/, '$1-$2-$3-'), use: 'home' },
      { system: 'email', value: member.email, use: 'home' },
    ]);
    expect(described).toMatchObject({
      deceasedBoolean: false,
      communication: [{ language: { coding: [{ system: 'urn:ietf:bcp:47' }] }, preferred: true }],
    });
  });

  it.each(everybody)('$environment $memberId is of an age that the plan insures', ({ lob, ...member }) => {
    const [{ json }] = member.resources as unknown as [{ json: string }];
    const born = Number(JSON.parse(json).birthDate.slice(0, 4));
    const ofMedicare = lob === 'MAPD' || lob === 'DSNP' || lob === 'EGWP';
    // Covered since 2018: Medicare members were 65 by then, all others are adults and not 65 yet.
    expect(ofMedicare ? born <= 1952 : born >= 1962 && born <= 1999).toBe(true);
  });

  it.each(everybody)('$environment $memberId differs as FHIR in the birth date alone', (member) => {
    const { described, fhir } = patients(member);
    expect(fhir).toEqual({ ...described, birthDate: fhirDate(described.birthDate) });
    expect(member.resources[0]?.fhirJson === undefined).toBe(!described.birthDate.includes('-00'));
  });
});

describe('a date with unknown parts', () => {
  it('leaves them out in FHIR', () => {
    expect(fhirDate('1956-00-00')).toBe('1956');
    expect(fhirDate('1956-07-00')).toBe('1956-07');
    expect(fhirDate('1956-07-04')).toBe('1956-07-04');
    expect(fhirDate('2000-10-10')).toBe('2000-10-10');
  });
});

describe('the pseudo-random draws', () => {
  it('depend on the seed alone and stay within their bounds', () => {
    const draw = (seed: string) =>
      Array.from({ length: 200 }, () => pseudoRandom(seed)).map((it) => it.uuid());
    expect(new Set(draw('a')).size).toBe(1);
    expect(draw('a')[0]).not.toBe(draw('b')[0]);
    const random = pseudoRandom('bounds');
    const drawn = Array.from({ length: 500 }, () => random.integer(3, 5));
    expect(new Set(drawn)).toEqual(new Set([3, 4, 5]));
    expect(random.digits(4)).toMatch(/^[1-9]\d{3}$/);
    expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('the portal’s page of test members', () => {
  it('says of each member which claims are there, and that a spouse’s policy covers them', () => {
    const members = syntheticMembers('sandbox');
    const shown = seededTestMembers();
    expect(shown.map(({ memberId }) => memberId)).toEqual(members.map(({ memberId }) => memberId));
    for (const { lob, memberId, about } of shown) {
      const { resources } = members.find((member) => member.memberId === memberId) ?? { resources: [] };
      const kinds = new Set(
        resources
          .filter(({ resourceType }) => resourceType === 'ExplanationOfBenefit')
          .map(({ json }) => JSON.parse(json))
          .filter(({ use }) => use === 'claim')
          .map(({ meta }) => meta.profile[0]),
      );
      expect(about.includes('of all five kinds')).toBe(kinds.size === 5);
      expect(/no (other|others)/.test(about)).toBe(kinds.size === 1);
      expect(about.includes('spouse')).toBe(
        resources.some(
          ({ resourceType, json }) => resourceType === 'RelatedPerson' && json.includes('"SPS"'),
        ),
      );
      expect(lob).toBe(memberId.replace(/\d+$/, ''));
    }
    expect(shown[0]?.about).toMatch(/^claims of all five kinds, on more than one page; whole birth date; /);
  });
});
