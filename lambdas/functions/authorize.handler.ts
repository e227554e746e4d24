/** Handler of `authorize`: the authorization endpoint and the pages that members use (sign-in, consent, connected apps, logout). */

import { createHash } from 'node:crypto';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { createCognitoMemberDirectory } from '../aws/cognito-member-directory.ts';
import { createFindActiveAccount, createIsAccountClosed } from '../aws/member-account-status.ts';
import { createMemberContacts } from '../aws/member-contacts.ts';
import { cookiesOf } from '../http/cookies.ts';
import { lineOfBusinessPath } from '../http/line-of-business-path.ts';
import { bodyText, contentTypeOf, formParameters, queryParameters } from '../http/parameters.ts';
import { createPipeline, type Dialect, header, requestIds } from '../http/pipeline.ts';
import { createSignIn } from '../members/sign-in.ts';
import type { BrowserResponse } from '../oauth/authorize/browser-request.ts';
import { handlePage, type MemberPagesServices } from '../oauth/authorize/member-pages.ts';
import { messagePage } from '../oauth/pages/message-page.ts';
import { pageHeaders, redirectHeaders } from '../oauth/pages/page-headers.ts';
import { style } from '../oauth/pages/style.ts';
import { languageOf } from '../oauth/pages/words/language.ts';
import { noParameters, type Parameters } from '../oauth/parameters.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createAccountAccess } from '../storage/account-access.ts';
import { createAuthorizationAuditTrail } from '../storage/authorization-audit-trail.ts';
import { createAuthorizationStore } from '../storage/authorization-store.ts';
import { createClientReader } from '../storage/client-reader.ts';
import { createContactRecords } from '../storage/contact-records.ts';
import { createJwksStore } from '../storage/jwks-store.ts';
import { createMemberGrants } from '../storage/member-grants.ts';
import { createMemberLinks } from '../storage/member-links.ts';
import { createSignInLimits } from '../storage/sign-in-limits.ts';
import { createSignInStore } from '../storage/sign-in-store.ts';
import { createSsoSessionStore } from '../storage/sso-session-store.ts';
import { createSignedTable } from '../table/signed-table.ts';

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
  'memberVerification',
  'codeDigestKeyId',
  'contactKeyId',
  'textMessageCountries',
  'messageSender',
]);
const { environment, authOrigin, tokenOrigin, apiOriginTemplate } = settings;
const table = createSignedTable({ tableName: settings.tableName });
const cognito = new CognitoIdentityProviderClient({ retryStrategy: sdkRetries });
const directory = createCognitoMemberDirectory(cognito, {
  userPoolId: settings.memberPoolId,
  clientId: settings.memberPoolClientId,
});
const links = createMemberLinks(table);
const access = createAccountAccess(links);
const limits = createSignInLimits(table);

const services: MemberPagesServices = {
  origins: { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate },
  clients: createClientReader(table),
  store: createAuthorizationStore(table),
  audit: createAuthorizationAuditTrail(table),
  signIns: createSignInStore(table),
  ssoSessions: createSsoSessionStore(table),
  // Few requests have a hint: what verifies one is loaded with the first.
  hints: { read: async (...hint) => await (await idTokenHints()).read(...hint) },
  grants: createMemberGrants(table),
  signIn: createSignIn(directory, access, limits),
  patientsOf: access.patientsOf,
  findActiveAccount: createFindActiveAccount(cognito, settings.memberPoolId, access),
  isAccountClosed: createIsAccountClosed(cognito, settings.memberPoolId, access),
  verification: {
    setting: settings.memberVerification,
    contact: createMemberContacts(
      cognito,
      settings.memberPoolId,
      links,
      async (lob, memberId) => await (await contacts()).find(lob, memberId),
      async (number) => (await contacts()).readTextNumber(number),
    ),
    // Most sign-ins need neither: what they are made of is loaded when one does.
    send: async (message) => {
      const sent = await (await messages()).send(message);
      if (!sent) consoleLog('warn', 'message_not_sent', { reason: message.channel });
      return sent;
    },
    mac: async (text) => await (await messages()).mac(text),
    rates: limits.rates,
    forgetFailures: limits.forgetAccountFailures,
  },
  digests,
  random: systemRandom,
  now: systemClock,
  interactionSeconds: settings.interactionSeconds,
  authorizationCodeSeconds: settings.authorizationCodeSeconds,
  accessTokenSeconds: settings.memberAccessTokenSeconds,
  grantSeconds: settings.grantDays * 24 * 60 * 60,
};

