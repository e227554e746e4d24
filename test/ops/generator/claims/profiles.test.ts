import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { environments } from '../../../../lambdas/catalog/environments.ts';
import { clinicalSystems } from '../../../../ops/generator/clinical/clinical-record.ts';
import { syntheticMembers } from '../../../../ops/generator/members.ts';
import { systems } from '../../../../ops/generator/record/codes.ts';
import { internalPrefix } from '../../../../ops/generator/record/internal-prefix.ts';
import { luhnDigit } from '../../../../ops/generator/record/parties.ts';
import { codeOf, everybody, everyClaim, kindOf, ofType, type Resource, walk } from './everybody.ts';

/** Rules of the CARIN profiles (2.0.0) for each kind of claim beyond FHIR's own: slices that occur exactly once, and bound codes. */
const rules = {
  'Inpatient-Institutional': {
    type: ['institutional', 'inpatient'],
    supportingInfo: ['admissionperiod', 'typeofbill', 'pointoforigin', 'admtype', 'discharge-status', 'drg'],
    header: ['benefitpaymentstatus', 'billingnetworkstatus'],
    line: ['allowedunits'],
    provider: 'Organization',
    product: ['absent', 'hcpcs'],
    diagnosisTypes: ['principal', 'other'],
    roles: ['attending', 'operating'],
  },
  'Outpatient-Institutional': {
    type: ['institutional', 'outpatient'],
    supportingInfo: ['typeofbill', 'pointoforigin', 'admtype', 'discharge-status'],
    header: ['benefitpaymentstatus', 'billingnetworkstatus'],
    line: ['allowedunits'],
    provider: 'Organization',
    product: ['hcpcs'],
    diagnosisTypes: ['principal', 'other'],
    roles: ['attending'],
  },
  'Professional-NonClinician': {
    type: ['professional'],
    supportingInfo: ['servicefacility', 'medicalrecordnumber', 'patientaccountnumber'],
    header: ['billingnetworkstatus', 'renderingnetworkstatus'],
    line: ['benefitpaymentstatus', 'allowedunits'],
    provider: 'Organization',
    product: ['hcpcs'],
    diagnosisTypes: ['principal', 'secondary'],
    roles: ['rendering', 'referring'],
  },
  Pharmacy: {
    type: ['pharmacy'],
    supportingInfo: [
      'dayssupply',
      'dawcode',
      'refillnum',
      'refillsauthorized',
      'brandgenericindicator',
      'rxorigincode',
      'compoundcode',
    ],
    header: ['benefitpaymentstatus', 'billingnetworkstatus'],
    line: [],
    provider: 'Organization',
    product: ['ndc'],
    diagnosisTypes: [],
    roles: ['prescribing'],
  },
  Oral: {
    type: ['oral'],
    supportingInfo: ['servicefacility', 'medicalrecordnumber', 'patientaccountnumber'],
    header: ['benefitpaymentstatus', 'billingnetworkstatus', 'renderingnetworkstatus'],
    line: ['benefitpaymentstatus', 'allowedunits'],
    provider: 'Practitioner',
    product: ['cdt'],
    diagnosisTypes: ['principal', 'secondary'],
    roles: ['rendering'],
  },
} as const;
type Kind = keyof typeof rules;
const kinds = Object.keys(rules) as readonly Kind[];

const categoriesOf = (entries: readonly Resource[] = []) => entries.map(({ category }) => codeOf(category));
const once = (codes: readonly string[], code: string) => codes.filter((it) => it === code).length === 1;

