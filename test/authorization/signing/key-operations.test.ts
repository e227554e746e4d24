import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createVerificationKeys } from '../../../lambdas/authorization/authorizer/verification-keys.ts';
import { listKeys, removeKey } from '../../../lambdas/authorization/signing/key-operations.ts';
import type { KeyOperationAnswer } from '../../../lambdas/authorization/signing/key-operations-contract.ts';
import { makeSigningKeys } from '../../../lambdas/authorization/signing/key-pair.ts';
import { type RotationStep, rotateSigningKey } from '../../../lambdas/authorization/signing/key-rotation.ts';
import { createSecretSigningKeys } from '../../../lambdas/authorization/signing/secret-signing-keys.ts';
import {
  type PrivateJwk,
  parseSigningKeySet,
} from '../../../lambdas/authorization/signing/signing-key-set.ts';
import fc from '../../support/property.ts';
import { createSecretStandIn } from './secret-stand-in.ts';
import { verifies } from './verifies.ts';

const steps: readonly RotationStep[] = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];
const tokenMs = 30 * 60_000;
/** Key pairs take a second to make, so the property reuses these with new key IDs. */
let pool: readonly PrivateJwk[];
beforeAll(async () => {
  pool = await makeSigningKeys(6);
});

function createIssuer() {
  const standIn = createSecretStandIn();
  let made = 0;
  let published: string | undefined;
  const world = { now: Date.parse('2026-01-01T00:00:00Z'), publications: 0 };
  const operations = {
    secretId: 'arn:secret',
    newVersion: randomUUID,
    secret: standIn.secret,
    published: {
      read: async () => published,
      publish: async (jwks: string) => {
        published = jwks;
        world.publications += 1;
      },
    },
    retiredSeconds: tokenMs / 1_000 + 3_600,
    makeKeys: async (count: number): Promise<readonly PrivateJwk[]> =>
      Array.from({ length: count }, () => {
        made += 1;
        const jwk = pool[made % pool.length];
        if (jwk === undefined) throw new Error('the pool is empty');
        return { ...jwk, kid: randomUUID() };
      }),
    now: () => world.now,
  };
  const clock = () => world.now;
  return {
    ...standIn,
    world,
    operations,
    published: () => published,
    signing: () => createSecretSigningKeys({ readSecret: async () => standIn.current(), now: clock }),
    verifying: () => createVerificationKeys({ readJwks: async () => published, now: clock }),
    async rotateTo(version: string, each: (step: RotationStep) => Promise<void> = async () => {}) {
      standIn.begin(version);
      for (const step of steps) {
        await rotateSigningKey(operations, step, version);
        await each(step);
      }
      standIn.end(world.now);
    },
    kid(state: string): string {
      const set = parseSigningKeySet(standIn.current());
      return set?.keys.find((key) => key.state === state)?.jwk.kid ?? 'none';
    },
  };
}

type Keys = ReturnType<typeof createSecretSigningKeys>;
const sign = (keys: Keys) => keys.sign('DSNP', { sub: 'a' }, 'at+jwt');
const statesOf = (answer: KeyOperationAnswer) =>
  answer.kind === 'keys'
    ? answer.keys.map(({ state, published }) => `${state}${published ? '' : ' unpublished'}`)
    : answer.reason;

describe('rotations, however they fall', () => {
  it('lose no token: what was signed by then verifies everywhere until it expires', async () => {
    const acts = fc.array(
      fc.oneof(
        fc.record({ act: fc.constant('rotate' as const), stopAfter: fc.integer({ min: 0, max: 4 }) }),
        fc.record({ act: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 2_400 }) }),
      ),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(acts, async (list) => {
        const issuer = createIssuer();
        await issuer.rotateTo(randomUUID());
        const signers = [issuer.signing(), issuer.signing()];
        const verifiers = [issuer.verifying(), issuer.verifying()];
        const live: { token: string; until: number }[] = [];
        const use = async () => {
          for (const signer of signers) {
            live.push({ token: await sign(signer), until: issuer.world.now + tokenMs });
          }
          for (const { token, until } of live) {
            if (until <= issuer.world.now) continue;
            for (const verifier of verifiers) if (!(await verifies(token, verifier))) return false;
          }
          return true;
        };
        for (const act of list) {
          if (act.act === 'pass') issuer.world.now += act.seconds * 1_000;
          else {
            const version = randomUUID();
            issuer.begin(version);
            for (const step of steps.slice(0, act.stopAfter)) {
              await rotateSigningKey(issuer.operations, step, version);
              if (!(await use())) return false;
            }
            if (act.stopAfter === 4) issuer.end(issuer.world.now);
          }
          if (!(await use())) return false;
        }
        return true;
      }),
      { numRuns: 25 },
    );
  });
});

