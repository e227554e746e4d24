import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demonstration } from '../../../lambdas/catalog/oauth/demonstration.ts';
import { grantKey } from '../../../lambdas/platform/table/table-keys.ts';
import { theMember } from '../builders.ts';
import { eventOf } from '../events.ts';
import { type HandlerWorld, startHandlerWorld } from '../handler-world.ts';

let world: HandlerWorld;
beforeAll(async () => {
  world = await startHandlerWorld();
  await world.register({
    clientId: demonstration.clientId,
    grantTypes: [demonstration.grantType],
    tokenEndpointAuthMethod: 'none',
    secrets: [],
    redirectUris: [],
    demonstratedPatientId: theMember.patientId,
  });
});
afterAll(async () => {
  await world.stop();
});

const ask = async (address: string) =>
  await world.token(
    eventOf({
      path: '/fhir-oauth2/pub/dsnp/token',
      address,
      form: { grant_type: demonstration.grantType, client_id: demonstration.clientId },
    }),
  );

describe('the demonstration', () => {
  it('has a grant in the table for as long as its token, and no longer', async () => {
    const { statusCode, body } = await ask('198.51.100.1');
    expect(statusCode).toBe(200);
    const [, claims = ''] = JSON.parse(body).access_token.split('.');
    const { grant, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(await world.table.get(grantKey('DSNP', theMember.patientId, grant))).toMatchObject({
      state: 'active',
      clientId: demonstration.clientId,
      scope: demonstration.scope,
      expiresAt: exp,
      ttl: exp,
    });
  });

  it('is limited by address, and says when to come back', async () => {
    const answers = await Promise.all(
      Array.from({ length: demonstration.tokensPerMinute * 3 }, () => ask('198.51.100.2')),
    );
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers?.['Retry-After'])).toBeGreaterThanOrEqual(1);
    expect((await ask('198.51.100.3')).statusCode).toBe(200);
  });
});
