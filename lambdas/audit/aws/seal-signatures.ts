/** Signs seals by an asymmetric key in KMS, and verifies them by its public key. */

import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import type { SealSigner, SealVerifier } from '../trail/audit-ports.ts';
import type { SealPublicKey } from '../trail/verification-contract.ts';

/**
 * Creates the signer of a key.
 *
 * @param keyArn ARN of a KMS key with the spec `ECC_NIST_P256`.
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html
 */
export function createSealSigner(client: KMSClient, keyArn: string): SealSigner {
  return {
    keyId: keyIdOf(keyArn),
    async sign(text) {
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: keyArn,
          Message: Buffer.from(text, 'utf8'),
          MessageType: 'RAW',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
      );
      if (Signature === undefined) throw new Error('KMS returned no signature');
      return Buffer.from(Signature).toString('base64');
    },
  };
}

/** Public keys by which seals are verified, read from KMS once. */
export interface SealKeys {
  /** Lists the public keys, oldest first. */
  list(): Promise<readonly SealPublicKey[]>;
  readonly isSigned: SealVerifier;
}

/**
 * Creates the reader of public keys.
 *
 * @param keyArns ARNs of all keys that have signed seals, oldest first.
 */
export function createSealKeys(client: KMSClient, keyArns: readonly string[]): SealKeys {
  let known: Promise<ReadonlyMap<string, KeyObject>> | undefined;
  const keys = async () => {
    known ??= readKeys(client, keyArns);
    try {
      return await known;
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
  return {
    async list() {
      return [...(await keys())].map(([keyId, key]) => asSigningKey(keyId, key));
    },
    async isSigned(text, { keyId, signature }) {
      const key = (await keys()).get(keyId);
      return (
        key !== undefined &&
        verify('sha256', Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'))
      );
    },
  };
}

async function readKeys(
  client: KMSClient,
  keyArns: readonly string[],
): Promise<ReadonlyMap<string, KeyObject>> {
  const read = keyArns.map(async (keyArn) => {
    const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: keyArn }));
    if (PublicKey === undefined) throw new Error('KMS returned no public key');
    const key = createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
    return [keyIdOf(keyArn), key] as const;
  });
  return new Map(await Promise.all(read));
}

function asSigningKey(keyId: string, key: KeyObject): SealPublicKey {
  return {
    keyId,
    publicKey: key.export({ format: 'pem', type: 'spki' }).toString(),
    fingerprint: createHash('sha256')
      .update(key.export({ format: 'der', type: 'spki' }))
      .digest('hex'),
  };
}

/** ID of a key, without the account and Region of its ARN. */
function keyIdOf(keyArn: string): string {
  return keyArn.slice(keyArn.lastIndexOf('/') + 1);
}
