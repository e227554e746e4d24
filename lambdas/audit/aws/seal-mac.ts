import { GenerateMacCommand, type KMSClient, VerifyMacCommand } from '@aws-sdk/client-kms';

const MacAlgorithm = 'HMAC_SHA_256';

/** Makes and verifies MACs (base64) of texts with a key that never leaves KMS. Different roles may make and verify them. */
export function createSealMac(client: KMSClient, keyId: string) {
  return {
    async authenticate(text: string): Promise<string> {
      const { Mac } = await client.send(
        new GenerateMacCommand({ KeyId: keyId, Message: Buffer.from(text, 'utf8'), MacAlgorithm }),
      );
      if (Mac === undefined) throw new Error('KMS returned no MAC');
      return Buffer.from(Mac).toString('base64');
    },
    async authentic(text: string, mac: string): Promise<boolean> {
      const Mac = Buffer.from(mac, 'base64');
      if (Mac.length === 0) return false;
      try {
        const { MacValid } = await client.send(
          new VerifyMacCommand({ KeyId: keyId, Message: Buffer.from(text, 'utf8'), Mac, MacAlgorithm }),
        );
        return MacValid === true;
      } catch (error) {
        if (error instanceof Error && error.name === 'KMSInvalidMacException') return false;
        throw error;
      }
    },
  };
}
