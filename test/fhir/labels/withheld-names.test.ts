import { describe, expect, it } from 'vitest';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { sensitiveCategories, sensitiveScope } from '../../../lambdas/catalog/fhir/sensitive-categories.ts';
import { namesNotShared } from '../../../lambdas/fhir/values/label.ts';
import fc from '../../support/property.ts';
import { bundleOf, context, createWorld, household, labelsOf, type Resource } from '../search/world.ts';

const types = [
  ...['Condition', 'CarePlan', 'Goal', 'Encounter', 'MedicationRequest', 'Procedure', 'Provenance'],
  ...['DocumentReference', 'Observation'],
] as const;
const elements = ['evidence', 'addresses', 'reasonReference', 'goal', 'supportingInfo', 'target'] as const;
const labels = ['MH', 'SUD', 'STD', '42CFRPart2', 'N'] as const;

/** Name of a resource, as the `display` of a reference to it has it. */
const secret = (at: number) => `Secret number ${at} of them`;

/** Generates a record whose resources refer to earlier ones in any element, each reference with a `display`. */
const records = fc
  .array(
    fc.record({
      resourceType: fc.constantFrom(...types),
      codes: fc.subarray([...labels], { maxLength: 1 }),
      to: fc.array(fc.tuple(fc.constantFrom(...elements), fc.nat()), { maxLength: 2 }),
    }),
    { maxLength: 10 },
  )
  .map((drawn) =>
    drawn.map(({ resourceType, codes, to }, at): Resource => {
      const references = at === 0 ? [] : to.map(([element, number]) => [element, number % at] as const);
      const named = references.map(([element, target]) => {
        const reference = `${drawn[target]?.resourceType}/r${target}`;
        return [element, [{ reference, display: secret(target) }]] as const;
      });
      const system = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
      return {
        ...{ resourceType, id: `r${at}`, subject: { reference: 'Patient/p1' }, status: 'current' },
        meta: { security: codes.map((code) => ({ system, code })) },
        text: { div: `<div>${references.map(([, target]) => secret(target)).join()}</div>` },
        note: [{ text: references.map(([, target]) => secret(target)).join() }],
        code: { text: secret(at) },
        ...Object.fromEntries(named),
      };
    }),
  );

describe('what a member does not share', () => {
  it('is named nowhere: not by a reference, a display or a text of what is shared', async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.subarray([...sensitiveCategories]), async (record, ticked) => {
        const world = createWorld([...household, ...record]);
        const scope = ['patient/*.read', ...ticked.map(sensitiveScope)].join(' ');
        const change = { context: { ...context, scope } };
        const withheld = namesNotShared(labelsOf(record), new Set(ticked));
        const forbidden = record.flatMap(({ resourceType, id }, at) =>
          withheld.has(`${resourceType}/${id}`) ? [`"${resourceType}/${id}"`, secret(at)] : [],
        );
        const bodies = [JSON.stringify(bundleOf(await world.everything('_count=100', change)))];
        for (const { resourceType, id } of record) {
          const answer = await world.read(resourceType as PatientAccessType, id, change);
          expect(answer.kind).toBe(withheld.has(`${resourceType}/${id}`) ? 'refusal' : 'resource');
          if (answer.kind === 'resource') bodies.push(answer.body);
        }
        for (const type of types) {
          const found = bundleOf(await world.search(type, '_count=100', change));
          bodies.push(JSON.stringify(found.entry ?? []));
        }
        for (const text of forbidden) for (const body of bodies) expect(body).not.toContain(text);
      }),
    );
  });
});
