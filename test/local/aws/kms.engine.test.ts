import { createPublicKey, verify } from 'node:crypto';
import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateMacCommand,
  GetPublicKeyCommand,
  KMSClient,
  ListKeysCommand,
  SignCommand,
  VerifyMacCommand,
} from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, allow, assembly, region, resource, role } from './declarations.ts';
import { type Started, started } from './started.ts';

const idOf = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
const arnOf = (digit: string) => `arn:aws:kms:${region}:${account}:key/${idOf(digit)}`;
const root = { AWS: `arn:aws:iam::${account}:root` };
const rootPolicy = { Statement: [{ Effect: 'Allow', Principal: root, Action: 'kms:*', Resource: '*' }] };
const key = (digit: string, properties: object = {}) =>
  resource(
    'AWS::KMS::Key',
    `Key${digit}`,
    { KeyPolicy: rootPolicy, ...properties },
    { physicalId: idOf(digit), arn: arnOf(digit) },
  );

const [main, other, mac, disabled, closed, signing] = ['1', '2', '3', '4', '5', '6'] as const;
const bytes = (text: string) => Buffer.from(text);
const EncryptionContext = { clientId: 'one', environment: 'sandbox' };

describe('KMS', () => {
  let endpoint: Started;
  let kms: KMSClient;
  beforeAll(async () => {
    const onlyOwn = { StringEquals: { 'kms:EncryptionContext:clientId': 'one' } };
    endpoint = await started({
      assembly: assembly(
        role(allow(['kms:Encrypt', 'kms:Decrypt'], arnOf(main), onlyOwn), allow('kms:*', arnOf(closed))),
        key(main),
        key(other),
        key(mac, { KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' }),
        key(signing, { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' }),
        key(disabled, { Enabled: false }),
        key(closed, { KeyPolicy: { Statement: [] } }),
      ),
    });
    kms = new KMSClient(endpoint.asOperator);
  });
  afterAll(() => endpoint.stopAndForget());

  const encrypt = async (KeyId = idOf(main), client = kms) =>
    (await client.send(new EncryptCommand({ KeyId, Plaintext: bytes('secret'), EncryptionContext })))
      .CiphertextBlob ?? bytes('');
  const decrypt = async (CiphertextBlob: Uint8Array, overrides: object = {}, client = kms) => {
    const { Plaintext } = await client.send(
      new DecryptCommand({ CiphertextBlob, EncryptionContext, ...overrides }),
    );
    return Buffer.from(Plaintext ?? []).toString();
  };

  it('opens what it closed, by ID and ARN, whatever the order of the context', async () => {
    for (const name of [idOf(main), arnOf(main)]) {
      const blob = await encrypt(name);
      expect(Buffer.from(blob).includes('secret')).toBe(false);
      expect(await decrypt(blob, { EncryptionContext: { environment: 'sandbox', clientId: 'one' } })).toBe(
        'secret',
      );
    }
  });

  it('does not open under another context, with another key, or changed', async () => {
    const blob = await encrypt();
    const invalid = { name: 'InvalidCiphertextException' };
    await expect(
      decrypt(blob, { EncryptionContext: { ...EncryptionContext, clientId: 'two' } }),
    ).rejects.toMatchObject(invalid);
    await expect(decrypt(blob, { EncryptionContext: undefined })).rejects.toMatchObject(invalid);
    await expect(decrypt(blob, { KeyId: idOf(other) })).rejects.toMatchObject({
      name: 'IncorrectKeyException',
    });
    const changed = Buffer.from(blob);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    await expect(decrypt(changed)).rejects.toMatchObject(invalid);
    await expect(decrypt(bytes('nothing'))).rejects.toMatchObject(invalid);
  });

  it('opens after a restart', async () => {
    const first = await started({ assembly: assembly(key(main)) });
    const blob = await encrypt(idOf(main), new KMSClient(first.asOperator));
    await first.stop();
    const second = await started({ assembly: assembly(key(main)), stateDirectory: first.stateDirectory });
    expect(await decrypt(blob, {}, new KMSClient(second.asOperator))).toBe('secret');
    await second.stopAndForget();
  });

  const encryption = (KeyId: string, clientId = 'one') =>
    new EncryptCommand({ KeyId, Plaintext: bytes('secret'), EncryptionContext: { clientId } });

  it('refuses a disabled, an unknown and a MAC key, and a text over 4 KB', async () => {
    await expect(kms.send(encryption(idOf(disabled)))).rejects.toMatchObject({ name: 'DisabledException' });
    await expect(kms.send(encryption(idOf('9')))).rejects.toMatchObject({ name: 'NotFoundException' });
    await expect(kms.send(encryption(idOf(mac)))).rejects.toMatchObject({ name: 'InvalidKeyUsageException' });
    const large = new EncryptCommand({ KeyId: idOf(main), Plaintext: Buffer.alloc(4_097) });
    await expect(kms.send(large)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it("asks the role's policies with the context, and the key's own", async () => {
    const reader = new KMSClient(endpoint.asFunction);
    await reader.send(encryption(idOf(main)));
    await expect(reader.send(encryption(idOf(main), 'two'))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    await expect(reader.send(encryption(idOf(closed)))).rejects.toThrow(
      'no resource-based policy allows the kms:Encrypt action',
    );
    await expect(reader.send(new ListKeysCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });

  it('makes data keys that it can open again', async () => {
    const made = await kms.send(new GenerateDataKeyCommand({ KeyId: idOf(main), KeySpec: 'AES_256' }));
    expect(made.Plaintext).toHaveLength(32);
    const opened = await kms.send(new DecryptCommand({ CiphertextBlob: made.CiphertextBlob }));
    expect(opened.Plaintext).toEqual(made.Plaintext);
  });

  it('verifies its own MACs and no other', async () => {
    const request = { KeyId: idOf(mac), Message: bytes('123456'), MacAlgorithm: 'HMAC_SHA_256' as const };
    const { Mac } = await kms.send(new GenerateMacCommand(request));
    expect(Mac).toHaveLength(32);
    expect((await kms.send(new VerifyMacCommand({ ...request, Mac }))).MacValid).toBe(true);
    await expect(
      kms.send(new VerifyMacCommand({ ...request, Message: bytes('654321'), Mac })),
    ).rejects.toMatchObject({ name: 'KMSInvalidMacException' });
    await expect(
      kms.send(new GenerateMacCommand({ ...request, MacAlgorithm: 'HMAC_SHA_512' })),
    ).rejects.toMatchObject({ name: 'InvalidKeyUsageException' });
  });

  it('signs what anyone can verify with the public key, which stays the same', async () => {
    const publicKey = async () =>
      (await kms.send(new GetPublicKeyCommand({ KeyId: arnOf(signing) }))).PublicKey;
    const der = Buffer.from((await publicKey()) ?? []);
    const { Signature = bytes(''), KeyId } = await kms.send(
      new SignCommand({ KeyId: idOf(signing), Message: bytes('a seal'), SigningAlgorithm: 'ECDSA_SHA_256' }),
    );
    const isSigned = (text: string) =>
      verify('sha256', bytes(text), createPublicKey({ key: der, format: 'der', type: 'spki' }), Signature);
    expect([KeyId, isSigned('a seal'), isSigned('another')]).toEqual([arnOf(signing), true, false]);
    expect(Buffer.from((await publicKey()) ?? [])).toEqual(der);
    await expect(
      kms.send(
        new SignCommand({ KeyId: idOf(mac), Message: bytes('a seal'), SigningAlgorithm: 'ECDSA_SHA_256' }),
      ),
    ).rejects.toMatchObject({ name: 'InvalidKeyUsageException' });
  });
});
