/** Data keys wrapped by KMS. */

import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { sdkRetries } from '../runtime/sdk-retries.ts';

/** Context that a data key is bound to: KMS unwraps it for the same one only, and CloudTrail shows it. */
type KeyContext = Readonly<Record<string, string>>;

/** Data keys of 256 bits, wrapped by a key that never leaves its service. */
export interface DataKeys {
  generate(context: KeyContext): Promise<{ readonly key: Uint8Array; readonly wrapped: Uint8Array }>;
  unwrap(wrapped: Uint8Array, context: KeyContext): Promise<Uint8Array>;
}

/**
 * Data keys by KMS.
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
