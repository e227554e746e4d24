import { createPublicKey } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSealKeys, createSealSigner } from '../../../lambdas/audit/aws/seal-signatures.ts';
import { account, assembly, region, resource } from '../../local/aws/declarations.ts';
import { type Started, started } from '../../local/aws/started.ts';

const idOf = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
const arnOf = (digit: string) => `arn:aws:kms:${region}:${account}:key/${idOf(digit)}`;
const root = { AWS: `arn:aws:iam::${account}:root` };
const signingKey = (digit: string) =>
  resource(
    'AWS::KMS::Key',
    `Key${digit}`,
    {
      KeyPolicy: { Statement: [{ Effect: 'Allow', Principal: root, Action: 'kms:*', Resource: '*' }] },
      KeySpec: 'ECC_NIST_P256',
      KeyUsage: 'SIGN_VERIFY',
    },
    { physicalId: idOf(digit), arn: arnOf(digit) },
  );

describe('the signature of a seal', () => {
  let endpoint: Started;
  let client: KMSClient;
  beforeAll(async () => {
    endpoint = await started({ assembly: assembly(signingKey('1'), signingKey('2'), signingKey('3')) });
    client = new KMSClient(endpoint.asOperator);
  });
  afterAll(() => endpoint.stopAndForget());

  const signedBy = async (digit: string, text: string) => {
    const { keyId, sign } = createSealSigner(client, arnOf(digit));
    return { keyId, signature: await sign(text) };
  };

  it('is by the key it names, over this text', async () => {
    const { isSigned } = createSealKeys(client, [arnOf('1')]);
    const seal = await signedBy('1', 'seal 1');
    expect(seal.keyId).toBe(idOf('1'));
    expect(await isSigned('seal 1', seal)).toBe(true);
    expect(await isSigned('seal 2', seal)).toBe(false);
    expect(await isSigned('seal 1', { ...seal, signature: '' })).toBe(false);
  });

  it('stays valid after another key was added, and is not valid by a key of somebody else', async () => {
    const { isSigned } = createSealKeys(client, [arnOf('1'), arnOf('2')]);
    expect(await isSigned('seal', await signedBy('1', 'seal'))).toBe(true);
    expect(await isSigned('seal', await signedBy('2', 'seal'))).toBe(true);
    expect(await isSigned('seal', await signedBy('3', 'seal'))).toBe(false);
    const { signature } = await signedBy('3', 'seal');
    expect(await isSigned('seal', { keyId: idOf('1'), signature })).toBe(false);
  });

  it('is verified with public keys that are shown as PEM, oldest first', async () => {
    const keys = await createSealKeys(client, [arnOf('1'), arnOf('2')]).list();
    expect(keys.map(({ keyId }) => keyId)).toEqual([idOf('1'), idOf('2')]);
    for (const { publicKey, fingerprint } of keys) {
      expect(createPublicKey(publicKey).asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
      expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('is verified again after the keys could not be read', async () => {
    const seal = await signedBy('1', 'seal');
    let fails = true;
    const flaky = Object.create(client) as KMSClient;
    flaky.send = (async (command: never) => {
      if (fails) throw new Error('no connection');
      return await client.send(command);
    }) as typeof client.send;
    const { isSigned } = createSealKeys(flaky, [arnOf('1')]);
    await expect(isSigned('seal', seal)).rejects.toThrow('no connection');
    fails = false;
    expect(await isSigned('seal', seal)).toBe(true);
  });
});
