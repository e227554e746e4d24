import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { sdkRetries } from '../runtime/sdk-retries.ts';

/**
 * Keyed digests of verification codes, by an HMAC key that KMS never gives out: six digits under a plain digest would be
 * found in a million tries by whoever reads the table.
 *
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateMac.html
 */
export function createCodeDigest(
  keyId: string,
  client: KMSClient = new KMSClient({ retryStrategy: sdkRetries }),
): (text: string) => Promise<string> {
  return async (text) => {
    const { Mac } = await client.send(
      new GenerateMacCommand({
        KeyId: keyId,
        MacAlgorithm: 'HMAC_SHA_256',
        Message: new TextEncoder().encode(text),
      }),
    );
    if (Mac === undefined) throw new Error('KMS returned no MAC');
    return Buffer.from(Mac).toString('base64url');
  };
}
