/** Local KMS: its operations. */

import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  timingSafeEqual,
} from 'node:crypto';
import * as z from 'zod/mini';
import { AwsError } from '../protocol/aws-error.ts';
import {
  type Caller,
  operation,
  type RequestContext,
  type Service,
  type ServiceOperation,
} from '../protocol/service.ts';
import { authorizeByKeyPolicy } from './key-policy.ts';
import {
  decrypt,
  type EncryptionContext,
  encrypt,
  type KeyUsage,
  type KmsKey,
  type KmsKeys,
} from './kms-keys.ts';

/** A binary value in base64. Limits: KMS API reference, Encrypt and Decrypt. */
const blob = (limit: number) =>
  z
    .pipe(
      z.base64(),
      z.transform((text) => Buffer.from(text, 'base64')),
    )
    .check(z.refine((bytes) => bytes.length > 0 && bytes.length <= limit));
const KeyId = z.string().check(z.minLength(1), z.maxLength(2048));
const encryptionContext = z.optional(z.record(z.string(), z.string()));
const EncryptionAlgorithm = z.optional(z.literal('SYMMETRIC_DEFAULT'));

const macAlgorithms: Readonly<Record<string, { readonly hash: string; readonly spec: string }>> = {
  HMAC_SHA_256: { hash: 'sha256', spec: 'HMAC_256' },
  HMAC_SHA_384: { hash: 'sha384', spec: 'HMAC_384' },
  HMAC_SHA_512: { hash: 'sha512', spec: 'HMAC_512' },
};

/** KMS with the templates' keys: symmetric encryption with an encryption context, data keys, HMACs, and signatures. */
export function kms(keys: KmsKeys): Service {
  return { operations: { ...encryption(keys), ...dataKeys(keys), ...macs(keys), ...signatures(keys) } };
}

interface KeyOperation<Input> {
  readonly usage: KeyUsage;
  readonly keyOf: (input: Input) => string;
  readonly context?: (input: Input) => EncryptionContext;
  readonly run: (key: KmsKey, input: Input) => unknown;
}

/** Makes an operation with a key. The role's policies and the key's own are checked before any other error is reported. */
function withKey<Shape extends Record<string, z.ZodMiniType>>(
  keys: KmsKeys,
  name: string,
  shape: Shape,
  parts: KeyOperation<z.output<z.ZodMiniObject<Shape>>>,
): Record<string, ServiceOperation> {
  type Input = z.output<z.ZodMiniObject<Shape>>;
  const action = `kms:${name}`;
  const contextOf = (input: Input): RequestContext => conditionKeys(parts.context?.(input) ?? {});
  const made = operation(z.strictObject(shape), {
    action,
    resource: (input: Input) => keys.key(parts.keyOf(input), parts.usage).arn,
    context: contextOf,
    run(input: Input, caller: Caller) {
      const key = keys.key(parts.keyOf(input), parts.usage);
      authorizeByKeyPolicy(key, caller, action, contextOf(input));
      return parts.run(key, input);
    },
  });
  return { [name]: made };
}

function conditionKeys(context: EncryptionContext): RequestContext {
  const entries = Object.entries(context).map(
    ([name, value]) => [`kms:encryptioncontext:${name.toLowerCase()}`, [value]] as const,
  );
  const names = Object.keys(context);
  return {
    ...Object.fromEntries(entries),
    ...(names.length === 0 ? {} : { 'kms:encryptioncontextkeys': names }),
  };
}

function encryption(keys: KmsKeys): Record<string, ServiceOperation> {
  const algorithm = 'SYMMETRIC_DEFAULT';
  return {
    ...withKey(
      keys,
      'Encrypt',
      { KeyId, Plaintext: blob(4_096), EncryptionContext: encryptionContext, EncryptionAlgorithm },
      {
        usage: 'ENCRYPT_DECRYPT',
        keyOf: (input) => input.KeyId,
        context: (input) => input.EncryptionContext ?? {},
        run: (key, input) => ({
          CiphertextBlob: encrypt(key, input.Plaintext, input.EncryptionContext ?? {}).toString('base64'),
          KeyId: key.arn,
          EncryptionAlgorithm: algorithm,
        }),
      },
    ),
    ...withKey(
      keys,
      'Decrypt',
      {
        KeyId: z.optional(KeyId),
        CiphertextBlob: blob(6_144),
        EncryptionContext: encryptionContext,
        EncryptionAlgorithm,
      },
      {
        usage: 'ENCRYPT_DECRYPT',
        keyOf: (input) => input.KeyId ?? keys.keyIdOf(input.CiphertextBlob),
        context: (input) => input.EncryptionContext ?? {},
        run: (key, input) => ({
          Plaintext: decrypt(key, input.CiphertextBlob, input.EncryptionContext ?? {}).toString('base64'),
          KeyId: key.arn,
          EncryptionAlgorithm: algorithm,
        }),
      },
    ),
  };
}

