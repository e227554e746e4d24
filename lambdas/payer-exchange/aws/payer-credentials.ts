/** Encrypts and decrypts further credentials of other payers, such as subscription keys. */

import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';

/**
 * Creates the function that encrypts the value of a payer's header. The encryption context binds the ciphertext to the payer: KMS refuses to
 * decrypt it for another one.
 */
export function createHeaderSeal(client: KMSClient, keyId: string) {
  return async (payerId: string, value: string): Promise<Uint8Array> => {
    const { CiphertextBlob } = await client.send(
      new EncryptCommand({
        KeyId: keyId,
        Plaintext: Buffer.from(value, 'utf8'),
        EncryptionContext: { payerId },
      }),
    );
    if (CiphertextBlob === undefined) throw new Error('KMS returned no ciphertext');
    return CiphertextBlob;
  };
}

/** Creates the function that decrypts what `createHeaderSeal` encrypted for the same payer. */
export function createHeaderOpener(client: KMSClient, keyId: string) {
  return async (payerId: string, sealed: Uint8Array): Promise<string> => {
    const { Plaintext } = await client.send(
      new DecryptCommand({ KeyId: keyId, CiphertextBlob: sealed, EncryptionContext: { payerId } }),
    );
    if (Plaintext === undefined) throw new Error('KMS returned no plaintext');
    return Buffer.from(Plaintext).toString('utf8');
  };
}
