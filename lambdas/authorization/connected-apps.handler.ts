/** Handler of `connected-apps`: the pages where a member sees and ends what they share. */

import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createFindActiveAccount } from './aws/member-account-status.ts';
import type { ConnectedAppsServices } from './connected-apps/connected-apps-endpoint.ts';
import { handleConnectedAppsPage } from './connected-apps/connected-apps-pages.ts';
import { createMemberPagesHandler } from './member-pages-http.ts';
import { createAccountAccess } from './store/account-access.ts';
import { createAuthorizationStore } from './store/authorization-store.ts';
import { createClientReader } from './store/client-reader.ts';
import { createMemberGrants } from './store/member-grants.ts';
import { createSignInStore } from './store/sign-in-store.ts';
import { createSsoSessionStore } from './store/sso-session-store.ts';

const settings = readEnvironment([
  'environment',
  'tableName',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
  'memberPoolId',
  'interactionSeconds',
  'providerChoices',
]);
const { environment, authOrigin, tokenOrigin, apiOriginTemplate } = settings;
const table = createSignedTable({ tableName: settings.tableName });

const services: ConnectedAppsServices = {
  origins: { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate },
  clients: createClientReader(table),
  store: createAuthorizationStore(table),
  signIns: createSignInStore(table),
  ssoSessions: createSsoSessionStore(table),
  grants: createMemberGrants(table),
  findActiveAccount: createFindActiveAccount(
    new CognitoIdentityProviderClient({ retryStrategy: sdkRetries }),
    settings.memberPoolId,
    createAccountAccess(table, systemClock),
  ),
  providerOf: (lob) => settings.providerChoices?.[lob],
  digests,
  random: systemRandom,
  now: systemClock,
  interactionSeconds: settings.interactionSeconds,
};

/**
 * Serves `/fhir-oauth2/sec/{lob}/connected-apps`. Called by browsers through the authorization host; a visit begins a sign-in, whose pages
 * `authorize` serves. Reads grants and the member's audit record, and ends grants.
 */
export const handler = createMemberPagesHandler({
  environment,
  prefix: '/fhir-oauth2/sec/',
  handle: (method, page, request) => handleConnectedAppsPage(services, method, page, request),
});
