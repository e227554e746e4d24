import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { CredentialCipher } from '../provisioning/provisioning-ports.ts';

/**
 * Encrypts with the environment's credential key. The encryption context binds a copy to its client: KMS refuses to
 * open it for another, and CloudTrail says whose was opened.
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
