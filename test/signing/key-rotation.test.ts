import { decodeProtectedHeader } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { createVerificationKeys } from '../../lambdas/authorizer/verification-keys.ts';
import { makeSigningKeys } from '../../lambdas/signing/key-pair.ts';
import { type KeyRotation, type RotationStep, rotateSigningKey } from '../../lambdas/signing/key-rotation.ts';
import { createSecretSigningKeys } from '../../lambdas/signing/secret-signing-keys.ts';
import { createSecretStandIn } from './secret-stand-in.ts';
import { verifies } from './verifies.ts';

const steps: readonly RotationStep[] = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];
const hourMs = 3_600_000;

function createAuthority() {
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
  let authority: ReturnType<typeof createAuthority>;
  beforeEach(() => {
    authority = createAuthority();
  });

  it('makes a current and a next key at first, and publishes no private member', async () => {
    await authority.rotateTo('v1');
    const keys = JSON.parse(authority.published() ?? '').keys;
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(await verifies(await sign(authority.signing()), authority.verifying())).toBe(true);
  });

  it('signs with the key that was published one rotation before', async () => {
    await authority.rotateTo('v1');
    const [, next] = kids(authority.published());
    await authority.rotateTo('v2');
    expect(decodeProtectedHeader(await sign(authority.signing())).kid).toBe(next);
  });

  it.each(steps)('is the same rotation when %s is done again, at once or later', async (repeated) => {
    await authority.rotateTo('v1', async (step) => {
      if (step === repeated) await rotateSigningKey(authority.rotation, step, 'v1');
    });
    const before = [authority.current(), authority.published()];
    await rotateSigningKey(authority.rotation, repeated, 'v1');
    expect([authority.current(), authority.published()]).toEqual(before);
  });

  it('takes up a rotation that stopped after any step, without new keys', async () => {
    await authority.rotateTo('v1');
    authority.begin('v2');
    await rotateSigningKey(authority.rotation, 'createSecret', 'v2');
    const made = authority.value('v2');
    for (const step of ['createSecret', 'setSecret', 'createSecret', ...steps] as const) {
      await rotateSigningKey(authority.rotation, step, 'v2');
    }
    expect(authority.current()).toBe(made);
    expect(authority.keysMade()).toBe(3);
  });

  it('refuses a version that is not being rotated to, and one it never heard of', async () => {
    await authority.rotateTo('v1');
    await authority.rotateTo('v2');
    await expect(rotateSigningKey(authority.rotation, 'setSecret', 'v1')).rejects.toThrow(
      /not the one being rotated/,
    );
    await expect(rotateSigningKey(authority.rotation, 'createSecret', 'v9')).rejects.toThrow(
      /not one of this secret/,
    );
  });

  it('does not let a key sign that is not published', async () => {
    authority.begin('v1');
    await rotateSigningKey(authority.rotation, 'createSecret', 'v1');
    await expect(rotateSigningKey(authority.rotation, 'testSecret', 'v1')).rejects.toThrow(/not published/);
  });

  it('does not replace a key set it can’t read', async () => {
    const damaged = createSecretStandIn('{"keys":[{"state":"current"}]}');
    damaged.begin('v1');
    const rotation = { ...authority.rotation, secret: damaged.secret };
    await expect(rotateSigningKey(rotation, 'createSecret', 'v1')).rejects.toThrow(/no valid key set/);
  });

  it('verifies every token through rotations, each step of them, by whoever remembers what', async () => {
    await authority.rotateTo('v1');
    const signing = authority.signing();
    const verifying = authority.verifying();
    const tokens: string[] = [];
    const checkAll = async () => {
      tokens.push(await sign(signing), await sign(authority.signing()));
      for (const token of tokens) {
        expect(await verifies(token, verifying)).toBe(true);
        expect(await verifies(token, authority.verifying())).toBe(true);
      }
      authority.pass(6_000);
    };
    for (const version of ['v2', 'v3', 'v4']) await authority.rotateTo(version, checkAll);
    expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size).toBeGreaterThan(3);
  });

  it('keeps a retired key while its tokens live, and refuses it afterwards', async () => {
    await authority.rotateTo('v1');
    const token = await sign(authority.signing());
    const verifying = authority.verifying();
    authority.pass(30 * 24 * hourMs);
    await authority.rotateTo('v2');
    await authority.rotateTo('v3');
    authority.pass(61_000);
    expect(await verifies(token, verifying)).toBe(true);
    authority.pass(2 * hourMs);
    await authority.rotateTo('v4');
    authority.pass(61_000);
    expect(await verifies(token, verifying)).toBe(false);
    expect(await verifies(token, authority.verifying())).toBe(false);
  });

  it.each([
    [3_600_000, true],
    [3_600_001, false],
  ])('keeps a key that was retired %i ms before the next rotation: %s', async (ms, stays) => {
    await authority.rotateTo('v1');
    const [signed = ''] = kids(authority.published());
    await authority.rotateTo('v2');
    authority.pass(ms);
    await authority.rotateTo('v3');
    expect(kids(authority.published()).includes(signed)).toBe(stays);
  });

  it('keeps a key that signed until a slow rotation finished', async () => {
    await authority.rotateTo('v1');
    authority.begin('v2');
    await rotateSigningKey(authority.rotation, 'createSecret', 'v2');
    authority.pass(3 * 24 * hourMs);
    const token = await sign(authority.signing());
    await authority.rotateTo('v2');
    await authority.rotateTo('v3');
    expect(await verifies(token, authority.verifying())).toBe(true);
  });
});
