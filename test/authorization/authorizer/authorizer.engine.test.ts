import { createHash } from 'node:crypto';
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createJwksStore } from '../../../lambdas/authorization/store/jwks-store.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { subscriptionKeyKey } from '../../../lambdas/platform/table/table-keys.ts';
import { functionEnvironment } from '../../fhir/gateway-event.ts';
import {
  createIssuer,
  issue,
  machineClaims,
  memberClaims,
  nowSeconds,
} from '../../platform/http/issued-tokens.ts';
import { startTestEngine } from '../../support/engine.ts';

const dsnp = createIssuer('dsnp-1');
const mapd = createIssuer('mapd-1');
const machine = createIssuer('m2m-1');
const key = 'a-subscription-key-of-forty-characters-x';
const sha256 = createHash('sha256').update(key).digest('hex');
const item = { clientId: 'client-1', products: ['patient-access'], apiKeyId: 'k1', state: 'active' };

const engine = await startTestEngine();
const table = createSignedTable(engine);
for (const [name, value] of Object.entries(functionEnvironment(engine.endpoint, engine.tableName))) {
  vi.stubEnv(name, value);
}
vi.spyOn(console, 'log').mockImplementation(() => {});
vi.spyOn(Date, 'now').mockReturnValue(nowSeconds * 1000);
const jwks = createJwksStore(table);
await jwks.publish('DSNP', JSON.stringify({ keys: [dsnp.jwk] }), '2026-11-20T10:00:00.000Z');
await jwks.publish('MAPD', JSON.stringify({ keys: [mapd.jwk] }), '2026-11-20T10:00:00.000Z');
await jwks.publish('M2M', JSON.stringify({ keys: [machine.jwk] }), '2026-11-20T10:00:00.000Z');
await table.put({ ...subscriptionKeyKey('DSNP', sha256), ...item });
const { handler } = await import('../../../lambdas/authorization/authorizer.handler.ts');
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await engine.stop();
});

async function authorize(token: string, subscriptionKey = key) {
  const answer = await handler({
    resource: '/extfhirpatientaccess/v1/Patient/{id}',
    methodArn: 'arn:aws:execute-api:us-east-1:111111111111:api1/live/GET/x',
    headers: { 'x-api-subscription-key': subscriptionKey, Authorization: `Bearer ${token}` },
    requestContext: { requestId: 'r1' },
  } as unknown as APIGatewayRequestAuthorizerEvent);
  return { effect: answer.policyDocument.Statement[0]?.Effect, ...answer };
}

describe('the authorizer function of the sandbox’s DSNP API', () => {
  it('lets a member’s token and its application’s key in', async () => {
    const answer = await authorize(await issue(memberClaims, dsnp));
    expect(answer).toMatchObject({
      effect: 'Allow',
      usageIdentifierKey: key,
      context: { patientId: 'patient-1' },
    });
  });

  it('takes a machine’s token of this environment for a client without a patient', async () => {
    const answer = await authorize(await issue(machineClaims, machine));
    expect(answer).toMatchObject({ effect: 'Allow', usageIdentifierKey: key });
    expect(answer.context).not.toHaveProperty('patientId');
  });

  it('denies a token that another LOB’s server signed, in whatever name', async () => {
    const honest = { ...memberClaims, iss: memberClaims.iss.replace('dsnp', 'mapd'), lob: 'MAPD' };
    expect((await authorize(await issue(honest, mapd))).effect).toBe('Deny');
    expect((await authorize(await issue(memberClaims, mapd))).effect).toBe('Deny');
    expect((await authorize(await issue(memberClaims, { ...mapd, kid: dsnp.kid }))).effect).toBe('Deny');
    expect((await authorize(await issue(memberClaims, machine))).effect).toBe('Deny');
  });

  it('refuses a key at the first lookup after it was suspended', async () => {
    const token = await issue(memberClaims, dsnp);
    expect((await authorize(token)).usageIdentifierKey).toBe(key);
    await table.put({ ...subscriptionKeyKey('DSNP', sha256), ...item, state: 'suspended' });
    const answer = await authorize(token);
    expect(answer).toMatchObject({ effect: 'Allow', context: { reason: 'key_suspended' } });
    expect(answer.usageIdentifierKey).toBeUndefined();
    await table.put({ ...subscriptionKeyKey('DSNP', sha256), ...item });
  });

  it('knows no key of another LOB', async () => {
    const others = 'another-subscription-key-of-forty-chars-x';
    const hash = createHash('sha256').update(others).digest('hex');
    await table.put({ ...subscriptionKeyKey('MAPD', hash), ...item });
    const answer = await authorize(await issue(memberClaims, dsnp), others);
    expect(answer.context).toMatchObject({ reason: 'key_unknown' });
  });
});
