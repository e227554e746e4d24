import { describe, expect, it } from 'vitest';
import { patientAccessTypes, servedResource } from '../../../../lambdas/catalog/fhir/fhir-resources.ts';
import { codeOf, everybody, everyClaim, kindOf, ofType, type Resource, walk } from './everybody.ts';

/** The day on which the data are generated, after which nothing may be dated. They end with October 2026, whose claims are paid by then. */
const madeOn = '2026-11-24';
const day = (dateTime: string) => dateTime.slice(0, 10);

describe('what is loaded of a synthetic member', () => {
  it.each(
    everybody,
  )('refers to nothing outside the member’s compartment, and holds nothing unreferred: $who', (member) => {
    const present = new Set(member.resources.map(({ resourceType, id }) => `${resourceType}/${id}`));
    const referred = new Set<string>();
    for (const resource of member.resources) {
      for (const { value } of walk(resource))
        if (typeof value?.reference === 'string') referred.add(value.reference);
    }
    expect([...referred].filter((reference) => !present.has(reference))).toEqual([]);
    const alone = member.resources.filter(
      ({ resourceType, id }) =>
        ['Organization', 'Practitioner', 'RelatedPerson'].includes(resourceType) &&
        !referred.has(`${resourceType}/${id}`),
    );
    expect(alone).toEqual([]);
  });

  it.each(everybody)('is of the types that are served, each once, and says whose it is: $who', (member) => {
    const names = member.resources.map(({ resourceType, id }) => `${resourceType}/${id}`);
    expect(new Set(names).size).toBe(names.length);
    for (const resource of member.resources) {
      expect(patientAccessTypes).toContain(resource.resourceType);
      expect(resource.id).toMatch(/^[A-Za-z0-9.-]{1,64}$/);
      const subject = resource.beneficiary ?? resource.patient;
      if (subject !== undefined) expect(subject.reference).toBe(`Patient/${member.patientId}`);
    }
    expect(member.resources[0].resourceType).toBe('Patient');
  });

  it.each(
    everybody,
  )('declares one CARIN profile in each version that the CapabilityStatement names, and US Core 6.1.0: $who', (member) => {
    const usCorePatient = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient';
    const claims = member.resources.filter(({ meta }) => meta.profile?.[0]?.includes('/carin-bb/'));
    expect(claims.length).toBeGreaterThan(2);
    for (const { resourceType, meta } of claims) {
      const named = servedResource(resourceType).supportedProfiles;
      const profiles: readonly string[] = meta.profile.filter((it: string) => it !== usCorePatient);
      for (const profile of profiles) expect(named).toContain(profile);
      const [carin = ''] = profiles.at(0)?.split('|') ?? [];
      expect(profiles.filter((it) => it.startsWith(carin))).toEqual(
        named.filter((it) => it.startsWith(`${carin}|`)),
      );
      const usCore = named.filter((it) => it.includes('/us/core/') && it.endsWith('|6.1.0'));
      expect(profiles.filter((it) => !it.startsWith(carin))).toEqual(usCore);
    }
  });

  it.each(
    everybody,
  )('gives each Organization and Practitioner an NPI as both versions know it, and a tax number: $who', (member) => {
    for (const { resourceType, identifier } of member.resources) {
      if (resourceType !== 'Organization' && resourceType !== 'Practitioner') continue;
      expect(identifier.slice(0, 2)).toMatchObject([
        { type: { coding: [{ code: 'NPI' }, { code: 'npi' }] } },
        { type: { coding: [{ code: 'TAX' }] }, value: expect.stringMatching(/^00-\d{7}$/) },
      ]);
    }
  });

  it.each(everybody)('has empty elements nowhere: $who', (member) => {
    for (const resource of member.resources) {
      for (const { path, value } of walk(resource)) {
        const empty =
          value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
        expect(empty ? `${resource.resourceType}${path}` : undefined).toBeUndefined();
      }
    }
  });

  it.each(everybody)('is covered at every service, by one plan at a time: $who', (member) => {
    const coverages = ofType(member, 'Coverage');
    const days = coverages.map(({ period }) => [period.start, period.end ?? '9999-12-31']);
    expect(coverages.map(({ status }) => status)).toEqual(
      coverages.map(({ period }) => (period.end === undefined ? 'active' : 'cancelled')),
    );
    for (let at = 1; at < days.length; at += 1) expect(days[at]?.[0] > days[at - 1]?.[1]).toBe(true);
    for (const claim of ofType(member, 'ExplanationOfBenefit')) {
      const [{ coverage, focal }] = claim.insurance;
      expect(focal).toBe(true);
      const { period } = coverages.find(({ id }) => coverage.reference === `Coverage/${id}`);
      expect(day(claim.billablePeriod.start) >= period.start).toBe(true);
      expect(day(claim.billablePeriod.start) <= (period.end ?? '9999-12-31')).toBe(true);
    }
  });

  it.each(everybody)('names the plans of the Patient: $who', (member) => {
    const patient = member.resources[0];
    const identifiers = (suffix: string) =>
      patient.identifier
        .filter(({ system }: Resource) => system.endsWith(`/${suffix}`))
        .map(({ value }: Resource) => value);
    for (const suffix of ['group', 'plan']) {
      const classes = ofType(member, 'Coverage').flatMap((coverage) =>
        coverage.class
          .filter(({ type }: Resource) => codeOf(type) === suffix)
          .map(({ value }: Resource) => value),
      );
      expect(classes).toEqual(identifiers(suffix));
    }
  });
});

