import type {
  BrowserRequest,
  BrowserResponse,
} from '../../../lambdas/authorization/authorize/browser-request.ts';
import {
  type FederationServices,
  handleFederationPage,
} from '../../../lambdas/authorization/federation/federation-pages.ts';
import { createProviderClient } from '../../../lambdas/authorization/identity-provider/openid-client.ts';
import { languageOf } from '../../../lambdas/authorization/pages/words/language.ts';
import { createAccountAccess } from '../../../lambdas/authorization/store/account-access.ts';
import { createLinkFederatedAccount } from '../../../lambdas/authorization/store/federated-links.ts';
import { createSignInStore } from '../../../lambdas/authorization/store/sign-in-store.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { IdentityProvider } from '../../../lambdas/catalog/oauth/identity-providers.ts';
import { createGuardedRequest } from '../../../lambdas/platform/runtime/guarded-fetch.ts';
import { memberIdKey } from '../../../lambdas/platform/table/table-keys.ts';
import { memberIdClaim, planScope } from '../../support/plan-provider.ts';
import type { PagesWorld } from '../pages-world.ts';

/** An identity provider of one LOB that authenticates the client by a shared secret. */
export const aProvider = (issuer: string, changes: Partial<IdentityProvider> = {}): IdentityProvider => ({
  ...{ issuer, clientId: 'member-data', clientAuthentication: 'client_secret_basic' },
  ...{ idTokenAlgorithm: 'RS256', memberIdClaim, scopes: ['openid', planScope] },
  ...{ label: { en: 'Plan Portal', es: 'Portal del plan' }, acrValues: [], localAccounts: false },
  ...changes,
});

/** Services of the federated sign-in, over the world of the members' pages. */
export function federationOf(
  world: PagesWorld,
  providers: Partial<Record<LineOfBusiness, IdentityProvider>>,
): FederationServices {
  world.providers = providers;
  return {
    ...world.server,
    signIns: createSignInStore(world.table),
    identityProviderOf: (lob) => providers[lob],
    providerClient: createProviderClient({
      send: createGuardedRequest(undefined, { loopback: true, timeoutMs: 20_000 }),
      signingKey: () => Promise.reject(new Error('no key here')),
      clientSecret: async () => 'the-plan-s-secret',
      failed: () => undefined,
      now: () => world.nowMs,
      loopback: true,
    }),
    linkAccount: createLinkFederatedAccount(world.table),
    patientsOf: createAccountAccess(world.table, () => world.nowMs).patientsOf,
  };
}

/** Writes a member as a drop loads them: a Patient that is found by member ID, and no account. */
export async function loadMember(
  world: PagesWorld,
  lob: LineOfBusiness,
  memberId: string,
  patientId: string,
) {
  await world.table.put({ ...memberIdKey(lob, memberId), patientId });
}

/** Requests a page of the federated sign-in with the cookies of a browser. */
export async function visitFederation(
  services: FederationServices,
  cookies: Map<string, string>,
  address: string | URL,
): Promise<BrowserResponse> {
  const { pathname, searchParams } = new URL(address);
  const [, , , code = '', page = ''] = pathname.split('/');
  const lob = code.toUpperCase() as LineOfBusiness;
  const query = new Map<string, string[]>();
  for (const [name, value] of searchParams) query.set(name, [...(query.get(name) ?? []), value]);
  const source = { query, form: new Map(), cookies, acceptLanguage: undefined };
  const request: BrowserRequest = {
    ...{ ...source, lob, language: languageOf(source), origin: undefined, fetchSite: 'cross-site' },
    ...{ address: '192.0.2.1', context: { environment: 'sandbox', lob, requestId: 'request-1' } },
  };
  const answer = await handleFederationPage(services, 'GET', page, request);
  for (const line of answer.setCookies ?? []) {
    const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
    if (/Max-Age=0/.test(rest)) cookies.delete(name);
    else cookies.set(name, value);
  }
  return answer;
}
