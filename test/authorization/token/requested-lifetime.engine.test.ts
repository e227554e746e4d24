import { decodeJwt } from 'jose';
import { afterAll, expect, it, vi } from 'vitest';
import { startWholeWorld } from '../../support/whole-world.ts';
import { theSecret } from '../builders.ts';
import { eventOf } from '../events.ts';
import { resourceId } from '../handler-world.ts';
import { authorizationQuery, basic, obtainCode, tokenCall } from '../journey.ts';

vi.useFakeTimers({ toFake: ['Date'] });
const world = await startWholeWorld();
afterAll(async () => {
  vi.useRealTimers();
  await world.stop();
});

it('a token asked for with expires_in reads until it is over, and is renewed as any other', async () => {
  const application = await world.application();
  const { clientId } = application.client;
  const lasting = { scope: 'openid patient/*.read offline_access' };
  const call = tokenCall(clientId, await obtainCode(world, authorizationQuery(clientId, lasting)));
  const asked = { ...call, json: { ...(call.json as object), expires_in: '3' } };
  const { access_token, refresh_token, expires_in } = JSON.parse((await world.token(eventOf(asked))).body);
  expect(expires_in).toBe(3);
  const over = Number(decodeJwt(access_token).exp) * 1_000;
  vi.setSystemTime(over - 1);
  expect(await world.read(application, access_token)).toBe(200);
  vi.setSystemTime(over);
  expect(await world.read(application, access_token)).toBe(401);
  const json = { grant_type: 'refresh_token', refresh_token };
  const renewed = await world.token(eventOf({ ...call, headers: { authorization: basic(clientId) }, json }));
  const next = JSON.parse(renewed.body);
  expect(next.expires_in).toBe(1_800);
  expect(await world.read(application, next.access_token)).toBe(200);
});

it('a machine asks for a shorter life of its token, and for no longer one', async () => {
  const { clientId } = (await world.application()).client;
  const send = async (expires_in: string) => {
    const credentials = { client_id: clientId, client_secret: theSecret };
    const grant = { grant_type: 'client_credentials', scope: `${resourceId}/.default` };
    const event = eventOf({ path: '/token/v2', form: { ...grant, ...credentials, expires_in } });
    const requestContext = { ...event.requestContext, authorizer: { clientId, products: '' } };
    return await world.machineToken({ ...event, requestContext });
  };
  const short = JSON.parse((await send('30')).body);
  const { iat, exp } = decodeJwt(short.access_token);
  expect([short.expires_in, Number(exp) - Number(iat)]).toEqual([30, 30]);
  const longer = await send('301');
  expect(longer.statusCode).toBe(400);
  expect(JSON.parse(longer.body)).toEqual({
    error: 'invalid_request',
    error_description: 'expires_in must be a whole number of seconds from 1 to 300',
  });
});
