import { describe, expect, it } from 'vitest';
import { matchGroup, repeatedMembers } from '../../../lambdas/payer-access/permission/match-groups.ts';
import { organization, patient } from '../match-samples.ts';

const head = {
  ...{ groupId: 'g1', code: 'nomatch' as const, organization, planName: 'Plan' },
  ...{ createdAt: '2026-11-23T10:00:00Z', expiresAt: '2026-12-23T10:00:00Z' },
};
const coverage = { resourceType: 'Coverage', id: 'c', subscriberId: '55678' };
const submitted = (at: number, id: unknown, more: object = {}) => ({
  at,
  patient: { ...patient, id, birthDate: `1974-12-${at + 10}` },
  coverage,
  ...more,
});

describe('a group of submitted members', () => {
  it('contains each Patient with its own ID, and with all that a contained resource may have', () => {
    const meta = { profile: ['http://example.org/p'], tag: [{ code: 't' }] };
    const [first, second] = [submitted(1, 'a'), submitted(2, 'patient-1')];
    const withMeta = {
      ...second.patient,
      meta: { ...meta, versionId: '1', lastUpdated: '2026-01-01', security: [{ code: 'R' }] },
      text: { status: 'generated', div: '<div/>' },
      contained: [{ resourceType: 'Organization', id: 'o' }],
    };
    const group = matchGroup(head, [first, { ...second, patient: withMeta }]);
    expect(group.contained).toEqual([first.patient, { ...second.patient, meta }]);
    expect(group.member?.map(({ entity }) => entity.reference)).toEqual(['#a', '#patient-1']);
  });

  it('gives Patients of one ID, or without a valid one, IDs by their position', () => {
    const members = [1, 2].map((at) => submitted(at, '1'));
    const group = matchGroup(head, [
      ...members,
      submitted(3, 7),
      submitted(4, 'patient-3'),
      submitted(5, 'x y'),
    ]);
    const ids = group.contained?.map(({ id }) => id);
    expect(ids).toEqual(['patient-1', 'patient-2', 'patient-3-', 'patient-3', 'patient-5']);
    const referred = group.member?.map(({ entity }) => entity.extension?.[0]?.valueReference?.reference);
    expect(referred).toEqual(ids?.map((id) => `#${id}`));
  });

  it('names the Coverage of a Patient that was submitted several times, whatever the outcomes', () => {
    const same = (at: number, more: object = {}) => ({ ...submitted(at, '1', more), patient });
    const all = [
      ...[same(1), same(2, { patientId: 'p1' }), submitted(3, '3'), submitted(4, '4', { patientId: 'p2' })],
      ...[submitted(5, '5', { patientId: 'p2' }), same(6, { coverage: undefined })],
    ];
    const repeated = repeatedMembers(all);
    expect([...repeated].sort()).toEqual([1, 2, 4, 5, 6]);
    const group = matchGroup(head, [same(1), submitted(3, '3'), same(6, { coverage: undefined })], repeated);
    const extensions = group.member?.map(({ entity }) =>
      entity.extension?.map(({ valueReference }) => valueReference?.reference),
    );
    expect(extensions).toEqual([['#1', '#c'], ['#3'], ['#1']]);
    expect(group.contained?.map(({ id }) => id)).toEqual(['1', 'c', '3']);
    expect(group.contained?.find(({ id }) => id === 'c')).toEqual(coverage);
    // Two Coverages with the same ID, and one with the ID of a Patient.
    const clashing = [same(1), same(2, { coverage: { ...coverage, subscriberId: '2' } })];
    const other = matchGroup(head, clashing, new Set([1, 2]));
    expect(other.contained?.map(({ id }) => id)).toEqual(['1', 'coverage-1', 'coverage-2']);
    const likePatient = matchGroup(head, [same(1, { coverage: { ...coverage, id: '1' } })], new Set([1]));
    expect(likePatient.contained?.map(({ id }) => id)).toEqual(['1', 'coverage-1']);
  });
});
