/** Handler of `connected-apps`: the pages where a member sees and ends what they share. */

import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { auditWrite } from '../audit/store/audit-events-contract.ts';
import { createMemberExchanges } from '../payer-exchange/store/member-exchanges-contract.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createFindActiveAccount } from './aws/member-account-status.ts';
import { composeMemberPages } from './compose-member-pages.ts';
import type { ConnectedAppsServices } from './connected-apps/connected-apps-endpoint.ts';
import { handleConnectedAppsPage } from './connected-apps/connected-apps-pages.ts';
import { createMemberPagesHandler } from './member-pages-http.ts';
import { createMemberGrants } from './store/member-grants.ts';

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
const { environment } = settings;
const { table, access, pages } = composeMemberPages(settings);

const services: ConnectedAppsServices = {
  ...pages,
  grants: createMemberGrants(table),
  exchangesOf: (lob) => createMemberExchanges(table, { lob, now: pages.now, auditWrite }),
  findActiveAccount: createFindActiveAccount(
    new CognitoIdentityProviderClient({ retryStrategy: sdkRetries }),
    settings.memberPoolId,
    access,
  ),
  providerOf: (lob) => settings.providerChoices?.[lob],
  interactionSeconds: settings.interactionSeconds,
};

/**
 * Serves `/fhir-oauth2/sec/{lob}/connected-apps`. Called by browsers through the authorization host. Without a session it begins a sign-in,
 * whose pages `authorize` serves. Reads grants and the
 * member's audit record, ends grants, and begins, changes and ends exchanges with other payers.
 */
export const handler = createMemberPagesHandler({
  environment,
  prefix: '/fhir-oauth2/sec/',
  handle: (method, page, request) => handleConnectedAppsPage(services, method, page, request),
});
