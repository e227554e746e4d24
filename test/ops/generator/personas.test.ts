import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { patientAccessTypes } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { loadIssues } from '../../../lambdas/loads/ingest/ingest-content-rules.ts';
import { memberLoad } from '../../../lambdas/loads/ingest/ingest-contract.ts';
import { operationsRequest } from '../../../lambdas/portal/api/operations-contract.ts';
import { syntheticMembers } from '../../../ops/generator/members.ts';
import { sandboxPersonas, testMembers } from '../../../ops/generator/personas.ts';

const month = '2026-03-01';
const personas = sandboxPersonas(month);

describe('the personas of the sandbox', () => {
  it('are two a line of business, the first with every resource type and every kind of claim', () => {
    for (const lob of lineOfBusinessCodes) {
      const [first, ...others] = personas.filter(({ member }) => member.lob === lob);
      expect(others).toHaveLength(1);
      const types = new Set(first?.member.resources.map(({ resourceType }) => resourceType));
      expect(patientAccessTypes.filter((type) => !types.has(type))).toEqual([]);
      const kinds = first?.member.resources
        .filter(({ resourceType }) => resourceType === 'ExplanationOfBenefit')
        .map(({ json }) => JSON.parse(json).meta.profile.at(-1).replace(/^.*\//, ''));
      expect(new Set(kinds).size).toBe(6);
      expect(first?.about).toMatch(/plan.*, diabetes since 20\d\d, insulin since 20\d\d, [23]\d\d claims$/);
    }
  });

  it('have what suites look for in a record and few records hold', () => {
    const texts = personas.flatMap(({ member }) =>
      member.resources.map(({ json, fhirJson }) => ({ member, json: fhirJson ?? json })),
    );
    const lookedFor = [
      ...[
        '"suffix":[',
        '"use":"old"',
        'us-core-tribal-affiliation',
        '"deceasedDateTime"',
        '"status":"generated"',
      ],
      ...['"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason"', '"code":"unknown"'],
      ...['"valueBoolean":false', '"code":"260385009"'],
      ...['"functional-status"', '"disability-status"', '"cognitive-status"'],
      // LOINC codes of notes and reports (US Core 6.1.0, Clinical Notes).
      ...['"11488-4"', '"18842-5"', '"34117-2"', '"28570-0"', '"11506-3"'],
      ...['"LP29684-5"', '"LP29708-2"', '"LP7839-6"'],
    ];
    expect(lookedFor.filter((text) => !texts.some(({ json }) => json.includes(text)))).toEqual([]);
  });

  it('are taken by ingest as they are', () => {
    for (const { member } of personas) {
      expect(memberLoad.safeParse(member).success).toBe(true);
      expect(loadIssues(member)).toEqual([]);
    }
  });

  it('share nothing with each other or with the other test members', () => {
    const all = [...syntheticMembers('sandbox'), ...personas.map(({ member }) => member)];
    for (const name of ['patientId', 'memberId', 'email', 'phoneNumber'] as const) {
      expect(new Set(all.map((member) => member[name])).size).toBe(all.length);
    }
    for (const { email, phoneNumber } of personas.map(({ member }) => member)) {
      expect(email).toMatch(/@example\.com$/);
      expect(phoneNumber).toMatch(/^\+1\d{3}55501\d\d$/);
    }
  });

  it('are shown in the portal with what they have, beside the other test members', () => {
    const shown = testMembers();
    expect(shown).toHaveLength(4 * lineOfBusinessCodes.length);
    expect(
      operationsRequest.safeParse({ action: 'publish-test-members', operator: 'Seed', members: shown })
        .success,
    ).toBe(true);
    for (const { member, about } of personas) {
      expect(shown.find(({ memberId }) => memberId === member.memberId)?.about).toBe(about);
    }
  });

  it('are described on the page about the synthetic members', () => {
    const page = readFileSync(new URL('../../../docs/synthetic-members.md', import.meta.url), 'utf8');
    for (const {
      about,
      member: { memberId, resources },
    } of personas) {
      expect(page).toContain(`| ${memberId} | ${resources.length.toLocaleString('en-US')} | ${about} |`);
    }
  });
});

describe('the prior authorizations of synthetic members', () => {
  const authorizationsIn = (of: string) =>
    syntheticMembers('sandbox', of).flatMap(({ resources }) =>
      resources.filter(({ json }) => json.includes('"use":"preauthorization"')),
    );

  it('follow the calendar: a later month has later dates and a higher version, with the same ids', () => {
    const [now, later] = [authorizationsIn('2026-03-01'), authorizationsIn('2027-09-01')];
    expect(later.map(({ id }) => id)).toEqual(now.map(({ id }) => id));
    for (const [at, { versionId, lastUpdated }] of now.entries()) {
      expect(Number(later[at]?.versionId)).toBe(Number(versionId) + 18);
      expect(later[at]?.lastUpdated.slice(0, 4)).toBe('2027');
      expect(lastUpdated < '2026-03-01').toBe(true);
    }
  });

  it('change nothing else under the same version', () => {
    const versions = new Map<string, string>();
    for (const of of ['2026-03-01', '2027-09-01']) {
      for (const { resources } of syntheticMembers('sandbox', of)) {
        for (const { resourceType, id, versionId, json } of resources) {
          const name = `${resourceType}/${id}/${versionId}`;
          expect(versions.get(name) ?? json, name).toBe(json);
          versions.set(name, json);
        }
      }
    }
  });
});