describe("a subscriber who isn't the member", () => {
  it('is a spouse with a number of their own, and somebody is one', () => {
    const spousesOf = (member: (typeof everybody)[number]) =>
      ofType(member, 'RelatedPerson').filter(({ relationship: [of] }) => codeOf(of) === 'SPS');
    const spouses = everybody.filter((member) => spousesOf(member).length > 0);
    expect(spouses.length).toBeGreaterThan(0);
    for (const member of everybody) {
      const [spouse] = spousesOf(member);
      for (const coverage of ofType(member, 'Coverage')) {
        expect(codeOf(coverage.relationship)).toBe(spouse === undefined ? 'self' : 'spouse');
        expect(coverage.subscriberId === member.memberId).toBe(spouse === undefined);
        expect(coverage.subscriber.reference).toBe(
          spouse === undefined ? `Patient/${member.patientId}` : `RelatedPerson/${spouse.id}`,
        );
      }
    }
  });

  it('is paid for a claim from outside the network', () => {
    const paid = everyClaim.filter(({ claim }) => codeOf(claim.payee.type) === 'subscriber');
    expect(paid.length).toBeGreaterThan(0);
    for (const { claim } of paid) expect(claim.payee.party.reference).toMatch(/^RelatedPerson\//);
  });
});

describe("a synthetic claim's dates", () => {
  it.each(everybody)('follow one another, and none lies in the future: $who', (member) => {
    for (const claim of ofType(member, 'ExplanationOfBenefit')) {
      const { start, end } = claim.billablePeriod;
      const received = claim.supportingInfo.find(
        ({ category }: Resource) => codeOf(category) === 'clmrecvddate',
      ).timingDate;
      const order = [
        start,
        end,
        received,
        claim.created,
        claim.payment.date,
        day(claim.meta.lastUpdated),
        madeOn,
      ];
      expect([...order].sort()).toEqual(order);
      expect(start >= '2019-01-01').toBe(true);
      for (const item of claim.item) {
        const served = item.servicedDate ?? item.servicedPeriod.start;
        expect(served >= start && served <= end).toBe(true);
      }
    }
  });

  it.each(everybody)('differ in when they were updated: $who', (member) => {
    const updated = ofType(member, 'ExplanationOfBenefit').map(({ meta }) => meta.lastUpdated);
    expect(new Set(updated).size).toBe(updated.length);
    for (const { meta } of member.resources) {
      expect(Date.parse(meta.lastUpdated)).toBeGreaterThan(Date.parse('2017-12-31'));
      expect(Date.parse(meta.lastUpdated)).toBeLessThan(Date.parse(madeOn));
    }
  });

  it('let a drug follow the visit it was prescribed at', () => {
    for (const member of everybody.filter(({ index }) => index === 0)) {
      const claims = ofType(member, 'ExplanationOfBenefit');
      for (const drug of claims.filter((claim) => kindOf(claim) === 'Pharmacy')) {
        const before = claims.filter(
          (claim) => kindOf(claim) !== 'Pharmacy' && claim.billablePeriod.start <= drug.billablePeriod.start,
        );
        const reasons = before.flatMap((claim) =>
          claim.diagnosis.map((it: Resource) => codeOf(it.diagnosisCodeableConcept)),
        );
        const prescribedFor: Readonly<Record<string, string>> = {
          '67877-512-90': 'E78.5',
          '65841-028-01': 'E11.9',
          '68180-980-01': 'I10',
          '0173-0682-20': 'J20.9',
          '70882-114-20': 'J18.9',
          '0603-1393-64': 'K12.30',
        };
        expect(reasons).toContain(prescribedFor[codeOf(drug.item[0].productOrService)]);
      }
    }
  });
});
