/** Handler of `token`: the token, revocation and introspection endpoints of members' grants. */

import { memberAssertionAudiences } from '../catalog/addresses.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import { createCallLine } from '../platform/http/call-line.ts';
import { lineOfBusinessPath } from '../platform/http/line-of-business-path.ts';
import {
  corsPreflight,
  json,
  notFound,
  oauthDialect,
  oauthError,
  oauthMethodNotAllowed,
} from '../platform/http/oauth-error.ts';
import { createPipeline, header, requestIds } from '../platform/http/pipeline.ts';
import { jsonBodyParser, tokenParameters } from '../platform/http/token-request-body.ts';
import { compileRoutes, type RouteRow } from '../platform/kernel/find-route.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { composeTokenServer } from './compose-token-server.ts';
import { createMemberAccessTokens } from './signing/member-access-tokens.ts';
import { createAccountAccess } from './store/account-access.ts';
import { createAuthorizationStore } from './store/authorization-store.ts';
import { createIsClosedToRefresh } from './store/disabled-accounts.ts';
import { createJwksStore } from './store/jwks-store.ts';
import { createTokenStore } from './store/token-store.ts';
import type { TokenRequest } from './token/client-authentication.ts';
import type { MemberTokenServer } from './token/grant-type.ts';
import { introspectToken } from './token/introspection-endpoint.ts';
import { revokeToken } from './token/revocation-endpoint.ts';
import { issueMemberToken } from './token/token-endpoint.ts';
import type { TokenRefusal } from './token/token-error.ts';

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
const { environment } = settings;
const secondsOfDay = 24 * 60 * 60;
const { table, server: common, ratesOf, secretUsesOf, assertionsOf } = composeTokenServer(settings);
const { origins } = common;

const server: Omit<MemberTokenServer, 'rates' | 'assertions' | 'secretUses' | 'noteCaller'> = {
  ...common,
  store: createAuthorizationStore(table),
  tokens: createTokenStore(table),
  isAccountClosed: createIsClosedToRefresh(table, createAccountAccess(table, systemClock)),
  accessTokens: createMemberAccessTokens({
    origins,
    environment,
    readJwks: createJwksStore(table).read,
    now: systemClock,
  }),
  accessTokenSeconds: settings.memberAccessTokenSeconds,
  grantSeconds: settings.grantDays * secondsOfDay,
  refreshIdleSeconds: settings.refreshIdleDays * secondsOfDay,
};

interface TokenRoute extends RouteRow {
  readonly handle: (
    server: MemberTokenServer,
    lob: LineOfBusiness,
    request: TokenRequest,
  ) => Promise<{ readonly kind: 'response'; readonly body: object } | TokenRefusal>;
}

/** Routes by the path after `/fhir-oauth2/pub/{lob}/`. */
const findRoute = compileRoutes<TokenRoute>([
  {
    method: 'POST',
    path: 'token',
    async handle(...call) {
      const answer = await issueMemberToken(...call);
      return answer.kind === 'refusal' ? answer : { kind: 'response', body: answer.issued };
    },
  },
  {
    method: 'POST',
    path: 'revoke',
    async handle(...call) {
      const answer = await revokeToken(...call);
      // RFC 7009 section 2.2 gives the body of a revocation response no meaning; it is JSON for clients that parse it.
      return answer.kind === 'refusal' ? answer : { kind: 'response', body: {} };
    },
  },
  {
    method: 'POST',
    path: 'introspect',
    async handle(...call) {
      const answer = await introspectToken(...call);
      return answer.kind === 'refusal' ? answer : { kind: 'response', body: answer.introspection };
    },
  },
]);

/**
 * Serves `POST /fhir-oauth2/pub/{lob}/token`, `…/revoke` and `…/introspect`. Called by applications through the authorization host. Reads
 * clients, codes and families; writes grants, families and audit events; signs with the LOB's key. Reads no resource.
 */
export const handler = createPipeline({
  dialect: oauthDialect,
  log: consoleLog,
  middlewares: [jsonBodyParser()],
  handler: async (event) => {
    const path = lineOfBusinessPath(event, '/fhir-oauth2/pub/');
    const result = findRoute(event.httpMethod, path?.rest ?? '');
    if (path === undefined || result.kind === 'not_found') return notFound();
    if (result.kind === 'method_not_allowed') {
      // CORS preflight is not answered for `introspect`, which servers call and browsers do not.
      const isPreflight = event.httpMethod === 'OPTIONS' && path.rest !== 'introspect';
      return isPreflight ? corsPreflight('POST') : oauthMethodNotAllowed(result.allowed.join(', '));
    }
    const body = tokenParameters(event, 'json or form');
    if (body.kind === 'refusal') return oauthError(body.refusal);
    const { parameters } = body;
    const ids = requestIds(event);
    const { lob, rest } = path;
    const rates = ratesOf(lob, event.requestContext.identity.sourceIp);
    const assertions = assertionsOf(lob, memberAssertionAudiences(origins, lob));
    const line = createCallLine(event);
    const answer = await result.route.handle(
      { ...server, rates, assertions, secretUses: secretUsesOf(lob), noteCaller: line.noteCaller },
      lob,
      {
        parameters,
        authorization: header(event, 'authorization'),
        context: { environment, lob, ...ids },
      },
    );
    if (answer.kind === 'response') {
      line.write({ code: `${rest}_answered`, status: 200, lob });
      return json(200, answer.body);
    }
    const response = oauthError(answer.refusal);
    const { reason } = answer.refusal;
    line.write({ code: `${rest}_refused`, status: response.statusCode, lob, reason });
    return response;
  },
});
