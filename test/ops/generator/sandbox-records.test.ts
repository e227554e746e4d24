import { describe, expect, it } from 'vitest';
import { testMembers } from '../../../ops/generator/personas.ts';
import { generateSandboxRecords } from '../../../ops/generator/sandbox-records.ts';
import { service } from '../../docs/documents.ts';

const { origins } = service.environments.sandbox;
const records = [...generateSandboxRecords(origins, '2026-11-01')];
const membersWith = (feature: string) =>
  records
    .filter(([{ features }]) => features.some((each) => each === feature))
    .map(([{ memberId }]) => memberId);

interface Bundle {
  readonly type: string;
  readonly entry: readonly {
    readonly fullUrl: string;
    readonly resource: { resourceType: string; id: string };
  }[];
}

describe('the published records of the sandbox’s members', () => {
  it('are those of the members that developers sign in as, without their passwords', () => {
    const shown = testMembers();
    expect(records.map(([{ memberId }]) => memberId)).toEqual(shown.map(({ memberId }) => memberId));
    const text = JSON.stringify(records);
    for (const { password } of shown) expect(text).not.toContain(password);
  });

  it('have each resource once, at its address in the sandbox, and are counted', () => {
    for (const [{ lob, patientId, counts }, text] of records) {
      const { type, entry } = JSON.parse(text) as Bundle;
      expect(type).toBe('collection');
      expect(new Set(entry.map(({ fullUrl }) => fullUrl)).size).toBe(entry.length);
      expect(Object.values(counts).reduce((sum, each) => sum + each, 0)).toBe(entry.length);
      const host = origins.apiTemplate.replace('{lob}', lob.toLowerCase());
      expect(entry[0]?.fullUrl).toBe(`${host}/extfhirpatientaccess/v1/Patient/${patientId}`);
    }
  });

  it('are valid FHIR where a birth date has no day', () => {
    for (const [, text] of records) expect(text).not.toMatch(/"birthDate":"\d{4}-00/);
  });

  it('name the members by what a test looks for', () => {
    expect(membersWith('died')).toEqual(['MAPD45741163']);
    expect(membersWith('spouse-policy')).toEqual(['MHBE42717617', 'EGWP86593852', 'EGWP10756200']);
    expect(membersWith('several-coverages')).toContain('DSNP69775922');
    // The first member of each line of business and the first persona.
    expect(membersWith('prior-authorizations')).toHaveLength(12);
  });
});
