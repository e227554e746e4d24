import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, expect, it } from 'vitest';
import { bearerErrors, tokenErrors } from '../../lambdas/catalog/oauth/oauth-errors.ts';
import { sentence, theMember } from '../authorization/builders.ts';
import { aClientKey, assertionClaims } from '../authorization/client-keys.ts';
import { eventOf, headerOf } from '../authorization/events.ts';
import { origins, startHandlerWorld } from '../authorization/handler-world.ts';
import { authorizationQuery, obtainCode, redeem } from '../authorization/journey.ts';
import fc from '../support/property.ts';
import { type AnyRequest, anyRequest, canary } from './any-token-request.ts';

/**
 * Random requests to the endpoints that clients call: no answer is a server error or repeats what was sent, each has the host's own error
 * texts, and each decision is recorded once in the audit (docs/audit.md).
 */

const world = await startHandlerWorld({ TOKEN_REQUESTS_PER_MINUTE: '60000' });
afterAll(() => world.stop());
const key = await aClientKey();
const clients = await Promise.all([
  world.register(),
  world.register(),
  world.register({ tokenEndpointAuthMethod: 'none', secrets: [] }),
  world.register({ tokenEndpointAuthMethod: 'private_key_jwt', secrets: [], jwks: { keys: [key.jwk] } }),
  world.register({ state: 'suspended' }),
]);
const [first, , , signing] = clients.map(({ clientId }) => clientId);
const held: string[] = [];
for (const scope of ['openid fhirUser patient/*.read offline_access', 'patient/Patient.rs']) {
  const query = authorizationQuery(first ?? '', { scope });
  const code = await obtainCode(world, query);
  const tokens = JSON.parse((await redeem(world, first ?? '', code)).body) as Record<string, unknown>;
  const texts = ['access_token', 'refresh_token', 'id_token'].map((name) => tokens[name]);
  held.push(code, ...texts.filter((text) => typeof text === 'string'), await obtainCode(world, query));
}
const aud = `${origins.auth}/fhir-oauth2/dsnp`;
const assertions = await Promise.all(
  Array.from({ length: 50 }, () => key.sign(assertionClaims(signing ?? '', aud, Date.now()))),
);
const known = { clientIds: clients.map(({ clientId }) => clientId), tokens: held, assertions };

/** Reasons of refusals that are logged and not recorded in the audit: malformed requests, and requests of unknown clients. */
const unrecorded = new Set([
  ...['repeated', 'two_methods', 'two_clients', 'assertion_type', 'credentials_missing', 'header_malformed'],
  ...['assertion_malformed', 'client_unknown', 'grant_type_missing', 'code_missing', 'redirect_uri_missing'],
  ...['refresh_token_missing', 'token_missing', 'token_invalid', 'request_malformed'],
]);

async function answerOf(request: AnyRequest, requestId: string): Promise<APIGatewayProxyResult> {
  const { endpoint, lob, method, headers, body, isBase64Encoded, subscriber } = request;
  const machine = endpoint === 'machine';
  const event = eventOf({
    method,
    path: machine ? '/token/v2' : `/fhir-oauth2/pub/${lob}/${endpoint}`,
    form: body,
    headers: { ...headers, 'x-request-id': requestId },
    ...(machine && { authorizer: { clientId: subscriber, products: 'patient-access' } }),
  });
  const handler = machine ? world.machineToken : endpoint === 'userinfo' ? world.userinfo : world.token;
  return await handler({ ...event, isBase64Encoded });
}

async function recorded(requestId: string): Promise<number> {
  const subjects = [`PATIENT#${theMember.patientId}`, ...known.clientIds.map((id) => `CLIENT#${id}`)];
  const partitions = ['DSNP', 'MAPD', 'EGWP', 'M2M'].flatMap((lob) =>
    subjects.map((of) => `AUDIT#${lob}#${of}`),
  );
  const pages = await Promise.all(
    partitions.map((pk) => world.table.query({ pk, descending: true, limit: 3 })),
  );
  return pages.flatMap(({ items }) => items).filter((event) => event.clientRequestId === requestId).length;
}

function expectOwnWords({ endpoint }: AnyRequest, answer: APIGatewayProxyResult): void {
  const { statusCode, body } = answer;
  expect(statusCode).toBeLessThan(500);
  expect(body).not.toContain(canary);
  expect(JSON.stringify(answer.headers)).not.toContain(canary);
  expect(headerOf(answer, 'access-control-allow-origin')).toBe('*');
  if (statusCode === 401) expect(headerOf(answer, 'www-authenticate')).toMatch(/^(Basic|Bearer) \w+="/);
  if (statusCode === 405) expect(headerOf(answer, 'allow')).toMatch(/^[A-Z, ]+$/);
  if (statusCode !== 204) expect(headerOf(answer, 'cache-control')).toBe('no-store');
  if (statusCode < 400 || body === '{}') return;
  const { error, error_description, ...more } = JSON.parse(body) as Record<string, string>;
  expect(Object.keys(endpoint === 'userinfo' ? { ...tokenErrors, ...bearerErrors } : tokenErrors)).toContain(
    error,
  );
  expect(error_description).toMatch(sentence);
  expect(more).toEqual({});
}

/**
 * Number of audit events that an answer requires.
 *
 * @param reason reason of a refusal in the log
 */
function decisions({ endpoint }: AnyRequest, { statusCode }: APIGatewayProxyResult, reason?: string): number {
  if (reason !== undefined) return unrecorded.has(reason) ? 0 : 1;
  return statusCode === 200 && endpoint !== 'revoke' ? 1 : 0;
}

it('is answered in the host’s words, repeats nothing, and is on record once where something is decided', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(anyRequest(known), async (request) => {
      count += 1;
      const requestId = `any-${count}`;
      const before = world.logLines.length;
      const answer = await answerOf(request, requestId);
      expectOwnWords(request, answer);
      expect(headerOf(answer, 'x-request-id')).toBe(requestId);
      const lines = world.logLines.slice(before);
      expect(lines.join()).not.toContain(canary);
      const { reason } = JSON.parse(lines[0] ?? '{}') as { reason?: string };
      const revoked = request.endpoint === 'revoke' && answer.statusCode === 200;
      const events = await recorded(requestId);
      // Revocation answers 200 for an unknown token too, and records nothing (docs/audit.md).
      if (revoked) expect(events).toBeLessThanOrEqual(1);
      else expect({ reason, events }).toEqual({ reason, events: decisions(request, answer, reason) });
    }),
    { numRuns: 250 },
  );
});
