import { expect, it } from 'vitest';
import { syntheticMembers } from '../../../ops/generator/members.ts';

it('a member who shares the coverage alone shares the insurer’s name with it, since the Organization goes with the claims', () => {
  const coverages = syntheticMembers('sandbox')
    .flatMap(({ resources }) => resources)
    .filter(({ resourceType }) => resourceType === 'Coverage')
    .map(({ json }) => JSON.parse(json) as { readonly payor: readonly { readonly display?: string }[] });
  expect(coverages.length).toBeGreaterThan(0);
  for (const { payor } of coverages) for (const { display } of payor) expect(display).toMatch(/\w/);
});
