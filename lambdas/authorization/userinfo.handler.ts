/** Handler of `userinfo`: the UserInfo endpoint (OpenID Connect Core §5.3). */

import { bearerError } from '../platform/http/bearer-error.ts';
import { lineOfBusinessPath } from '../platform/http/line-of-business-path.ts';
import {
  corsPreflight,
  json,
  notFound,
  oauthDialect,
  oauthMethodNotAllowed,
} from '../platform/http/oauth-error.ts';
import { bodyText, contentTypeOf, formParameters } from '../platform/http/parameters.ts';
import { createPipeline, header, requestIds } from '../platform/http/pipeline.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { createUserInfoRates } from '../platform/table/rate-store.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { noParameters } from './oauth/parameters.ts';
import { createMemberAccessTokens } from './signing/member-access-tokens.ts';
import { createAuthorizationAuditTrail } from './store/authorization-audit-trail.ts';
import { createClientReader } from './store/client-reader.ts';
import { createJwksStore } from './store/jwks-store.ts';
import { createTokenStore } from './store/token-store.ts';
import { type UserInfoServices, userInfo } from './token/userinfo-endpoint.ts';

const { environment, tableName, authOrigin, tokenOrigin, apiOriginTemplate, tokenRequestsPerMinute } =
  readEnvironment([
    'environment',
    'tableName',
    'authOrigin',
    'tokenOrigin',
    'apiOriginTemplate',
    'tokenRequestsPerMinute',
  ]);
const table = createSignedTable({ tableName });
const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };
const server: Omit<UserInfoServices, 'rate'> = {
  origins,
  accessTokens: createMemberAccessTokens({
    origins,
    environment,
    readJwks: createJwksStore(table).read,
    now: systemClock,
  }),
  tokens: createTokenStore(table),
  clients: createClientReader(table),
  audit: createAuthorizationAuditTrail(table),
  random: systemRandom,
  now: systemClock,
};

const rateOf = createUserInfoRates(table, tokenRequestsPerMinute);

/**
 * Serves `GET` and `POST /fhir-oauth2/pub/{lob}/userinfo`. Called by applications through the authorization host. Reads clients and grants;
 * writes audit events only.
 */
export const handler = createPipeline({
  dialect: oauthDialect,
  log: consoleLog,
  handler: async (event) => {
    const path = lineOfBusinessPath(event, '/fhir-oauth2/pub/');
    if (path?.rest !== 'userinfo') return notFound();
    if (event.httpMethod === 'OPTIONS') return corsPreflight('GET,POST');
    if (!['GET', 'POST'].includes(event.httpMethod)) return oauthMethodNotAllowed('GET, POST');
    const isForm =
      event.httpMethod === 'POST' && contentTypeOf(event) === 'application/x-www-form-urlencoded';
    const form = isForm ? formParameters(bodyText(event) ?? '%') : noParameters;
    if (form === undefined) {
      return bearerError({ error: 'invalid_request', description: 'the body is not valid form encoding' });
    }
    const authorization = header(event, 'authorization');
    const { lob } = path;
    const ids = requestIds(event);
    const context = { environment, lob, ...ids };
    const answer = await userInfo({ ...server, rate: rateOf(lob) }, lob, { authorization, form, context });
    if (answer.kind === 'disclosed') return json(200, answer.userInfo);
    const { reason } = answer.refusal;
    consoleLog('warn', 'userinfo_refused', { ...ids, lob, reason });
    return bearerError(answer.refusal);
  },
});