const messages = once(async () => {
  const { createMemberMessages, createMessageClients } = await import('../aws/member-messages.ts');
  const { createCodeDigest } = await import('../aws/code-digest.ts');
  return {
    send: createMemberMessages(createMessageClients(), settings.messageSender),
    mac: createCodeDigest(settings.codeDigestKeyId),
  };
});

const contacts = once(async () => {
  const [{ KMSClient }, { createContactEnvelopes }, { createDataKeys }, { createPlanContacts }, numbers] =
    await Promise.all([
      import('@aws-sdk/client-kms'),
      import('../aws/contact-envelopes.ts'),
      import('../aws/data-keys.ts'),
      import('../aws/plan-contacts.ts'),
      import('../aws/text-numbers.ts'),
    ]);
  const kms = new KMSClient({ retryStrategy: sdkRetries });
  const { open } = createContactEnvelopes(createDataKeys(kms, settings.contactKeyId), systemClock);
  const readTextNumber = numbers.createReadTextNumber(settings.textMessageCountries);
  const find = createPlanContacts({ find: createContactRecords(table).find, open, readTextNumber });
  return { find, readTextNumber };
});

const idTokenHints = once(async () => {
  const { createIdTokenHints } = await import('../signing/id-token-hints.ts');
  const readJwks = createJwksStore(table).read;
  const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };
  return createIdTokenHints({ origins, readJwks, now: systemClock });
});

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
    return respond(
      await handlePage(services, event.httpMethod, rest, {
        ...source,
        lob,
        language,
        origin: header(event, 'origin'),
        fetchSite: header(event, 'sec-fetch-site'),
        address: event.requestContext.identity.sourceIp,
        context: { environment, lob, ...requestIds(event) },
      }),
    );
  },
});

function formOf(event: APIGatewayProxyEvent): Parameters | undefined {
  if (contentTypeOf(event) !== 'application/x-www-form-urlencoded') return undefined;
  const text = bodyText(event);
  return text === undefined ? undefined : formParameters(text);
}

/** Delay after which a page that is unavailable can be loaded again by a person, seconds. */
const unavailableSeconds = 5;

/** 303: whatever the method was, the next address is got (RFC 9110 section 15.4.4; RFC 9700 section 4.12). */
function respond(answer: BrowserResponse): APIGatewayProxyResult {
  const cookies = cookieHeaders(answer.setCookies ?? []);
  if (answer.kind === 'redirect') {
    const headers = { ...redirectHeaders, ...cookies.headers, Location: answer.location };
    return { ...cookies, statusCode: 303, headers, body: '' };
  }
  const retryAfter = answer.retryAfterSeconds ?? (answer.status === 503 ? unavailableSeconds : undefined);
  const retry = retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) };
  // RFC 9110 section 15.5.6.
  const allow = answer.allow === undefined ? undefined : { Allow: answer.allow };
  const headers = { ...pageHeaders(styleSha256, answer.formAction), ...retry, ...allow, ...cookies.headers };
  return { ...cookies, statusCode: answer.status, headers, body: answer.html };
}

/** One cookie is one header; several stand in the response's other list, since an object has each name once. */
function cookieHeaders(
  cookies: readonly string[],
): Pick<APIGatewayProxyResult, 'headers' | 'multiValueHeaders'> {
  const [only] = cookies;
  if (only === undefined) return {};
  if (cookies.length === 1) return { headers: { 'Set-Cookie': only } };
  return { multiValueHeaders: { 'Set-Cookie': [...cookies] } };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
