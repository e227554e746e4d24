import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { sdkRetries } from '../runtime/sdk-retries.ts';

/**
 * Makes keyed digests of verification codes with an HMAC key that never leaves KMS. With a plain digest, anybody who can read the table
 * would find a six-digit code in a million tries.
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
