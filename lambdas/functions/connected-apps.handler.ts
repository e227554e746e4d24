/** Handler of `connected-apps`: the pages where a member sees and ends what they share. */

import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { createFindActiveAccount } from '../aws/member-account-status.ts';
import type { ConnectedAppsServices } from '../oauth/connected-apps/connected-apps-endpoint.ts';
import { handleConnectedAppsPage } from '../oauth/connected-apps/connected-apps-pages.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createAuthorizationStore } from '../storage/authorization/authorization-store.ts';
import { createSignInStore } from '../storage/authorization/sign-in-store.ts';
import { createSsoSessionStore } from '../storage/authorization/sso-session-store.ts';
import { createClientReader } from '../storage/clients/client-reader.ts';
import { createAccountAccess } from '../storage/members/account-access.ts';
import { createMemberGrants } from '../storage/members/member-grants.ts';
import { createSignedTable } from '../table/signed-table.ts';
import { createMemberPagesHandler } from './member-pages-http.ts';

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

/** `/fhir-oauth2/sec/{lob}/connected-apps`. A visit begins a sign-in, whose pages `authorize` serves. */
export const handler = createMemberPagesHandler({
  environment,
  prefix: '/fhir-oauth2/sec/',
  handle: (method, page, request) => handleConnectedAppsPage(services, method, page, request),
});
