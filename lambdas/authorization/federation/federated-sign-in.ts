/** Federated sign-in: the authentication request to the plan's identity provider, and its answer at the redirect URI. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { federationPath, type IdentityProvider } from '../../catalog/oauth/identity-providers.ts';
import type { RequestedAuthentication } from '../authorize/authorization-request.ts';
import type { BrowserBinding } from '../authorize/browser-binding.ts';
import type { BrowserRequest, BrowserResponse } from '../authorize/browser-request.ts';
import {
  type CompleteAuthenticationServices,
  completeAuthentication,
  signInEvent,
} from '../authorize/complete-authentication.ts';
import {
  type FoundInteraction,
  findInteractionOfQuery,
  type InteractionServices,
} from '../authorize/find-interaction.ts';
import type { AuthenticationRequest } from '../authorize/interaction.ts';
import { redirectToOtherPage } from '../authorize/redirect-to-page.ts';
import type { SignInStore } from '../authorize/sign-in-store-port.ts';
import type { FindPatientsOfAccount } from '../oauth/member-account.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { federationAddress } from '../oauth/paths.ts';
import { messagePage } from '../pages/message-page.ts';
import { answersRequest, federatedAccountOf, type LinkFederatedAccount } from './federated-account.ts';
import type { AuthenticationRequestSecrets, ProviderClient, ProviderRefusal } from './provider-client.ts';

export type FederatedSignInServices = InteractionServices &
  CompleteAuthenticationServices & {
    readonly signIns: Pick<SignInStore, 'sendToProvider' | 'refuseProvider'>;
    readonly identityProviderOf: (lob: LineOfBusiness) => IdentityProvider | undefined;
    readonly providerClient: ProviderClient;
    readonly linkAccount: LinkFederatedAccount;
    readonly patientsOf: FindPatientsOfAccount;
  };

/**
 * Reason of a refused sign-in. `provider_answer_unknown`: the response does not belong to the interaction's latest authentication request.
 * `provider_member_unknown`: the account's claim names no member of the LOB. `provider_account_linked`: the account is linked to another
 * member.
 */
export type FederatedSignInRefusal =
  | ProviderRefusal
  | 'provider_answer_unknown'
  | 'provider_member_unknown'
  | 'provider_account_linked';

/** Redirects to the plan's identity provider with a new authentication request, which replaces an earlier one. */
export async function startFederatedSignIn(
  services: FederatedSignInServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const visit = await findProviderVisit(services, request);
  if (visit.kind === 'refusal') return visit.response;
  const { found, provider } = visit;
  const { lob, language } = found.request;
  const state = `${found.binding.handle}.${services.random.token()}`;
  const wishes = requestedOf(found, request, provider);
  const sent = await services.providerClient.authorizationAddress(provider, {
    ...secretsOf(services, found.binding, state),
    ...wishes,
    redirectUri: redirectUriOf(services, lob),
    // The page's language is preferred.
    uiLocales: language === 'es' ? 'es en' : 'en es',
  });
  if (sent.kind === 'refusal') {
    await recordRefusal(services, found, provider, sent.refusal);
    return problemOf(services, found, sent.refusal);
  }
  const now = Math.floor(services.now() / 1000);
  const { interactionId } = found.interaction;
  const { issuer } = provider;
  const { maxAge } = wishes;
  const openRequest = { sha256: services.digests.sha256Hex(state), issuer, startedAt: now, maxAge };
  const audit = signInEvent(services, request, found, {
    outcome: 'permitted',
    reason: 'sent_to_provider',
    provider,
  });
  if (!(await services.signIns.sendToProvider({ lob, interactionId, now, audit, openRequest })))
    return messagePage(400, 'interaction_expired', language);
  return { kind: 'redirect', location: sent.address };
}

/** Handles the provider's response at the redirect URI (OpenID Connect Core section 3.1.2.5). A response is accepted once. */
export async function completeFederatedSignIn(
  services: FederatedSignInServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const state = parameterOf(request.query, 'state') ?? '';
  const [handle = ''] = state.split('.', 1);
  const query = new Map([['interaction', [handle]]]);
  // The redirect URI may be requested again by a reload or the back button, after the sign-in; `findProviderVisit` then redirects.
  const visit = await findProviderVisit(services, { ...request, query });
  if (visit.kind === 'refusal') return visit.response;
  const { found, provider } = visit;
  const openRequest = found.interaction.providerAttempt;
  const isOfRequest =
    openRequest !== undefined &&
    openRequest.issuer === provider.issuer &&
    services.digests.equal(services.digests.sha256Hex(state), openRequest.sha256);
  if (!isOfRequest) {
    await recordRefusal(services, found, provider, 'provider_answer_unknown');
    return problemOf(services, found, 'provider_answer_unknown');
  }
  return await acceptAnswer(
    services,
    { ...found, request: { ...found.request, query: request.query } },
    provider,
    {
      openRequest,
      state,
    },
  );
}

