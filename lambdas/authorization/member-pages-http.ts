/** HTTP of the members' pages, for all functions that serve them: forms, cookies, headers, error pages. */

import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Environment } from '../catalog/environments.ts';
import { createCallLine } from '../platform/http/call-line.ts';
import { cookiesOf } from '../platform/http/cookies.ts';
import { lineOfBusinessPath } from '../platform/http/line-of-business-path.ts';
import { bodyText, contentTypeOf, formParameters, queryParameters } from '../platform/http/parameters.ts';
import { createPipeline, type Dialect, header, requestIds } from '../platform/http/pipeline.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import type { BrowserRequest, BrowserResponse } from './authorize/browser-request.ts';
import { noParameters, type Parameters } from './oauth/parameters.ts';
import { messagePage } from './pages/message-page.ts';
import { pageHeaders, redirectHeaders } from './pages/page-headers.ts';
import { pageStyle } from './pages/style.ts';
import { languageOf } from './pages/words/language.ts';

const styleSha256 = createHash('sha256').update(pageStyle()).digest('base64');

/** Error responses of the member's pages. */
const dialect: Dialect = {
  defect: () => respond(messagePage(500, 'defect')),
  unavailable: () => respond(messagePage(503, 'unavailable')),
};

/**
 * Makes the Lambda handler of the pages below a path prefix.
 *
 * @param handle gets the method, the path after the LOB, and the request.
 */
export function createMemberPagesHandler(options: {
  readonly environment: Environment;
  /** Path prefix of the pages, e.g. `/fhir-oauth2/sec/`. */
  readonly prefix: string;
  readonly handle: (method: string, page: string, request: BrowserRequest) => Promise<BrowserResponse>;
}) {
  const { environment, prefix, handle } = options;
  return createPipeline({
    dialect,
    log: consoleLog,
    handler: async (event) => {
      const path = lineOfBusinessPath(event, prefix);
      const form = event.httpMethod === 'POST' ? formOf(event) : noParameters;
      const source = {
        query: queryParameters(event),
        form: form ?? noParameters,
        cookies: cookiesOf(event),
        acceptLanguage: header(event, 'accept-language'),
      };
      const language = languageOf(source);
      if (path === undefined) return respond(messagePage(404, 'line_of_business_unknown', language));
      if (form === undefined) return respond(messagePage(400, 'form_malformed', language));
      const { lob, rest } = path;
      const answer = await handle(event.httpMethod, rest, {
        ...source,
        lob,
        language,
        origin: header(event, 'origin'),
        fetchSite: header(event, 'sec-fetch-site'),
        address: event.requestContext.identity.sourceIp,
        context: { environment, lob, ...requestIds(event) },
      });
      const response = respond(answer);
      if (answer.refused !== undefined) {
        const { clientId, ...refused } = answer.refused;
        const line = createCallLine(event);
        line.noteCaller({ clientId });
        const route = event.resource.replace('{proxy+}', rest);
        line.write({ code: `${rest}_refused`, status: response.statusCode, lob, route, ...refused });
      }
      return response;
    },
  });
}

function formOf(event: APIGatewayProxyEvent): Parameters | undefined {
  if (contentTypeOf(event) !== 'application/x-www-form-urlencoded') return undefined;
  const text = bodyText(event);
  return text === undefined ? undefined : formParameters(text);
}

/** Seconds after which a person is told to reload an unavailable page. */
const unavailableSeconds = 5;

/**
 * Makes the HTTP response. A redirect is 303, so that the browser uses GET whatever the method was (RFC 9110 section 15.4.4; RFC 9700
 * section 4.12).
 */
function respond(answer: BrowserResponse): APIGatewayProxyResult {
  const cookies = cookieHeaders(answer.setCookies ?? []);
  if (answer.kind === 'redirect') {
    const headers = { ...redirectHeaders, ...cookies.headers, Location: answer.location };
    return { ...cookies, statusCode: 303, headers, body: '' };
  }
  const retryAfter = answer.retryAfterSeconds ?? (answer.status === 503 ? unavailableSeconds : undefined);
  const retry = retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) };
  // A 405 must have `Allow` (RFC 9110 section 15.5.6).
  const allow = answer.allow === undefined ? undefined : { Allow: answer.allow };
  const headers = { ...pageHeaders(styleSha256, answer.formAction), ...retry, ...allow, ...cookies.headers };
  return { ...cookies, statusCode: answer.status, headers, body: answer.html };
}

/** The `Set-Cookie` headers of a response. Several are sent as multi-value headers, because `headers` has each name once. */
function cookieHeaders(
  cookies: readonly string[],
): Pick<APIGatewayProxyResult, 'headers' | 'multiValueHeaders'> {
  const [only] = cookies;
  if (only === undefined) return {};
  if (cookies.length === 1) return { headers: { 'Set-Cookie': only } };
  return { multiValueHeaders: { 'Set-Cookie': [...cookies] } };
}
