import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { CredentialCipher } from '../provisioning/provisioning-ports.ts';

/**
 * Encrypts credentials with the environment's KMS key. The encryption context binds a ciphertext to its client: KMS refuses to decrypt it
 * for another client, and CloudTrail records whose it was.
 */
export function createCredentialCipher(client: KMSClient, keyId: string): CredentialCipher {
  return {
    async encrypt(plaintext, clientId) {
      const command = new EncryptCommand({
        KeyId: keyId,
        Plaintext: Buffer.from(plaintext, 'utf8'),
        EncryptionContext: { clientId },
      });
      const { CiphertextBlob } = await client.send(command);
      if (CiphertextBlob === undefined) throw new Error('KMS returned no ciphertext');
      return Buffer.from(CiphertextBlob).toString('base64');
    },
    async decrypt(encrypted, clientId) {
      const command = new DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: Buffer.from(encrypted, 'base64'),
        EncryptionContext: { clientId },
      });
      const { Plaintext } = await client.send(command);
      if (Plaintext === undefined) throw new Error('KMS returned no plaintext');
      return Buffer.from(Plaintext).toString('utf8');
    },
  };
}
