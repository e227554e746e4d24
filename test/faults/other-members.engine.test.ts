import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { caller, type MembersWorld, startMembersWorld } from '../abuse/members-world.ts';
import { attack } from '../abuse/other-members.ts';

/** Shows for every LOB and both environments' members that no response has a byte of another member, whatever the request says of them. */

describe.each(['sandbox', 'production'] as const)('members of %s', (environment) => {
  const members = syntheticMembers(environment);
  let world: MembersWorld;
  beforeAll(async () => {
    world = await startMembersWorld(members);
  });
  afterAll(() => world.stop());

  it.each(lineOfBusinessCodes)('see nothing of another member of %s, nor of another LOB', async (lob) => {
    const [victim, attacker] = members.filter((each) => each.lob === lob);
    const elsewhere = members.find((each) => each.lob !== lob);
    if (!victim || !attacker || !elsewhere) throw new Error('two members in each LOB are needed');
    const handler = await world.functionOf(lob);
    const [asVictim, asAttacker] = [caller(handler, victim), caller(handler, attacker)];
    expect(await attack(victim, attacker, asVictim, asAttacker)).toMatchObject({ leaks: [] });
    const outside = await attack(victim, elsewhere, asVictim, caller(handler, elsewhere));
    expect(outside.leaks).toEqual([]);
    // The scan sees what the member's own application gets.
    const own = await attack(victim, attacker, asVictim, asVictim);
    expect(own.leaks.length).toBeGreaterThan(own.calls / 3);
  });
});
