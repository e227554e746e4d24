/** Lists and removes signing keys at an operator's request. */

import type { KeyOperationAnswer, ListedKey } from './key-operations-contract.ts';
import type { KeyRotation } from './key-rotation.ts';
import { keySetWithout, parseSigningKeySet, publicJwkSet, type SigningKeySet } from './signing-key-set.ts';

/** Number of attempts to remove a key: a rotation that finishes meanwhile can bring it back. */
const mostRounds = 5;

interface KeyOperations extends KeyRotation {
  readonly secretId: string;
  /** Makes the ID of a new version of the secret: a UUID. */
  readonly newVersion: () => string;
}

/** Lists the issuer's keys with their states, and whether they are published. */
export async function listKeys(operations: KeyOperations): Promise<KeyOperationAnswer> {
  const set = parseSigningKeySet(await operations.secret.read('AWSCURRENT'));
  if (set === undefined) return { kind: 'refusal', reason: 'no_keys' };
  const published = await publishedKids(operations);
  return { kind: 'keys', secretId: operations.secretId, keys: describeKeys(set, published) };
}

/**
 * Removes a stolen key from the signing secret and from publication, so that tokens signed with it no longer verify. If it stops half-way,
 * a repeat does the rest.
 */
export async function removeKey(operations: KeyOperations, kid: string): Promise<KeyOperationAnswer> {
  const [known, before] = await Promise.all([isInUse(operations, kid), listKeys(operations)]);
  if (before.kind === 'refusal') return before;
  if (!known) return { kind: 'refusal', reason: 'key_unknown' };
  for (let round = 0; round < mostRounds; round += 1) {
    await removeFromSet(operations, kid);
    if (!(await isInUse(operations, kid))) return await listKeys(operations);
  }
  throw new Error('the key comes back');
}

async function removeFromSet(operations: KeyOperations, kid: string): Promise<void> {
  const { secret, published, now } = operations;
  await cancelRotation(operations);
  const set = parseSigningKeySet(await secret.read('AWSCURRENT'));
  if (set === undefined) throw new Error('the secret has no key set');
  const [made] = await operations.makeKeys(1);
  if (made === undefined) throw new Error('no key was made');
  const without = keySetWithout(set, kid, made, now());
  const version = operations.newVersion();
  // The secret is changed first, so that only functions that have the key cached can still sign with it.
  if (without !== set) await secret.writeCurrent(version, JSON.stringify(without));
  await published.publish(publicJwkSet(without), new Date(now()).toISOString(), version);
}

/** Cancels a rotation in progress: its key set has the key too and would bring it back, and so would a repeat of its last step. */
async function cancelRotation({ secret }: KeyOperations): Promise<void> {
  const { versions } = await secret.describe();
  for (const [version, stages] of Object.entries(versions)) {
    if (stages.includes('AWSPENDING')) await secret.dropPending(version);
  }
}

async function isInUse(operations: KeyOperations, kid: string): Promise<boolean> {
  const set = parseSigningKeySet(await operations.secret.read('AWSCURRENT'));
  const signs = set?.keys.some((key) => key.jwk.kid === kid) === true;
  return signs || (await publishedKids(operations)).has(kid);
}

async function publishedKids({ published }: KeyOperations): Promise<ReadonlySet<string>> {
  const jwks = await published.read();
  const { keys } = JSON.parse(jwks ?? '{"keys":[]}') as {
    readonly keys: readonly { readonly kid: string }[];
  };
  return new Set(keys.map(({ kid }) => kid));
}

function describeKeys(set: SigningKeySet, published: ReadonlySet<string>): ListedKey[] {
  return set.keys.map(({ jwk: { kid }, state, since }) => ({
    kid,
    state,
    since,
    published: published.has(kid),
  }));
}
