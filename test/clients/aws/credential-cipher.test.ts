import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { expect, it } from 'vitest';
import { createCredentialCipher } from '../../../lambdas/clients/aws/credential-cipher.ts';
import { mockClient } from '../../support/client-doubles.ts';

it('binds an encrypted copy to its client by the encryption context', async () => {
  const kms = mockClient(KMSClient);
  const cipher = createCredentialCipher(new KMSClient({ region: 'us-east-1' }), 'key-1');
  kms.on(EncryptCommand).resolves({ CiphertextBlob: new Uint8Array([1, 2, 255]) });
  kms.on(DecryptCommand).resolves({ Plaintext: Buffer.from('sécret') });
  const encrypted = await cipher.encrypt('sécret', 'client-1');
  expect(encrypted).toBe('AQL/');
  expect(await cipher.decrypt(encrypted, 'client-1')).toBe('sécret');
  expect(kms.commandCalls(EncryptCommand)[0]?.args[0].input).toEqual({
    KeyId: 'key-1',
    Plaintext: Buffer.from('sécret'),
    EncryptionContext: { clientId: 'client-1' },
  });
  expect(kms.commandCalls(DecryptCommand)[0]?.args[0].input).toEqual({
    KeyId: 'key-1',
    CiphertextBlob: Buffer.from([1, 2, 255]),
    EncryptionContext: { clientId: 'client-1' },
  });
});
