/** Local KMS: keys of the templates. */

import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import { AwsError } from '../protocol/aws-error.ts';
import type { State } from '../protocol/state.ts';

export type EncryptionContext = Readonly<Record<string, string>>;

/** A key of the templates with its material, which leaves this file only as ciphertext. */
export interface KmsKey {
  readonly id: string;
  readonly arn: string;
  readonly spec: string;
  readonly usage: string;
  readonly policy: unknown;
  /** Secret bytes of a symmetric key; of an asymmetric one the private key, as PKCS #8 in DER. */
  readonly material: Buffer;
}

export type KeyUsage = 'ENCRYPT_DECRYPT' | 'GENERATE_VERIFY_MAC' | 'SIGN_VERIFY';

export interface KmsKeys {
  /**
   * Finds a key by ID or ARN.
   *
   * @throws AwsError `NotFoundException`, `DisabledException`, or `InvalidKeyUsageException` for another usage.
   */
  key(name: string, usage: KeyUsage): KmsKey;
  /** Id of the key a ciphertext was made with. @throws AwsError `InvalidCiphertextException`. */
  keyIdOf(ciphertext: Buffer): string;
}

/** The keys of the templates. Key material is made when it is first used, and kept. */
export function kmsKeys(assembly: Assembly, state: State): KmsKeys {
  state.define('CREATE TABLE IF NOT EXISTS kms_key (key_id TEXT PRIMARY KEY, material TEXT) STRICT;');
  const declared = assembly.ofType('AWS::KMS::Key');

  function materialOf(keyId: string, spec: string): Buffer {
    const fresh = materialFor(spec).toString('base64');
    state.write('INSERT OR IGNORE INTO kms_key (key_id, material) VALUES (?, ?)', keyId, fresh);
    const row = state.one<{ material: string }>('SELECT material FROM kms_key WHERE key_id = ?', keyId);
    return Buffer.from(row?.material ?? fresh, 'base64');
  }

  function find(name: string): Resource {
    const found = declared.find(({ physicalId, arn }) => physicalId === name || arn === name);
    if (found === undefined) throw new AwsError('NotFoundException', `Key '${name}' does not exist`);
    return found;
  }

  return {
    key(name, usage) {
      const { physicalId, arn, properties } = find(name);
      const own = String(properties.KeyUsage ?? 'ENCRYPT_DECRYPT');
      const spec = String(properties.KeySpec ?? 'SYMMETRIC_DEFAULT');
      if (String(properties.Enabled) === 'false')
        throw new AwsError('DisabledException', `${arn} is disabled.`);
      if (own !== usage || (usage === 'ENCRYPT_DECRYPT' && spec !== 'SYMMETRIC_DEFAULT')) {
        throw new AwsError('InvalidKeyUsageException', `${arn} key usage is ${own}, its spec ${spec}.`);
      }
      return {
        id: physicalId,
        arn,
        spec,
        usage: own,
        policy: properties.KeyPolicy,
        material: materialOf(physicalId, spec),
      };
    },
    keyIdOf: (ciphertext) => readBlob(ciphertext).keyId,
  };
}

function materialFor(spec: string): Buffer {
  if (spec !== 'ECC_NIST_P256') return randomBytes(32);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'der', type: 'pkcs8' });
}

/** Format of the ciphertexts of this stand-in: version, key id, nonce, tag, text. */
const version = 0x4c;
const idBytes = 36;
const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with the encryption context as additional data, as AWS KMS does with symmetric keys. */
export function encrypt({ id, material }: KmsKey, plaintext: Buffer, context: EncryptionContext): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', material, nonce).setAAD(additionalData(context));
  const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.from([version]), Buffer.from(id, 'latin1'), nonce, cipher.getAuthTag(), text]);
}

/**
 * Decrypts a ciphertext.
 *
 * @throws AwsError `InvalidCiphertextException` for another context or key, or a changed ciphertext.
 */
export function decrypt({ id, material }: KmsKey, ciphertext: Buffer, context: EncryptionContext): Buffer {
  const { keyId, nonce, tag, text } = readBlob(ciphertext);
  if (keyId !== id) {
    throw new AwsError(
      'IncorrectKeyException',
      'The key ID in the request does not identify a CMK that can perform this operation.',
    );
  }
  try {
    const decipher = createDecipheriv('aes-256-gcm', material, nonce)
      .setAAD(additionalData(context))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

function readBlob(blob: Buffer) {
  const head = 1 + idBytes + nonceBytes + tagBytes;
  if (blob.length < head || blob[0] !== version) throw invalidCiphertext();
  return {
    keyId: blob.subarray(1, 1 + idBytes).toString('latin1'),
    nonce: blob.subarray(1 + idBytes, 1 + idBytes + nonceBytes),
    tag: blob.subarray(head - tagBytes, head),
    text: blob.subarray(head),
  };
}

function additionalData(context: EncryptionContext): Buffer {
  return Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));
}

function invalidCiphertext(): AwsError {
  return new AwsError('InvalidCiphertextException', '');
}
