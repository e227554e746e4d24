import { createHash } from 'node:crypto';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { cookiesOf } from '../gateway/cookies.ts';
import { lineOfBusinessPath } from '../gateway/line-of-business-path.ts';
import { bodyText, contentTypeOf, formParameters, queryParameters } from '../gateway/parameters.ts';
import { createPipeline, type Dialect, header, requestIdOf } from '../gateway/pipeline.ts';
import { createCognitoMemberDirectory } from '../identity/cognito-member-directory.ts';
import { createSignIn } from '../members/sign-in.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { systemRandom } from '../runtime/random.ts';
import { createAuditTrail } from '../storage/audit-trail.ts';
import { createAuthorizationStore } from '../storage/authorization-store.ts';
import { createClientStore } from '../storage/client-store.ts';
import { createMemberLinks } from '../storage/member-links.ts';
import { createSignedTable } from '../storage/signed-table.ts';
import type { AuthorizationServer, BrowserAnswer } from './browser-step.ts';
import { messagePage } from './pages/message-page.ts';
import { pageHeaders, redirectHeaders } from './pages/page-headers.ts';
import { style } from './pages/style.ts';
import { answerBrowser } from './pages-endpoint.ts';
import { noParameters, type Parameters } from './parameters.ts';

const settings = readEnvironment([
  'environment',
  'tableName',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
  'memberPoolId',
  'memberPoolClientId',
  'interactionSeconds',
  'authorizationCodeSeconds',
  'memberAccessTokenSeconds',
  'grantDays',
]);
const { environment, authOrigin, tokenOrigin, apiOriginTemplate } = settings;
const table = createSignedTable({ tableName: settings.tableName });
const directory = createCognitoMemberDirectory(new CognitoIdentityProviderClient({}), {
  userPoolId: settings.memberPoolId,
  clientId: settings.memberPoolClientId,
});

const server: AuthorizationServer = {
  origins: { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate },
  clients: createClientStore(table),
  store: createAuthorizationStore(table),
  audit: createAuditTrail(table),
  signIn: createSignIn(directory, createMemberLinks(table)),
  digests,
  random: systemRandom,
  now: systemClock,
  interactionSeconds: settings.interactionSeconds,
  codeSeconds: settings.authorizationCodeSeconds,
  accessTokenSeconds: settings.memberAccessTokenSeconds,
  grantSeconds: settings.grantDays * 24 * 60 * 60,
};

const styleSha256 = createHash('sha256').update(style).digest('base64');

/** The dialect of the member's pages. */
const dialect: Dialect = {
  defect: () => respond(messagePage(500, 'defect')),
  unavailable: () => respond(messagePage(503, 'unavailable')),
};

/** `/fhir-oauth2/sec/{lob}/authorize`, and the pages that follow from it. */
export const handler = createPipeline({
  dialect,
  log: consoleLog,
  handler: async (event) => {
    const path = lineOfBusinessPath(event, '/fhir-oauth2/sec/');
    if (path === undefined) return respond(messagePage(404, 'line_of_business_unknown'));
    const form = event.httpMethod === 'POST' ? formOf(event) : noParameters;
    if (form === undefined) return respond(messagePage(400, 'form_malformed'));
    const { lob, rest } = path;
    return respond(
      await answerBrowser(server, event.httpMethod, rest, {
        lob,
        query: queryParameters(event),
        form,
        cookies: cookiesOf(event),
        origin: header(event, 'origin'),
        fetchSite: header(event, 'sec-fetch-site'),
        context: { environment, lob, requestId: requestIdOf(event) },
      }),
    );
  },
});

function formOf(event: APIGatewayProxyEvent): Parameters | undefined {
  if (contentTypeOf(event) !== 'application/x-www-form-urlencoded') return undefined;
  const text = bodyText(event);
  return text === undefined ? undefined : formParameters(text);
}

/** 303: whatever the method was, the next address is got (RFC 9110 section 15.4.4; RFC 9700 section 4.12). */
function respond(answer: BrowserAnswer): APIGatewayProxyResult {
  const cookie = answer.setCookie === undefined ? undefined : { 'Set-Cookie': answer.setCookie };
  if ('location' in answer) {
    return {
      statusCode: 303,
      headers: { ...redirectHeaders, ...cookie, Location: answer.location },
      body: '',
    };
  }
  const headers = { ...pageHeaders(styleSha256, answer.formAction), ...cookie };
  return { statusCode: answer.status, headers, body: answer.html };
}
