/** Handler of `authorize`: the authorization endpoint and the pages that members use (sign-in, consent, logout). */

import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createSignIn } from './accounts/sign-in.ts';
import { createCognitoMemberDirectory } from './aws/cognito-member-directory.ts';
import { createFindActiveAccount, createIsAccountClosed } from './aws/member-account-status.ts';
import { createMemberContacts } from './aws/member-contacts.ts';
import { composeMemberPages } from './compose-member-pages.ts';
import { handlePage, type MemberPagesServices } from './member-pages.ts';
import { createMemberPagesHandler } from './member-pages-http.ts';
import { createActivationStore } from './store/activation-store.ts';
import { createAuthorizationAuditTrail } from './store/authorization-audit-trail.ts';
import { createContactRecords } from './store/contact-records.ts';
import { createJwksStore } from './store/jwks-store.ts';
import { createMemberGrants } from './store/member-grants.ts';
import { createMemberLinks, createRepresentativeLinks } from './store/member-links.ts';
import { createSignInLimits } from './store/sign-in-limits.ts';

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
  'activationFunction',
  'messageSender',
  'providerChoices',
  'portalOrigin',
]);
const { environment } = settings;
const { table, access, pages } = composeMemberPages(settings);
const cognito = new CognitoIdentityProviderClient({ retryStrategy: sdkRetries });
const directory = createCognitoMemberDirectory(cognito, {
  userPoolId: settings.memberPoolId,
  clientId: settings.memberPoolClientId,
});
const links = createMemberLinks(table);
const limits = createSignInLimits(table);

const services: MemberPagesServices = {
  ...pages,
  audit: createAuthorizationAuditTrail(table),
  // Loads the module with the first `id_token_hint`, which few requests have.
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
      createRepresentativeLinks(table),
      async (lob, memberId) => await (await contacts()).find(lob, memberId),
      async (number) => (await contacts()).readTextNumber(number),
    ),
    // Loads messages and KMS at first use: most sign-ins need neither.
    send: async (message) => {
      const sent = await (await messages()).send(message);
      if (!sent) consoleLog('warn', 'message_not_sent', { reason: message.channel });
      return sent;
    },
    mac: async (text) => await (await messages()).mac(text),
    rates: limits.rates,
    forgetFailures: limits.forgetAccountFailures,
  },
  providerOf: (lob) => settings.providerChoices?.[lob],
  rates: limits.rates,
  errorsOrigin: environment === 'sandbox' ? settings.portalOrigin : undefined,
  activations: createActivationStore(table),
  activation: {
    sendCode: async (request) => await (await activationFunction()).sendCode(request),
    setPassword: async (request) => await (await activationFunction()).setPassword(request),
  },
  interactionSeconds: settings.interactionSeconds,
  authorizationCodeSeconds: settings.authorizationCodeSeconds,
  accessTokenSeconds: settings.memberAccessTokenSeconds,
  grantSeconds: settings.grantDays * 24 * 60 * 60,
};

const messages = once(async () => {
  const { createMessageSender, createMessageClients } = await import('../platform/aws/messages.ts');
  const { createCodeDigest } = await import('../platform/aws/code-digest.ts');
  return {
    send: createMessageSender(createMessageClients(), settings.messageSender),
    mac: createCodeDigest(settings.codeDigestKeyId),
  };
});

const activationFunction = once(async () => {
  const { createActivationFunction } = await import('./aws/activation-function.ts');
  const { createLambdaInvoke } = await import('../platform/aws/lambda-invoke.ts');
  return createActivationFunction(createLambdaInvoke(settings.activationFunction));
});

const contacts = once(async () => {
  const [{ createContactEnvelopes }, { createDataKeys }, { createPlanContacts }, numbers] = await Promise.all(
    [
      import('../platform/aws/contact-envelopes.ts'),
      import('../platform/aws/data-keys.ts'),
      import('./aws/plan-contacts.ts'),
      import('../platform/aws/text-numbers.ts'),
    ],
  );
  const { open } = createContactEnvelopes(createDataKeys(settings.contactKeyId), systemClock);
  const readTextNumber = numbers.createReadTextNumber(settings.textMessageCountries);
  const find = createPlanContacts({
    find: createContactRecords(table, systemClock).find,
    open,
    readTextNumber,
  });
  return { find, readTextNumber };
});

const idTokenHints = once(async () => {
  const { createIdTokenHints } = await import('./signing/id-token-hints.ts');
  const readJwks = createJwksStore(table).read;
  return createIdTokenHints({ origins: pages.origins, readJwks, now: systemClock });
});

/**
 * Serves `/fhir-oauth2/sec/{lob}/authorize` and the pages that follow it. Called by browsers through the authorization host. Checks
 * passwords; writes interactions, codes, grants and sessions. Reads no resource, and signs no token.
 */
export const handler = createMemberPagesHandler({
  environment,
  prefix: '/fhir-oauth2/sec/',
  handle: (method, page, request) => handlePage(services, method, page, request),
});

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