describe.each(kinds)("a synthetic member's claim of the kind %s", (kind) => {
  const claims = everyClaim.map(({ claim }) => claim).filter((claim) => kindOf(claim) === kind);
  const rule = rules[kind];

  it('has what every claim must have', () => {
    expect(claims.length).toBeGreaterThan(0);
    for (const claim of claims) {
      const numbers = claim.identifier.filter(({ type }: Resource) => codeOf(type) === 'uc');
      expect(numbers).toEqual([expect.objectContaining({ value: expect.stringMatching(/^C\d{11}$/) })]);
      expect(claim).toMatchObject({
        use: 'claim',
        outcome: 'complete',
        status: expect.stringMatching(/^(active|cancelled)$/),
      });
      for (const list of [claim.item, claim.careTeam, claim.supportingInfo, claim.diagnosis ?? []]) {
        expect(list.map(({ sequence }: Resource) => sequence)).toEqual(
          list.map((_: Resource, at: number) => at + 1),
        );
      }
    }
  });

  it('has its type, its provider and the codes its profile binds', () => {
    for (const claim of claims) {
      expect([claim.type, claim.subType].filter(Boolean).map(codeOf)).toEqual(rule.type);
      expect(claim.provider.reference).toMatch(new RegExp(`^${rule.provider}/`));
      for (const { productOrService } of claim.item)
        expect(rule.product.map((it) => systems[it])).toContain(productOrService.coding[0].system);
      const types = claim.diagnosis?.map(({ type }: Resource) => codeOf(type[0])) ?? [];
      expect(types[0]).toBe(rule.diagnosisTypes[0]);
      for (const type of types) expect(rule.diagnosisTypes).toContain(type);
      for (const { role, provider } of claim.careTeam) {
        expect(rule.roles).toContain(codeOf(role));
        expect(provider.reference).toMatch(/^Practitioner\//);
      }
    }
  });

  it('has each required slice once', () => {
    for (const claim of claims) {
      const information = categoriesOf(claim.supportingInfo);
      for (const code of ['clmrecvddate', ...rule.supportingInfo]) expect(once(information, code)).toBe(true);
      for (const code of rule.header) expect(once(categoriesOf(claim.adjudication), code)).toBe(true);
      for (const { adjudication } of claim.item) {
        // A hospital's claim that is paid as a whole has no adjudication on its lines.
        if (adjudication === undefined && kind.endsWith('Institutional')) continue;
        for (const code of rule.line) expect(once(categoriesOf(adjudication), code)).toBe(true);
      }
    }
  });

  it('refers from its lines to what is there, and to all that is about lines', () => {
    const aboutLines =
      /^(patientweight|ambulance|transportation|roudtrip|stretcher|pickup|dropoff|missingtooth|prosthesis|additionalbodysite|orthodontics)/;
    for (const claim of claims) {
      const categories = categoriesOf(claim.supportingInfo);
      const about = categories.flatMap((code, at) => (aboutLines.test(code) ? [at + 1] : []));
      for (const item of claim.item) {
        expect(item.informationSequence ?? []).toEqual(about);
        for (const number of item.careTeamSequence ?? []) expect(claim.careTeam[number - 1]).toBeDefined();
        for (const number of item.diagnosisSequence ?? []) expect(claim.diagnosis[number - 1]).toBeDefined();
        for (const number of item.noteNumber ?? []) expect(claim.processNote[number - 1].number).toBe(number);
      }
    }
  });

  it('is all that one member of the sandbox has', () => {
    const alone = everybody.filter(
      (member) =>
        member.who.startsWith('sandbox') &&
        ofType(member, 'ExplanationOfBenefit').length > 0 &&
        ofType(member, 'ExplanationOfBenefit').every((claim) => kindOf(claim) === kind),
    );
    expect(alone).toHaveLength(1);
  });
});

describe('what a profile says must be supported', () => {
  const claims = everyClaim.map(({ claim }) => claim);
  const items = (kind: Kind) => claims.filter((it) => kindOf(it) === kind).flatMap(({ item }) => item);

  it('is seen: a compound’s ingredients, how long an appliance is worn, modifiers of dentists and hospital stays', () => {
    const compounds = items('Pharmacy').filter(({ detail }) => detail !== undefined);
    expect(compounds.length).toBeGreaterThan(0);
    for (const { detail } of compounds) {
      expect(detail).toEqual([
        expect.objectContaining({
          sequence: 1,
          productOrService: expect.anything(),
          quantity: { value: 100 },
        }),
        expect.objectContaining({
          sequence: 2,
          productOrService: expect.anything(),
          quantity: { value: 100 },
        }),
      ]);
    }
    const months = claims.flatMap(({ supportingInfo }) =>
      supportingInfo.filter(({ category }: Resource) => codeOf(category) === 'orthodontics'),
    );
    expect(months[0]?.valueQuantity).toMatchObject({ value: 6, code: 'mo' });
    for (const kind of ['Oral', 'Inpatient-Institutional'] as const)
      expect(items(kind).some(({ modifier }) => modifier !== undefined)).toBe(true);
  });
});

describe('what is likely', () => {
  const claims = everyClaim.map(({ claim }) => claim);
  const informationOf = (claim: Resource, category: string) =>
    claim.supportingInfo.find((it: Resource) => codeOf(it.category) === category);
  const specialtyOf = (claim: Resource, role: string) =>
    claim.careTeam
      .filter((it: Resource) => codeOf(it.role) === role)
      .map((it: Resource) => codeOf(it.qualification));

  it('is a bill of frequency 7 where it replaces another, and 1 where it does not', () => {
    const bills = claims.filter((claim) => kindOf(claim).endsWith('Institutional'));
    expect(bills.some(({ related, status }) => related !== undefined && status === 'active')).toBe(true);
    for (const claim of bills) {
      const replaces = claim.related !== undefined && claim.status === 'active';
      const facility = kindOf(claim).startsWith('Inpatient') ? '011' : '013';
      expect(codeOf(informationOf(claim, 'typeofbill').code)).toBe(`${facility}${replaces ? 7 : 1}`);
    }
  });

  it('is a group of stays without complications where no diagnosis is one', () => {
    const groups = claims
      .map((claim) => informationOf(claim, 'drg'))
      .filter((it) => it !== undefined)
      .map(({ code }) => codeOf(code));
    expect(new Set(groups)).toEqual(new Set(['195', '470']));
  });

  it('is an orthopedic surgeon who operates on a knee, and an emergency doctor in the emergency room', () => {
    const operated = claims.filter((claim) => specialtyOf(claim, 'operating').length > 0);
    expect(operated.length).toBeGreaterThan(0);
    for (const claim of operated) expect(specialtyOf(claim, 'operating')).toEqual(['207X00000X']);
    const ankles = claims.filter(({ item }) =>
      item.some((it: Resource) => it.productOrService.coding[0].code === 'G0382'),
    );
    for (const claim of ankles) expect(specialtyOf(claim, 'attending')).toEqual(['207P00000X']);
  });

  it('is a doctor’s claim for what was done in a hospital: places 21 to 23', () => {
    const places = claims
      .filter((claim) => kindOf(claim) === 'Professional-NonClinician')
      .flatMap(({ item }) => item.map((it: Resource) => codeOf(it.locationCodeableConcept)));
    for (const place of ['21', '22', '23']) expect(places).toContain(place);
  });
});

describe('the claims of a line of business', () => {
  it('are of all kinds and on more than one page for its first member', () => {
    for (const member of everybody.filter(({ index }) => index === 0)) {
      const claims = ofType(member, 'ExplanationOfBenefit');
      expect(claims.length).toBeGreaterThan(24);
      expect(new Set(claims.map(kindOf))).toEqual(new Set(kinds));
    }
  });

  it('are none for the third member, who is covered all the same', () => {
    for (const member of everybody.filter(({ index }) => index === 2)) {
      expect(ofType(member, 'ExplanationOfBenefit')).toEqual([]);
      expect(ofType(member, 'Coverage')).toHaveLength(2);
    }
  });

  it('show a claim that came twice, one that was corrected, and one from outside the network', () => {
    const claims = everyClaim.map(({ claim }) => claim);
    expect(claims.some(({ payment }) => codeOf(payment.type) === 'denied')).toBe(true);
    expect(
      claims.some(({ adjudication }) =>
        adjudication.some(({ reason }: Resource) => codeOf(reason) === 'outofnetwork'),
      ),
    ).toBe(true);
    for (const { claim, member } of everyClaim) {
      if (claim.related === undefined) continue;
      const [{ relationship, reference }] = claim.related;
      const other = ofType(member, 'ExplanationOfBenefit').find(
        ({ identifier }) => identifier[0].value === reference.value,
      );
      expect(other.related[0].reference.value).toBe(claim.identifier[0].value);
      expect(codeOf(relationship)).toBe(claim.status === 'cancelled' ? 'replacedby' : 'prior');
      expect(other.status).not.toBe(claim.status);
    }
    expect(claims.filter(({ status }) => status === 'cancelled').length).toBeGreaterThan(0);
  });
});

describe('the codes and names of the synthetic claims', () => {
  const visits = everybody.flatMap(({ resources }) =>
    resources.slice(1).flatMap((resource) => [...walk(resource)]),
  );
  const codings = visits
    .map(({ value }) => value)
    .filter((value) => value?.system !== undefined && value.code !== undefined && value.unit === undefined);

  it('are of the systems that are listed, and repeat no owner’s words', () => {
    const known = new Set<string>([...Object.values(systems), ...Object.values(clinicalSystems)]);
    const others = codings.filter(({ system }) => !known.has(system) && !system.startsWith(internalPrefix));
    expect(others).toEqual([]);
    expect(codings.filter(({ display }) => display !== undefined)).toEqual([]);
    expect(codings.filter(({ system }) => system === 'http://www.ama-assn.org/go/cpt')).toEqual([]);
  });

  it('have the shape of their system', () => {
    const shapes: Readonly<Record<string, RegExp>> = {
      [systems.icd10cm]: /^[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?$/,
      [systems.icd10pcs]: /^[0-9A-HJ-NP-Z]{7}$/,
      [systems.hcpcs]: /^([A-V]\d{4}|[A-Z][A-Z0-9])$/,
      [systems.ndc]: /^(\d{4}-\d{4}-\d{2}|\d{5}-\d{3}-\d{2}|\d{5}-\d{4}-\d)$/,
      [systems.cdt]: /^D\d{4}$/,
      [systems.drg]: /^\d{3}$/,
      [systems.revenue]: /^0\d{3}$/,
      [clinicalSystems.documentFormat]: /^urn:ihe:iti:/,
    };
    for (const { system, code } of codings) expect(code).toMatch(shapes[system] ?? /^[A-Za-z0-9-]+$/);
  });

  it('are nobody’s provider number, though each passes the check', () => {
    const numbers = visits
      .map(({ value }) => value)
      .filter((value) => value?.system === systems.npi)
      .map(({ value }) => value);
    expect(numbers.length).toBeGreaterThan(0);
    for (const number of numbers) {
      expect(number).toMatch(/^2\d{9}$/);
      expect(luhnDigit(`80840${number.slice(0, 9)}`)).toBe(Number(number.at(-1)));
    }
    // Example of CMS for the check digit of an NPI.
    expect(luhnDigit('80840123456789')).toBe(3);
  });

  it('are reached by no telephone', () => {
    const phones = visits.filter(({ path }) => /\/telecom\/\d+\/value$/.test(path));
    expect(phones.length).toBeGreaterThan(0);
    for (const { value } of phones) expect(value).toMatch(/^\+1-\d{3}-555-01\d\d$/);
  });
});

describe('the synthetic claims', () => {
  it('are the same in every process', async () => {
    vi.resetModules();
    const again = await import('../../../../ops/generator/members.ts');
    for (const environment of environments) {
      expect(again.syntheticMembers).not.toBe(syntheticMembers);
      expect(again.syntheticMembers(environment)).toEqual(syntheticMembers(environment));
    }
  });

  it('change only with their content version, because ingest takes no stored version with other content', () => {
    const resources = environments
      .flatMap((environment) => syntheticMembers(environment, '2026-03-01'))
      .flatMap(({ resources: own }) => own);
    const digest = createHash('sha256').update(JSON.stringify(resources)).digest('hex').slice(0, 16);
    // If the digest differs, raise `contentVersion` in ops/generator/record/resource.ts and put the new digest here.
    expect(digest).toBe('b307653325fb254f');
  });
});
