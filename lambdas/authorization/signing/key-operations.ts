/** Lists and removes signing keys at an operator's request. */

import type { KeyOperationAnswer, ListedKey } from './key-operations-contract.ts';
import type { KeyRotation } from './key-rotation.ts';
import { keySetWithout, parseSigningKeySet, publicJwkSet, type SigningKeySet } from './signing-key-set.ts';

/** Attempts: a rotation may finish while a key is removed, and bring it back; then it is removed again. */
const mostRounds = 5;

interface KeyOperations extends KeyRotation {
  readonly secretId: string;
  /** Id of a version to be made: a UUID. */
  readonly newVersion: () => string;
}

/** Lists the issuer's keys, as they sign and as they are published. */
export async function listKeys(operations: KeyOperations): Promise<KeyOperationAnswer> {
  const set = parseSigningKeySet(await operations.secret.read('AWSCURRENT'));
  if (set === undefined) return { kind: 'refusal', reason: 'no_keys' };
  const published = await publishedKids(operations);
  return { kind: 'keys', secretId: operations.secretId, keys: describeKeys(set, published) };
}

/**
 * Removes a key from signing and publication at once, so that its tokens no longer verify: for a key that was stolen. It may be
 * interrupted at any point; a repeat does the rest.
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
  // Changes the secret first: from then on only a function that has read it before can sign with the key.
  if (without !== set) await secret.writeCurrent(version, JSON.stringify(without));
  await published.publish(publicJwkSet(without), new Date(now()).toISOString(), version);
}

/**
 * A set being rotated to holds the key too, and its rotation would bring it back; so would a last step repeated, with the set
 * that is current now.
 */
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
