import fc from '../support/property.ts';

/** So many faults of each service, always the same ones. */
export function sampleOf<Fault extends { readonly service: string }>(
  all: readonly Fault[],
  ofEach: number,
): readonly Fault[] {
  return [...Map.groupBy(all, ({ service }) => service).values()].flatMap((ofService) => {
    const shuffled = fc.shuffledSubarray([...ofService], { minLength: ofService.length });
    return fc.sample(shuffled, { numRuns: 1, seed: 20261122 }).flat().slice(0, ofEach);
  });
}