async function acceptAnswer(
  services: FederatedSignInServices,
  found: FoundInteraction,
  provider: IdentityProvider,
  { openRequest, state }: { readonly openRequest: AuthenticationRequest; readonly state: string },
): Promise<BrowserResponse> {
  const { request } = found;
  const { lob } = request;
  const callback = `${redirectUriOf(services, lob)}?${queryText(request)}`;
  const secrets = secretsOf(services, found.binding, state);
  const identity = await services.providerClient.authenticate(provider, callback, secrets);
  const refuse = (refusal: FederatedSignInRefusal) => refuseAnswer(services, found, openRequest, refusal);
  if (identity.kind === 'refusal') return await refuse(identity.refusal);
  const now = Math.floor(services.now() / 1000);
  if (!answersRequest(identity, provider, openRequest, now)) return await refuse('provider_answer_invalid');
  const account = federatedAccountOf(identity, services.digests);
  if (account === undefined) return await refuse('provider_member_unknown');
  const link = await services.linkAccount(lob, account);
  if (link === 'other_member') return await refuse('provider_account_linked');
  const patients = link === 'linked' ? await services.patientsOf(lob, account) : [];
  if (patients.length === 0) return await refuse('provider_member_unknown');
  return await completeAuthentication(services, request, found, {
    account: { sub: account.sub, patients },
    keep: false,
    provider: {
      requestSha256: openRequest.sha256,
      issuer: openRequest.issuer,
      authTime: Math.min(identity.authTime ?? identity.issuedAt, now),
    },
  });
}

/** Ends the authentication request, with the audit event. Does nothing if a concurrent request ended it. */
async function refuseAnswer(
  services: FederatedSignInServices,
  found: FoundInteraction,
  { sha256, issuer }: AuthenticationRequest,
  reason: FederatedSignInRefusal,
): Promise<BrowserResponse> {
  const { interaction, request } = found;
  const now = Math.floor(services.now() / 1000);
  const audit = signInEvent(services, request, found, { outcome: 'refused', reason, provider: { issuer } });
  await services.signIns.refuseProvider({
    lob: request.lob,
    interactionId: interaction.interactionId,
    now,
    audit,
    provider: { requestSha256: sha256, authTime: now },
  });
  return problemOf(services, found, reason);
}

async function recordRefusal(
  services: FederatedSignInServices,
  found: FoundInteraction,
  provider: IdentityProvider,
  reason: FederatedSignInRefusal,
): Promise<void> {
  const decision = { outcome: 'refused', reason, provider } as const;
  await services.audit.record(signInEvent(services, found.request, found, decision));
}

/** Redirects to the page that explains the refusal, so that a reload does not repeat the sign-in. */
function problemOf(
  { origins }: Pick<FederatedSignInServices, 'origins'>,
  { binding, request }: FoundInteraction,
  reason: FederatedSignInRefusal,
): BrowserResponse {
  const query = { interaction: binding.handle, reason: reason.replace(/^provider_/, '') };
  return { kind: 'redirect', location: `${origins.auth}${federationAddress(request.lob, 'problem', query)}` };
}

/** A sign-in in progress at an identity provider, or the response if there is none. */
export type ProviderVisit =
  | { readonly kind: 'visit'; readonly found: FoundInteraction; readonly provider: IdentityProvider }
  | { readonly kind: 'refusal'; readonly response: BrowserResponse };

/**
 * Finds the interaction of a request and the LOB's provider. Redirects to the current page of the interaction if the member has signed in
 * already.
 */
export async function findProviderVisit(
  services: FederatedSignInServices,
  request: BrowserRequest,
): Promise<ProviderVisit> {
  const result = await findInteractionOfQuery(services, request);
  if (result.kind === 'refusal') return result;
  const { found } = result;
  const further = redirectToOtherPage(services, found, 'sign-in');
  if (further !== undefined) return { kind: 'refusal', response: further };
  const { lob, language } = found.request;
  const provider = services.identityProviderOf(lob);
  return provider === undefined
    ? { kind: 'refusal', response: messagePage(404, 'page_unknown', language) }
    : { kind: 'visit', found, provider };
}

/**
 * The redirect URI of an LOB at its provider. Each LOB has its own, so that a response of one issuer is never taken for another's (RFC 9700
 * section 4.4).
 */
export function redirectUriOf(
  { origins }: Pick<FederatedSignInServices, 'origins'>,
  lob: LineOfBusiness,
): string {
  return `${origins.auth}${federationPath(lob, 'callback')}`;
}

/**
 * Derives `nonce` and PKCE verifier from the browser's secret and `state`. They are not stored, so that only this browser can complete the
 * sign-in.
 */
function secretsOf(
  { digests }: Pick<FederatedSignInServices, 'digests'>,
  { secret }: BrowserBinding,
  state: string,
): AuthenticationRequestSecrets {
  return {
    state,
    nonce: digests.hmacSha256Base64Url(secret, `nonce ${state}`),
    codeVerifier: digests.hmacSha256Base64Url(secret, `verifier ${state}`),
  };
}

/**
 * The application's authentication parameters as sent to the provider. `prompt=login` adds `max_age=0`, which makes the provider return
 * `auth_time`. `select_account` becomes `login`, which every provider supports.
 */
function requestedOf(
  { interaction }: FoundInteraction,
  { query }: BrowserRequest,
  provider: IdentityProvider,
) {
  const authentication: RequestedAuthentication = interaction.request?.authentication ?? { prompts: [] };
  const { prompts, maxAge, acrValues, loginHint } = authentication;
  const other = parameterOf(query, 'account') === 'other';
  const again = prompts.includes('login');
  const asks = again || other || prompts.includes('select_account');
  return {
    prompt: asks ? 'login' : undefined,
    maxAge: again ? 0 : maxAge,
    acrValues: provider.acrValues.length > 0 ? provider.acrValues.join(' ') : acrValues,
    loginHint: other ? undefined : loginHint,
  };
}

function queryText({ query }: BrowserRequest): string {
  return new URLSearchParams(
    [...query].flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  ).toString();
}
