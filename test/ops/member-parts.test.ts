import { describe, expect, it } from 'vitest';
import { loadIssues } from '../../lambdas/loads/ingest/ingest-content-rules.ts';
import type { MemberLoad } from '../../lambdas/loads/ingest/ingest-contract.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { pathInMember, splitMemberLoad } from '../../ops/member-parts.ts';

type Resource = MemberLoad['resources'][number];

const member = syntheticMembers('sandbox')[1];
if (member === undefined) throw new Error('no synthetic member');
const nameOf = ({ resourceType, id }: Resource) => `${resourceType}/${id}`;

function claim(id: string, references: readonly string[] = [], bytes = 0): Resource {
  const [versionId, lastUpdated] = ['1', '2026-02-01T10:00:00Z'];
  const json = JSON.stringify({
    resourceType: 'ExplanationOfBenefit',
    id,
    meta: { versionId, lastUpdated },
    text: { status: 'generated', div: `<div>${'x'.repeat(bytes)}</div>` },
    ...{
      status: 'active',
      type: { text: 'pharmacy' },
      use: 'claim',
      outcome: 'complete',
      created: '2026-01-31',
    },
    ...{ insurer: { display: 'The plan' }, provider: { display: 'A pharmacy' } },
    insurance: [{ focal: true, coverage: { display: 'C' } }],
    patient: { reference: `Patient/${member?.patientId}` },
    ...(references.length > 0 && {
      supportingInfo: references.map((to, at) => ({
        sequence: at + 1,
        category: { text: 'earlier claim' },
        valueReference: { reference: `ExplanationOfBenefit/${to}` },
      })),
    }),
  });
  return { resourceType: 'ExplanationOfBenefit', id, versionId, lastUpdated, json };
}

function withClaims(claims: readonly Resource[]): MemberLoad {
  return { ...member, resources: [...(member?.resources.slice(0, 1) ?? []), ...claims] } as MemberLoad;
}

/** Names that a load refers to and that neither this load nor an earlier one has. */
function danglingIn(parts: readonly MemberLoad[]): readonly string[] {
  const come = new Set<string>();
  return parts.flatMap((part) => {
    for (const resource of part.resources) come.add(nameOf(resource));
    return part.resources
      .flatMap(({ json }) => [...json.matchAll(/"reference":"([^"#]+)"/g)].map(([, name = '']) => name))
      .filter((name) => !come.has(name));
  });
}

describe('a member who is sent in parts', () => {
  it('is one load where an invocation takes it', () => {
    const parts = splitMemberLoad(member);
    expect(parts).toHaveLength(1);
    expect(new Set(parts[0]?.resources)).toEqual(new Set(member.resources));
  });

  it('comes whole, each part with the Patient and fit for an invocation', () => {
    const whole = withClaims(Array.from({ length: 1_000 }, (_, n) => claim(`e${n}`, [], 15_000)));
    const parts = splitMemberLoad(whole);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(6_291_456);
      expect(loadIssues(part)).toEqual([]);
    }
    const sent = parts.flatMap(({ resources }) => resources.slice(1).map(nameOf));
    expect(sent).toEqual(whole.resources.slice(1).map(nameOf));
  });

  it('has what a resource refers to before it, in the smallest parts too', () => {
    const parts = splitMemberLoad(member, 1);
    expect(parts).toHaveLength(member.resources.length - 1);
    expect(danglingIn(parts)).toEqual([]);
    const backwards = withClaims([claim('c', ['b']), claim('b', ['a']), claim('a')]);
    expect(splitMemberLoad(backwards, 1).map(({ resources }) => resources[1]?.id)).toEqual(['a', 'b', 'c']);
  });

  it('keeps resources that refer to each other as they stand', () => {
    const circle = withClaims([claim('a', ['b']), claim('b', ['a']), claim('c', ['c'])]);
    expect(splitMemberLoad(circle, 1).map(({ resources }) => resources[1]?.id)).toEqual(['b', 'a', 'c']);
  });

  it('is told what is wrong by the paths of its own file', () => {
    const whole = withClaims([claim('a'), claim('b')]);
    const [, second = whole] = splitMemberLoad(whole, 1);
    expect(pathInMember('resources.1.json.patient.reference', second, whole)).toBe(
      'resources.2.json.patient.reference',
    );
    expect(pathInMember('resources.0', second, whole)).toBe('resources.0');
    for (const path of ['email', 'resources', 'removed.0.id', 'resources.9']) {
      expect(pathInMember(path, second, whole)).toBe(path);
    }
  });

  it('says in each part what is withdrawn', () => {
    const removed = [{ resourceType: 'Coverage', id: 'c1' }];
    const parts = splitMemberLoad({ ...withClaims([claim('a'), claim('b')]), removed }, 1);
    expect(parts.map((part) => part.removed)).toEqual([removed, removed]);
  });
});
