import { decodeProtectedHeader } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { createVerificationKeys } from '../../../lambdas/authorization/authorizer/verification-keys.ts';
import { makeSigningKeys } from '../../../lambdas/authorization/signing/key-pair.ts';
import {
  type KeyRotation,
  type RotationStep,
  rotateSigningKey,
} from '../../../lambdas/authorization/signing/key-rotation.ts';
import { createSecretSigningKeys } from '../../../lambdas/authorization/signing/secret-signing-keys.ts';
import { createSecretStandIn } from './secret-stand-in.ts';
import { verifies } from './verifies.ts';

const steps: readonly RotationStep[] = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];
const hourMs = 3_600_000;

function createIssuer() {
  const standIn = createSecretStandIn();
  let now = Date.parse('2026-01-01T00:00:00Z');
  let published: string | undefined;
  let keysMade = 0;
  const rotation: KeyRotation = {
    secret: standIn.secret,
    published: {
      read: async () => published,
      publish: async (jwks) => {
        published = jwks;
      },
    },
    retiredSeconds: 3_600,
    makeKeys: async (count) => {
      keysMade += count;
      return await makeSigningKeys(count);
    },
    now: () => now,
  };
  const clock = () => now;
  return {
    ...standIn,
    rotation,
    clock,
    published: () => published,
    keysMade: () => keysMade,
    pass: (ms: number) => {
      now += ms;
    },
    signing: () => createSecretSigningKeys({ readSecret: async () => standIn.current(), now: clock }),
    verifying: () => createVerificationKeys({ readJwks: async () => published, now: clock }),
    async rotateTo(version: string, each: (step: RotationStep) => Promise<void> = async () => {}) {
      standIn.begin(version);
      for (const step of steps) {
        await rotateSigningKey(rotation, step, version);
        await each(step);
      }
      standIn.end(now);
    },
  };
}

const kids = (jwks: string | undefined): string[] =>
  JSON.parse(jwks ?? '{"keys":[]}').keys.map((key: { kid: string }) => key.kid);
const sign = (keys: ReturnType<typeof createSecretSigningKeys>) => keys.sign('DSNP', { sub: 'a' }, 'at+jwt');

describe('key rotation', () => {
  let issuer: ReturnType<typeof createIssuer>;
  beforeEach(() => {
    issuer = createIssuer();
  });

  it('makes a current and a next key at first, and publishes no private member', async () => {
    await issuer.rotateTo('v1');
    const keys = JSON.parse(issuer.published() ?? '').keys;
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(await verifies(await sign(issuer.signing()), issuer.verifying())).toBe(true);
  });

  it('signs with the key that was published one rotation before', async () => {
    await issuer.rotateTo('v1');
    const [, next] = kids(issuer.published());
    await issuer.rotateTo('v2');
    expect(decodeProtectedHeader(await sign(issuer.signing())).kid).toBe(next);
  });

  it.each(steps)('is the same rotation when %s is done again, at once or later', async (repeated) => {
    await issuer.rotateTo('v1', async (step) => {
      if (step === repeated) await rotateSigningKey(issuer.rotation, step, 'v1');
    });
    const before = [issuer.current(), issuer.published()];
    await rotateSigningKey(issuer.rotation, repeated, 'v1');
    expect([issuer.current(), issuer.published()]).toEqual(before);
  });

  it('takes up a rotation that stopped after any step, without new keys', async () => {
    await issuer.rotateTo('v1');
    issuer.begin('v2');
    await rotateSigningKey(issuer.rotation, 'createSecret', 'v2');
    const made = issuer.value('v2');
    for (const step of ['createSecret', 'setSecret', 'createSecret', ...steps] as const) {
      await rotateSigningKey(issuer.rotation, step, 'v2');
    }
    expect(issuer.current()).toBe(made);
    expect(issuer.keysMade()).toBe(3);
  });

  it('refuses a version that is not being rotated to, and one it never heard of', async () => {
    await issuer.rotateTo('v1');
    await issuer.rotateTo('v2');
    await expect(rotateSigningKey(issuer.rotation, 'setSecret', 'v1')).rejects.toThrow(
      /not the one being rotated/,
    );
    await expect(rotateSigningKey(issuer.rotation, 'createSecret', 'v9')).rejects.toThrow(
      /not one of this secret/,
    );
  });

  it('does not let a key sign that is not published', async () => {
    issuer.begin('v1');
    await rotateSigningKey(issuer.rotation, 'createSecret', 'v1');
    await expect(rotateSigningKey(issuer.rotation, 'testSecret', 'v1')).rejects.toThrow(/not published/);
  });

  it('does not replace a key set it can’t read', async () => {
    const damaged = createSecretStandIn('{"keys":[{"state":"current"}]}');
    damaged.begin('v1');
    const rotation = { ...issuer.rotation, secret: damaged.secret };
    await expect(rotateSigningKey(rotation, 'createSecret', 'v1')).rejects.toThrow(/no valid key set/);
  });

  it('verifies every token through rotations, each step of them, by whoever remembers what', async () => {
    await issuer.rotateTo('v1');
    const signing = issuer.signing();
    const verifying = issuer.verifying();
    const tokens: string[] = [];
    const checkAll = async () => {
      tokens.push(await sign(signing), await sign(issuer.signing()));
      for (const token of tokens) {
        expect(await verifies(token, verifying)).toBe(true);
        expect(await verifies(token, issuer.verifying())).toBe(true);
      }
      issuer.pass(6_000);
    };
    for (const version of ['v2', 'v3', 'v4']) await issuer.rotateTo(version, checkAll);
    expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size).toBeGreaterThan(3);
  });

  it('keeps a retired key while its tokens live, and refuses it afterwards', async () => {
    await issuer.rotateTo('v1');
    const token = await sign(issuer.signing());
    const verifying = issuer.verifying();
    issuer.pass(30 * 24 * hourMs);
    await issuer.rotateTo('v2');
    await issuer.rotateTo('v3');
    issuer.pass(61_000);
    expect(await verifies(token, verifying)).toBe(true);
    issuer.pass(2 * hourMs);
    await issuer.rotateTo('v4');
    issuer.pass(61_000);
    expect(await verifies(token, verifying)).toBe(false);
    expect(await verifies(token, issuer.verifying())).toBe(false);
  });

  it.each([
    [3_600_000, true],
    [3_600_001, false],
  ])('keeps a key that was retired %i ms before the next rotation: %s', async (ms, stays) => {
    await issuer.rotateTo('v1');
    const [signed = ''] = kids(issuer.published());
    await issuer.rotateTo('v2');
    issuer.pass(ms);
    await issuer.rotateTo('v3');
    expect(kids(issuer.published()).includes(signed)).toBe(stays);
  });

  it('keeps a key that signed until a slow rotation finished', async () => {
    await issuer.rotateTo('v1');
    issuer.begin('v2');
    await rotateSigningKey(issuer.rotation, 'createSecret', 'v2');
    issuer.pass(3 * 24 * hourMs);
    const token = await sign(issuer.signing());
    await issuer.rotateTo('v2');
    await issuer.rotateTo('v3');
    expect(await verifies(token, issuer.verifying())).toBe(true);
  });
});
