import { afterAll, describe, expect, it } from 'vitest';
import { startWholeWorld } from '../support/whole-world.ts';
import { nobodyServed, races, runRace } from './acts.ts';

/** Number of rounds; `test/races/main.ts` runs a thousand. */
const rounds = Number(process.env.RACE_ROUNDS ?? 1);
const tries = 100;

const world = await startWholeWorld();
afterAll(() => world.stop());

describe.each(races)('$name', (race) => {
  it(`has one winner of ${tries} at once`, { timeout: rounds * 30_000 }, async () => {
    let unserved = 0;
    for (let round = 0; round < rounds; round += 1) {
      // A new application for each round, since a hundred tries use much of an application's rate.
      const wrong = await runRace(world, await world.application(), race, tries);
      if (wrong === nobodyServed) {
        unserved += 1;
        round -= 1;
        expect(unserved, 'rounds nobody was served in').toBeLessThanOrEqual(Math.max(3, rounds / 10));
      } else {
        expect(wrong).toBeUndefined();
      }
    }
    if (unserved > 0)
      console.log(`${race.name}: ${unserved} rounds were run again, the store being too busy`);
  });
});
