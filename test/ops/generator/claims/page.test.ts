import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { everybody, kindOf, ofType } from './everybody.ts';

const kinds = [
  'Inpatient-Institutional',
  'Outpatient-Institutional',
  'Professional-NonClinician',
  'Pharmacy',
  'Oral',
] as const;

/** The rows of the table in docs/synthetic-members.md. */
function rows(): readonly string[] {
  return everybody
    .filter(({ who }) => who.startsWith('sandbox'))
    .map((member) => {
      const claims = ofType(member, 'ExplanationOfBenefit').map(kindOf);
      const counts = kinds.map((kind) => claims.filter((it) => it === kind).length);
      return `| ${[member.memberId, ofType(member, 'Coverage').length, ...counts].join(' | ')} |`;
    });
}

describe('the page about the synthetic members', () => {
  it('counts each sandbox member’s coverages and claims as they are', () => {
    const page = readFileSync(new URL('../../../../docs/synthetic-members.md', import.meta.url), 'utf8');
    expect(page.split('\n').filter((line) => /^\| [A-Z]{4,5}\d+ (\| \d+ ){6}\|$/.test(line))).toEqual(rows());
  });
});
