import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { caller, type MembersWorld, startMembersWorld } from '../abuse/members-world.ts';
import { attack } from '../abuse/other-members.ts';

/**
 * No response has a byte of another member's data, whatever the request asks for: for every LOB of the sandbox, and for two of production.
 * LOBs and environments differ in data only (test/architecture/lines-of-business.test.ts), so only this LOB is asked for each parameter
 * with each include.
 */
const thorough = 'DSNP';

describe.each([
  ['sandbox', lineOfBusinessCodes],
  ['production', [thorough, 'MHBE']],
] as const)('members of %s', (environment, lobs) => {
  const members = syntheticMembers(environment);
  let world: MembersWorld;
  beforeAll(async () => {
    world = await startMembersWorld(members);
  });
  afterAll(() => world.stop());

  it.each(lobs)('see nothing of another member of %s, nor of another LOB', async (lob) => {
    const [victim, attacker] = members.filter((each) => each.lob === lob);
    const elsewhere = members.find((each) => each.lob !== lob);
    if (!victim || !attacker || !elsewhere) throw new Error('two members in each LOB are needed');
    const handler = await world.functionOf(lob);
    const [asVictim, asAttacker] = [caller(handler, victim), caller(handler, attacker)];
    const isThorough = environment === 'sandbox' && lob === thorough;
    const searches = isThorough ? 'parameters with includes' : 'parameters and includes';
    const inside = await attack(victim, attacker, asVictim, asAttacker, searches);
    expect(inside.leaks).toEqual([]);
    expect(inside.calls).toBeGreaterThan(200);
    const outside = await attack(victim, elsewhere, asVictim, caller(handler, elsewhere), searches);
    expect(outside.leaks).toEqual([]);
    if (lob !== thorough) return;
    // The member's own application receives the data, and the scan finds it.
    const own = await attack(victim, attacker, asVictim, asVictim, 'parameters and includes');
    expect(own.leaks.length).toBeGreaterThan(own.calls / 3);
  });
});
