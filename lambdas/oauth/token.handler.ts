import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { lineOfBusinessPath } from '../gateway/line-of-business-path.ts';
import {
  json,
  methodNotAllowed,
  notFound,
  oauthDialect,
  oauthError,
  preflight,
} from '../gateway/oauth-error.ts';
import { createPipeline, header, requestIdOf } from '../gateway/pipeline.ts';
import { jsonBodyParser, tokenParameters } from '../gateway/token-request-body.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { systemRandom } from '../runtime/random.ts';
import { createAuthoritySecrets } from '../signing/authority-secrets.ts';
import { createSecretSigningKeys } from '../signing/secret-signing-keys.ts';
import { createAuditTrail } from '../storage/audit-trail.ts';
import { createAuthorizationStore } from '../storage/authorization-store.ts';
import { createClientStore } from '../storage/client-store.ts';
import { createAuthorityRates } from '../storage/rate-store.ts';
import { createSignedTable } from '../storage/signed-table.ts';
import { createTokenStore } from '../storage/token-store.ts';
import type { MemberTokenServer } from './grants/grant-type.ts';
import { issueMemberToken } from './token-endpoint.ts';

const settings = readEnvironment([
  'environment',
  'tableName',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
  'signingSecrets',
  'memberAccessTokenSeconds',
  'grantDays',
  'refreshIdleDays',
  'tokenRequestsPerMinute',
]);
const { environment, authOrigin, tokenOrigin, apiOriginTemplate } = settings;
const secondsOfDay = 24 * 60 * 60;
const table = createSignedTable({ tableName: settings.tableName });

const server: Omit<MemberTokenServer, 'rates'> = {
  origins: { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate },
  clients: createClientStore(table),
  store: createAuthorizationStore(table),
  tokens: createTokenStore(table),
  audit: createAuditTrail(table),
  signingKeys: createSecretSigningKeys({
    readSecret: createAuthoritySecrets(new SecretsManagerClient({}), settings.signingSecrets),
    now: systemClock,
  }),
  digests,
  random: systemRandom,
  now: systemClock,
  accessTokenSeconds: settings.memberAccessTokenSeconds,
  grantSeconds: settings.grantDays * secondsOfDay,
  refreshIdleSeconds: settings.refreshIdleDays * secondsOfDay,
};

const ratesOf = createAuthorityRates(table, settings.tokenRequestsPerMinute);

/** `POST /fhir-oauth2/pub/{lob}/token` */
export const handler = createPipeline({
  dialect: oauthDialect,
  log: consoleLog,
  middlewares: [jsonBodyParser()],
  handler: async (event) => {
    const path = lineOfBusinessPath(event, '/fhir-oauth2/pub/');
    if (path?.rest !== 'token') return notFound();
    if (event.httpMethod === 'OPTIONS') return preflight('POST');
    if (event.httpMethod !== 'POST') return methodNotAllowed('POST');
    const parameters = tokenParameters(event, 'json or form');
    if (typeof parameters === 'string') {
      return oauthError({ error: 'invalid_request', description: parameters });
    }
    const requestId = requestIdOf(event);
    const rates = ratesOf(path.lob, event.requestContext.identity.sourceIp);
    const answer = await issueMemberToken({ ...server, rates }, path.lob, {
      parameters,
      authorization: header(event, 'authorization'),
      context: { environment, lob: path.lob, requestId },
    });
    if ('issued' in answer) return json(200, answer.issued);
    consoleLog('warn', 'token_refused', { requestId, lob: path.lob, reason: answer.refusal.reason });
    return oauthError(answer.refusal);
  },
});
