/** Data keys that KMS generates and wraps. */

import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { sdkRetries } from '../runtime/sdk-retries.ts';

/** Encryption context of a data key: KMS unwraps the key only in the same context, and CloudTrail shows it. */
type KeyContext = Readonly<Record<string, string>>;

/** Generates and unwraps data keys of 256 bits. The key that wraps them never leaves KMS. */
export interface DataKeys {
  generate(context: KeyContext): Promise<{ readonly key: Uint8Array; readonly wrapped: Uint8Array }>;
  unwrap(wrapped: Uint8Array, context: KeyContext): Promise<Uint8Array>;
}

/**
 * Creates the adapter for KMS.
 *
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateDataKey.html
 */
export function createDataKeys(
  keyId: string,
  client: KMSClient = new KMSClient({ retryStrategy: sdkRetries }),
): DataKeys {
  return {
    async generate(context) {
      const command = new GenerateDataKeyCommand({
        KeyId: keyId,
        KeySpec: 'AES_256',
        EncryptionContext: { ...context },
      });
      const { Plaintext, CiphertextBlob } = await client.send(command);
      if (Plaintext === undefined || CiphertextBlob === undefined) throw new Error('KMS made no data key');
      return { key: Plaintext, wrapped: CiphertextBlob };
    },
    async unwrap(wrapped, context) {
      const command = new DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: wrapped,
        EncryptionContext: { ...context },
      });
      const { Plaintext } = await client.send(command);
      if (Plaintext === undefined) throw new Error('KMS returned no data key');
      return Plaintext;
    },
  };
}
