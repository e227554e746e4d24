import { createHash } from 'node:crypto';
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterAll, describe, expect, it } from 'vitest';
import type { TokenIssuer } from '../../../lambdas/catalog/oauth/token-issuer.ts';
import { subscriptionKeyKey } from '../../../lambdas/platform/table/table-keys.ts';
import { startHandlerWorld } from '../handler-world.ts';

const world = await startHandlerWorld();
afterAll(() => world.stop());
const { handler: authorize } = await import('../../../lambdas/authorization/machine-authorizer.handler.ts');

async function keyOf(issuer: TokenIssuer, changes: object = {}): Promise<string> {
  const key = `key-${crypto.randomUUID()}`;
  const sha256 = createHash('sha256').update(key).digest('hex');
  const item = {
    clientId: 'client-1',
    products: ['patient-access'],
    apiKeyId: 'a',
    state: 'active',
    ...changes,
  };
  await world.table.put({ ...subscriptionKeyKey(issuer, sha256), ...item });
  return key;
}

async function ask(key: string, header = 'x-api-subscription-key') {
  return await authorize({
    methodArn: 'arn:aws:execute-api:us-east-1:1:api/sandbox/POST/token/v2',
    headers: { [header]: key },
    requestContext: { requestId: 'request-1' },
  } as unknown as APIGatewayRequestAuthorizerEvent);
}

describe('the machine-to-machine authorizer', () => {
  it.each([
    'x-api-subscription-key',
    'X-Api-Subscription-Key',
  ])('lets a known key in by %s', async (header) => {
    const key = await keyOf('M2M');
    const answer = await ask(key, header);
    expect(answer).toMatchObject({ usageIdentifierKey: key, context: { clientId: 'client-1' } });
    expect(answer.policyDocument.Statement).toMatchObject([
      { Effect: 'Allow', Resource: 'arn:aws:execute-api:us-east-1:1:api/sandbox/*' },
    ]);
  });

  it.each<[string, () => Promise<string>]>([
    ['unknown', async () => 'key-that-nobody-was-ever-given-000'],
    ['empty', async () => ''],
    ['of a LOB only', () => keyOf('DSNP')],
    ['suspended', () => keyOf('M2M', { state: 'suspended' })],
    ['revoked', () => keyOf('M2M', { state: 'revoked' })],
    ['expired', () => keyOf('M2M', { expiresAt: 1 })],
  ])('names no application and no usage plan for a key that is %s', async (_what, make) => {
    const answer = await ask(await make());
    expect(answer.usageIdentifierKey).toBeUndefined();
    expect(answer.context?.clientId).toBeUndefined();
  });

  it('decides nothing while the store can’t be reached', async () => {
    const key = await keyOf('M2M');
    await expect(world.withoutStore(() => ask(key))).rejects.toThrow();
    expect(world.logLines.at(-1)).toContain('"code":"store_unavailable"');
  });
});
