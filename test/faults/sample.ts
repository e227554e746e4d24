import { sampleInTurn } from '../support/matrix-turn.ts';
import fc from '../support/property.ts';

/** A sample of `ofEach` faults of each service: the same ones in each run, or, with a matrix turn, another part in each turn. */
export function sampleOf<Fault extends { readonly service: string }>(
  all: readonly Fault[],
  ofEach: number,
): readonly Fault[] {
  return [...Map.groupBy(all, ({ service }) => service).values()].flatMap((ofService) => {
    const shuffled = fc.shuffledSubarray([...ofService], { minLength: ofService.length });
    return sampleInTurn(fc.sample(shuffled, { numRuns: 1, seed: 20261122 }).flat(), ofEach);
  });
}
