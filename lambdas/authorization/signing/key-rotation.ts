/**
 * Rotation of an issuer's signing key in Secrets Manager's four steps: create, set, test, finish. The handler is
 * `authorization/key-rotation.handler.ts`.
 */

import { CompactSign, compactVerify, createLocalJWKSet, importJWK } from 'jose';
import * as z from 'zod/mini';
import {
  currentKey,
  newKeysNeeded,
  type PrivateJwk,
  parseSigningKeySet,
  publicJwkSet,
  rotatedKeySet,
  type SigningKeySet,
} from './signing-key-set.ts';
import type { SigningSecret } from './signing-secret.ts';

/**
 * Event that Secrets Manager sends a rotation function, once for each step.
 * Source: AWS Secrets Manager User Guide, "Rotation function overview".
 */
export const rotationEvent = z.object({
  SecretId: z.string(),
  /** ID of the new version of the secret: the same in all steps of a rotation and in their repeats. */
  ClientRequestToken: z.string(),
  Step: z.enum(['createSecret', 'setSecret', 'testSecret', 'finishSecret']),
});
export type RotationStep = z.infer<typeof rotationEvent>['Step'];

export interface KeyRotation {
  readonly secret: SigningSecret;
  readonly published: {
    read(): Promise<string | undefined>;
    /** Writes the key set with its audit event. Idempotent per version. */
    publish(jwks: string, updatedAt: string, version: string): Promise<void>;
  };
  /** Seconds that a retired key stays published after its last signature: longer than any token is valid. */
  readonly retiredSeconds: number;
  readonly makeKeys: (count: number) => Promise<readonly PrivateJwk[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Carries out one step of a rotation. Every step may be interrupted and repeated. A key is always published before it signs.
 *
 * @throws Error if the step can't be done. Secrets Manager then repeats it later, and the AWSCURRENT version keeps signing.
 */
export async function rotateSigningKey(
  rotation: KeyRotation,
  step: RotationStep,
  version: string,
): Promise<void> {
  const { versions } = await rotation.secret.describe();
  const stages = versions[version];
  if (stages === undefined) throw new Error('the version is not one of this secret');
  if (stages.includes('AWSCURRENT')) return;
  if (!stages.includes('AWSPENDING')) throw new Error('the version is not the one being rotated to');
  await steps[step](rotation, version);
}

const steps: Readonly<Record<RotationStep, (rotation: KeyRotation, version: string) => Promise<void>>> = {
  createSecret,
  setSecret,
  testSecret,
  finishSecret,
};

/** Makes the next key set. A repeat finds the set and makes no other. */
async function createSecret(rotation: KeyRotation, version: string): Promise<void> {
  const { secret, now } = rotation;
  if ((await secret.read({ versionId: version })) !== undefined) return;
  const previous = parseSigningKeySet(await secret.read('AWSCURRENT'));
  const made = await rotation.makeKeys(newKeysNeeded(previous));
  const { lastRotatedAt } = await secret.describe();
  // A key that a rotation retires keeps signing until that rotation has finished, which may be long after. So retired keys are removed only
  // if the last rotation finished long enough ago.
  const oldEnough = now() - rotation.retiredSeconds * 1000;
  const retiredBefore = lastRotatedAt !== undefined && lastRotatedAt < oldEnough ? oldEnough : undefined;
  await secret.writePending(version, JSON.stringify(rotatedKeySet(previous, made, now(), retiredBefore)));
}

/** Publishes the next key set. It includes the current keys, so that signatures of both verify during the rotation. */
async function setSecret({ secret, published, now }: KeyRotation, version: string): Promise<void> {
  const set = await pendingSet(secret, version);
  await published.publish(publicJwkSet(set), new Date(now()).toISOString(), version);
}

/** Signs with the new current key and verifies the signature with the published keys, as an API will. */
async function testSecret({ secret, published }: KeyRotation, version: string): Promise<void> {
  const { jwk } = currentKey(await pendingSet(secret, version));
  const jws = await new CompactSign(new TextEncoder().encode(version))
    .setProtectedHeader({ alg: jwk.alg, kid: jwk.kid })
    .sign(await importJWK(jwk, jwk.alg));
  const jwks = await published.read();
  if (jwks === undefined) throw new Error('the key set is not published');
  await compactVerify(jws, createLocalJWKSet(JSON.parse(jwks)), { algorithms: [jwk.alg] });
}

async function finishSecret({ secret }: KeyRotation, version: string): Promise<void> {
  const { versions } = await secret.describe();
  const current = Object.keys(versions).find((id) => versions[id]?.includes('AWSCURRENT'));
  await secret.makeCurrent(version, current);
}

async function pendingSet(secret: SigningSecret, version: string): Promise<SigningKeySet> {
  const set = parseSigningKeySet(await secret.read({ versionId: version }));
  if (set === undefined) throw new Error('the version being rotated to has no key set');
  return set;
}
