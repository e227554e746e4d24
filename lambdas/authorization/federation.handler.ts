/** Handler of `federation`, reached through the authorization host: sign-in at a plan's identity provider. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { createGuardedRequest } from '../platform/runtime/guarded-fetch.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { composeMemberPages } from './compose-member-pages.ts';
import { type FederationServices, handleFederationPage } from './federation/federation-pages.ts';
import { createProviderClient } from './identity-provider/openid-client.ts';
import { createMemberPagesHandler } from './member-pages-http.ts';
import { createIssuerSecrets, readCurrentSecret, secretCalls } from './signing/issuer-secrets.ts';
import { createSecretSigningKeys } from './signing/secret-signing-keys.ts';
import { createAuthorizationAuditTrail } from './store/authorization-audit-trail.ts';
import { createLinkFederatedAccount } from './store/federated-links.ts';

const settings = readEnvironment([
  'environment',
  'tableName',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
  'identityProviders',
  'identityProviderSecrets',
  'signingSecrets',
]);
const { environment, authOrigin, identityProviders } = settings;
const { table, access, pages } = composeMemberPages(settings);
const sendToSecrets = secretCalls();
const keys = createSecretSigningKeys({
  readSecret: createIssuerSecrets(settings.signingSecrets, sendToSecrets),
  now: systemClock,
});
const clientSecret = z.object({ clientSecret: z.string().check(z.minLength(1)) });
/** Timeout of one call to a provider. A sign-in makes three at most: metadata, tokens and keys. */
const providerTimeoutMs = 4_000;

const services: FederationServices = {
  ...pages,
  audit: createAuthorizationAuditTrail(table),
  // `authorize` has verified the logout and its `id_token_hint` before it redirects here.
  hints: { read: async () => undefined },
  identityProviderOf: (lob) => identityProviders[lob],
  providerClient: createProviderClient({
    // An environment without TLS runs on one machine, where its providers may run too.
    ...(authOrigin.startsWith('http:') && { loopback: true }),
    send: createGuardedRequest(undefined, {
      loopback: authOrigin.startsWith('http:'),
      timeoutMs: providerTimeoutMs,
    }),
    signingKey: () => keys.current('FEDERATION'),
    clientSecret: async ({ issuer, clientId }) => await readClientSecret(issuer, clientId),
    failed: (refusal, code) => consoleLog('warn', refusal, { reason: code }),
    now: systemClock,
  }),
  linkAccount: createLinkFederatedAccount(table),
  patientsOf: access.patientsOf,
};

/**
 * Serves `/fhir-oauth2/federation/{lob}/start` and the pages that follow it. Called by browsers through the authorization host. The only
 * function that calls identity providers. Writes interactions, sessions and links of accounts; reads no resource and checks no password.
 */
export const handler = createMemberPagesHandler({
  environment,
  prefix: '/fhir-oauth2/federation/',
  handle: (method, page, request) => handleFederationPage(services, method, page, request),
});

/**
 * Reads this service's client secret at a provider.
 *
 * @throws Error if the operator has not stored the secret yet.
 */
async function readClientSecret(issuer: string, clientId: string): Promise<string> {
  const lobs = Object.keys(identityProviders) as LineOfBusiness[];
  const lob = lobs.find(
    (each) => identityProviders[each]?.issuer === issuer && identityProviders[each]?.clientId === clientId,
  );
  const secretId = lob === undefined ? undefined : settings.identityProviderSecrets[lob];
  if (secretId === undefined) throw new Error('the provider has no secret here');
  const value = await readCurrentSecret(sendToSecrets, secretId);
  return clientSecret.parse(JSON.parse(value ?? '{}')).clientSecret;
}
