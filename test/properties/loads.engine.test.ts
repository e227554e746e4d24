import { describe, expect, it } from 'vitest';
import { patientEntryKey } from '../../lambdas/platform/table/table-keys.ts';
import { createEmptyTable } from '../support/empty-table.ts';
import { type ClaimText, claimResource, createMember } from '../support/ingest-world.ts';
import fc from '../support/property.ts';

/** Random loads in random order: afterwards each resource has exactly one index entry, which agrees with it. */

const table = await createEmptyTable();

const ids = ['a', 'b', 'c', 'd'] as const;
const told: fc.Arbitrary<ClaimText> = fc.record({
  id: fc.constantFrom(...ids),
  version: fc.integer({ min: 1, max: 4 }),
  says: fc.constantFrom('one', 'two'),
  // Sizes that are stored as text, and with gzip.
  bytes: fc.constantFrom(0, 6_000),
});
const loaded = fc.record({
  claims: fc.uniqueArray(told, { selector: ({ id }) => id, maxLength: 4 }),
  removed: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 2 }),
});
/** `old`: the index entries are changed to those of an earlier version of this service. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('load' as const), load: loaded }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('at once' as const), load: loaded, other: loaded }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('old' as const), id: fc.constantFrom(...ids) }) },
);

type Load = { readonly claims: readonly ClaimText[]; readonly removed: readonly string[] };

describe('any sequence of loads', () => {
  it('leaves one entry for each resource, which says what the resource says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const member = createMember(table);
        const send = ({ claims, removed }: Load) => member.load(claims, removed);
        for (const taken of steps) {
          if (taken.kind === 'old') {
            const key = patientEntryKey('DSNP', member.patientId, 'ExplanationOfBenefit', taken.id);
            const before = await member.compartment();
            const json = before.get(`ExplanationOfBenefit#${taken.id}`);
            if (json === undefined) continue;
            await table.transact([{ delete: key }]);
            const { versionId } = JSON.parse(json).meta;
            const { disposition: says, text } = JSON.parse(json);
            const bytes = text.div.length - '<div></div>'.length;
            const again = { id: taken.id, version: Number(versionId), says, bytes };
            expect(await member.load([again])).toMatchObject({ kind: 'loaded' });
            expect(await member.compartment()).toEqual(before);
          } else if (taken.kind === 'at once') {
            // The load that loses the race may fail half-way; it is to be repeated.
            await Promise.allSettled([send(taken.load), send(taken.other)]);
            await member.compartment();
          } else {
            const before = await member.compartment();
            const answer = await send(taken.load);
            const after = await member.compartment();
            expect(after).toEqual(
              answer.kind === 'loaded' ? applied(before, taken.load, member.patientId) : before,
            );
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** The resources after the loads, without the Patient, which is part of each load. */
function applied(before: ReadonlyMap<string, string>, { claims, removed }: Load, patientId: string) {
  const after = new Map(before);
  for (const id of removed) after.delete(`ExplanationOfBenefit#${id}`);
  for (const claim of claims) {
    after.set(`ExplanationOfBenefit#${claim.id}`, claimResource(patientId, claim).json);
  }
  after.set(`Patient#${patientId}`, expect.any(String));
  return after;
}
