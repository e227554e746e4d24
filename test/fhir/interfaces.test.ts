import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  readDavinciConfiguration,
  readPayerIndex,
} from '../../lambdas/payer-exchange/discovery/well-known.ts';
import { functionEnvironment, gatewayEvent } from './gateway-event.ts';

const environment = functionEnvironment('http://127.0.0.1:9', 'unused');
for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
const payer = (await import('../../lambdas/payer-access/payer-access.handler.ts')).handler;
const directory = (await import('../../lambdas/provider-directory/provider-directory.handler.ts')).handler;
afterAll(() => vi.unstubAllEnvs());

describe('the Payer Access and Provider Directory functions', () => {
  it('describe themselves at the description’s path and at FHIR’s', async () => {
    for (const [handler, base] of [
      [payer, '/extfhirpayeraccess/v1'],
      [directory, '/extfhirproviderdir/v1'],
    ] as const) {
      for (const suffix of ['/fhir/metadata', '/metadata', '']) {
        const answer = await handler(gatewayEvent({ resource: `${base}${suffix}` }));
        expect(answer.statusCode).toBe(200);
        expect(JSON.parse(answer.body).implementation.url).toBe(
          `https://dsnp.api.sandbox.example.org${base}`,
        );
      }
    }
  });

  it('tell a payer’s client the grant that works there, and have nothing of the kind for the directory', async () => {
    const at = (base: string) => gatewayEvent({ resource: `${base}/.well-known/smart-configuration` });
    const answer = JSON.parse((await payer(at('/extfhirpayeraccess/v1'))).body);
    expect(answer).toMatchObject({
      token_endpoint: 'https://token.sandbox.example.org/token/v2',
      grant_types_supported: ['client_credentials'],
      scopes_supported: expect.arrayContaining([
        'sandbox-resource/.default',
        'system/*.rs',
        'system/Patient.rs',
      ]),
      capabilities: ['client-confidential-symmetric', 'client-confidential-asymmetric', 'permission-v2'],
      code_challenge_methods_supported: ['S256'],
    });
    expect(JSON.stringify(answer)).not.toMatch(/launch|patient\/|authoriz/);
    expect((await directory(at('/extfhirproviderdir/v1'))).statusCode).toBe(404);
  });

  it('let caches keep what they say, by what the gateway makes of it: two media types, and gzip', async () => {
    for (const suffix of ['/metadata', '/.well-known/smart-configuration']) {
      const { headers } = await payer(gatewayEvent({ resource: `/extfhirpayeraccess/v1${suffix}` }));
      expect(headers).toMatchObject({
        'Cache-Control': 'public, max-age=300',
        Vary: expect.stringMatching(/\bAccept-Encoding\b/),
      });
    }
    const metadata = await payer(gatewayEvent({ resource: '/extfhirpayeraccess/v1/metadata' }));
    expect(String(metadata.headers?.Vary).split(', ')).toContain('Accept');
  });

  it('publish the plan’s endpoints to other payers, as our own discovery reads them', async () => {
    const payerBase = 'https://dsnp.api.sandbox.example.org/extfhirpayeraccess/v1';
    const documents = [
      ['/extfhirpayeraccess/v1/.well-known/davinci-configuration', readDavinciConfiguration],
      ['/extfhirpayeraccess/v1/.well-known/payer-index', readPayerIndex],
    ] as const;
    for (const [resource, read] of documents) {
      const { statusCode, headers, body } = await payer(gatewayEvent({ resource }));
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        'Access-Control-Allow-Origin': '*',
        'Content-Type': 'application/json',
      });
      expect(read(JSON.parse(body))).toMatchObject({
        kind: 'payers',
        payers: [
          {
            fhirBase: payerBase,
            version: '2.2',
            identifiers: [{ system: 'urn:oid:2.16.840.1.113883.6.300', value: '99903' }],
          },
        ],
      });
    }
    const index = JSON.parse(
      (await payer(gatewayEvent({ resource: '/extfhirpayeraccess/v1/.well-known/payer-index' }))).body,
    );
    // The UUID of 99903 in the namespace NAIC_ID.fhir, by Python's uuid.uuid5.
    expect(index.identifier[0]).toMatchObject({
      is_fpi: true,
      value: '2d234aa3-fa9d-53b7-8d95-cd6fbc679056',
    });
  });

  it('have nothing at another interface’s path', async () => {
    expect((await payer(gatewayEvent({ resource: '/extfhirproviderdir/v1' }))).statusCode).toBe(404);
    const posted = await directory(gatewayEvent({ resource: '/extfhirproviderdir/v1', method: 'DELETE' }));
    expect(posted.statusCode).toBe(405);
    expect(JSON.parse(posted.body).resourceType).toBe('OperationOutcome');
  });
});