function dataKeys(keys: KmsKeys): Record<string, ServiceOperation> {
  const KeySpec = z.optional(z.enum(['AES_256', 'AES_128']));
  const NumberOfBytes = z.optional(z.int().check(z.minimum(1), z.maximum(1_024)));
  return {
    ...withKey(
      keys,
      'GenerateDataKey',
      { KeyId, KeySpec, NumberOfBytes, EncryptionContext: encryptionContext },
      {
        usage: 'ENCRYPT_DECRYPT',
        keyOf: (input) => input.KeyId,
        context: (input) => input.EncryptionContext ?? {},
        run(key, input) {
          if ((input.KeySpec === undefined) === (input.NumberOfBytes === undefined)) {
            throw new AwsError('ValidationException', 'Please specify either number of bytes or key spec.');
          }
          const dataKey = randomBytes(input.NumberOfBytes ?? (input.KeySpec === 'AES_128' ? 16 : 32));
          const wrapped = encrypt(key, dataKey, input.EncryptionContext ?? {});
          return {
            CiphertextBlob: wrapped.toString('base64'),
            Plaintext: dataKey.toString('base64'),
            KeyId: key.arn,
          };
        },
      },
    ),
  };
}

function macs(keys: KmsKeys): Record<string, ServiceOperation> {
  const shape = { KeyId, Message: blob(4_096), MacAlgorithm: z.string() };
  return {
    ...withKey(keys, 'GenerateMac', shape, {
      usage: 'GENERATE_VERIFY_MAC',
      keyOf: (input) => input.KeyId,
      run: (key, { Message, MacAlgorithm }) => ({
        Mac: mac(key, Message, MacAlgorithm).toString('base64'),
        MacAlgorithm,
        KeyId: key.arn,
      }),
    }),
    ...withKey(
      keys,
      'VerifyMac',
      { ...shape, Mac: blob(6_144) },
      {
        usage: 'GENERATE_VERIFY_MAC',
        keyOf: (input) => input.KeyId,
        run(key, { Message, MacAlgorithm, Mac }) {
          const expected = mac(key, Message, MacAlgorithm);
          if (expected.length === Mac.length && timingSafeEqual(expected, Mac)) {
            return { KeyId: key.arn, MacValid: true, MacAlgorithm };
          }
          throw new AwsError('KMSInvalidMacException', 'The MAC does not match the message.');
        },
      },
    ),
  };
}

const SigningAlgorithm = 'ECDSA_SHA_256';

/** Signatures by keys on P-256, the only asymmetric keys here. */
function signatures(keys: KmsKeys): Record<string, ServiceOperation> {
  return {
    ...withKey(
      keys,
      'Sign',
      {
        KeyId,
        Message: blob(4_096),
        MessageType: z._default(z.literal('RAW'), 'RAW'),
        SigningAlgorithm: z.literal(SigningAlgorithm),
      },
      {
        usage: 'SIGN_VERIFY',
        keyOf: (input) => input.KeyId,
        run: (key, { Message }) => ({
          KeyId: key.arn,
          Signature: sign('sha256', Message, privateKey(key)).toString('base64'),
          SigningAlgorithm,
        }),
      },
    ),
    ...withKey(
      keys,
      'GetPublicKey',
      { KeyId },
      {
        usage: 'SIGN_VERIFY',
        keyOf: (input) => input.KeyId,
        run: (key) => ({
          KeyId: key.arn,
          KeySpec: key.spec,
          KeyUsage: key.usage,
          PublicKey: createPublicKey(privateKey(key))
            .export({ format: 'der', type: 'spki' })
            .toString('base64'),
          SigningAlgorithms: [SigningAlgorithm],
        }),
      },
    ),
  };
}

function privateKey({ material }: KmsKey): KeyObject {
  return createPrivateKey({ key: material, format: 'der', type: 'pkcs8' });
}

function mac(key: KmsKey, message: Buffer, algorithm: string): Buffer {
  const known = macAlgorithms[algorithm];
  if (known?.spec !== key.spec) {
    throw new AwsError(
      'InvalidKeyUsageException',
      `Algorithm ${algorithm} is incompatible with key spec ${key.spec}.`,
    );
  }
  return createHmac(known.hash, key.material).update(message).digest();
}