describe('a key that is removed', () => {
  it.each([
    'current',
    'next',
    'retired',
  ])('is refused everywhere a minute later, and nothing else is: %s', async (state) => {
    const issuer = createIssuer();
    await issuer.rotateTo('v1');
    const retired = await sign(issuer.signing());
    await issuer.rotateTo('v2');
    const signer = issuer.signing();
    const verifier = issuer.verifying();
    const current = await sign(signer);
    for (const token of [retired, current]) expect(await verifies(token, verifier)).toBe(true);
    const kid = issuer.kid(state);
    expect(await removeKey(issuer.operations, kid)).toMatchObject({ kind: 'keys' });
    issuer.world.now += 60_000;
    expect(issuer.published()).not.toContain(kid);
    expect(issuer.current()).not.toContain(kid);
    expect(await verifies(retired, verifier)).toBe(state !== 'retired');
    expect(await verifies(current, verifier)).toBe(state !== 'current');
    const after = await sign(signer);
    expect(decodeProtectedHeader(after).kid).not.toBe(kid);
    expect(await verifies(after, verifier)).toBe(true);
  });

  it('leaves a current and a next key, all published', async () => {
    const issuer = createIssuer();
    await issuer.rotateTo('v1');
    await issuer.rotateTo('v2');
    for (const [state, left] of [
      ['current', ['current', 'next', 'retired']],
      ['next', ['current', 'retired', 'next']],
      ['retired', ['current', 'next']],
    ] as const) {
      const answer = await removeKey(issuer.operations, issuer.kid(state));
      expect([...statesOf(answer)].sort()).toEqual([...left].sort());
    }
    await issuer.rotateTo('v3');
    expect(await verifies(await sign(issuer.signing()), issuer.verifying())).toBe(true);
  });

  it.each(steps)('does not come back with a rotation that stands after %s', async (stopped) => {
    const issuer = createIssuer();
    await issuer.rotateTo('v1');
    const kid = issuer.kid('current');
    issuer.begin('v2');
    for (const step of steps) {
      await rotateSigningKey(issuer.operations, step, 'v2');
      if (step === stopped) break;
    }
    await removeKey(issuer.operations, kid);
    for (const step of steps) await rotateSigningKey(issuer.operations, step, 'v2').catch(() => {});
    expect(issuer.published()).not.toContain(kid);
    expect(issuer.current()).not.toContain(kid);
  });

  it('is removed by a repeat where the first time stopped between secret and publication', async () => {
    const issuer = createIssuer();
    await issuer.rotateTo('v1');
    const kid = issuer.kid('current');
    const failing = {
      ...issuer.operations,
      published: { ...issuer.operations.published, publish: () => Promise.reject(new Error('store')) },
    };
    await expect(removeKey(failing, kid)).rejects.toThrow('store');
    expect(issuer.published()).toContain(kid);
    expect(await removeKey(issuer.operations, kid)).toMatchObject({ kind: 'keys' });
    expect(issuer.published()).not.toContain(kid);
  });

  it('is unknown where there is no such key, and nothing is written then', async () => {
    const issuer = createIssuer();
    expect(await listKeys(issuer.operations)).toEqual({ kind: 'refusal', reason: 'no_keys' });
    await issuer.rotateTo('v1');
    const before = [issuer.current(), issuer.published(), issuer.world.publications];
    expect(await removeKey(issuer.operations, 'nobody')).toEqual({ kind: 'refusal', reason: 'key_unknown' });
    expect([issuer.current(), issuer.published(), issuer.world.publications]).toEqual(before);
  });
});
