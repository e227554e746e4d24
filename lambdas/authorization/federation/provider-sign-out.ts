/** Logout at the plan's identity provider, and the return from there. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { federationPath, type IdentityProvider } from '../../catalog/oauth/identity-providers.ts';
import { jsonValue } from '../../platform/kernel/json-members.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { BrowserRequest, BrowserResponse } from '../authorize/browser-request.ts';
import {
  type LogoutServices,
  logoutParameters,
  parametersSent,
  verifyLogoutRequest,
} from '../authorize/end-session-endpoint.ts';
import { endedSessionCookie, hasEndedSession } from '../authorize/provider-logout.ts';
import { type Parameters, parameterOf } from '../oauth/parameters.ts';
import { messagePage } from '../pages/message-page.ts';
import type { ProviderClient } from './provider-client.ts';

export type ProviderSignOutServices = LogoutServices & {
  readonly identityProviderOf: (lob: LineOfBusiness) => IdentityProvider | undefined;
  readonly providerClient: Pick<ProviderClient, 'endSessionAddress'>;
  readonly random: Pick<Random, 'token'>;
};

/** Seconds that a member may spend on the provider's own pages. */
const awaySeconds = 600;

const returning = z.object({ state: z.string(), parameters: z.array(z.tuple([z.string(), z.string()])) });

/**
 * Redirects to the logout of the plan's identity provider (OpenID Connect RP-Initiated Logout 1.0) after the session in this browser has
 * ended. If the provider has no end-session endpoint or is down, the logout is complete.
 */
export async function startProviderSignOut(
  services: ProviderSignOutServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const { lob, query } = request;
  if (!hasEndedSession(request)) return messagePage(400, 'logout_request_malformed', request.language);
  const ended = endedSessionCookie(lob, 0);
  const provider = services.identityProviderOf(lob);
  const state = services.random.token();
  const address =
    provider === undefined
      ? undefined
      : await services.providerClient.endSessionAddress(provider, {
          postLogoutRedirectUri: `${services.origins.auth}${federationPath(lob, 'signed-out')}`,
          state,
        });
  if (address === undefined) return withCookies(await finish(services, request, query), [ended]);
  // The application's logout request is kept in a cookie, and verified again after the return.
  const parameters = parametersSent(query, logoutParameters);
  const value = Buffer.from(JSON.stringify({ state, parameters })).toString('base64url');
  const setCookies = [ended, returnCookie(lob, value, awaySeconds)];
  return { kind: 'redirect', location: address, setCookies };
}

/** Handles the return from the provider's logout: redirects to the application if it requested the logout. */
export async function completeProviderSignOut(
  services: ProviderSignOutServices,
  request: BrowserRequest,
): Promise<BrowserResponse> {
  const { lob, cookies, query } = request;
  const kept = readReturn(cookies.get(returnCookieName(lob)));
  const isOurs = kept !== undefined && kept.state === parameterOf(query, 'state');
  const parameters: Parameters = new Map(
    isOurs ? kept.parameters.map(([name, value]) => [name, [value]]) : [],
  );
  return withCookies(await finish(services, request, parameters), [returnCookie(lob, '', 0)]);
}

/** Redirects to the application's registered address, or says that the member is signed out. */
async function finish(
  services: ProviderSignOutServices,
  request: BrowserRequest,
  parameters: Parameters,
): Promise<BrowserResponse> {
  const asked = await verifyLogoutRequest(services, request, parameters);
  return asked.kind === 'request' && asked.location !== undefined
    ? { kind: 'redirect', location: asked.location }
    : messagePage(200, 'signed_out', request.language);
}

function readReturn(value: string | undefined): z.infer<typeof returning> | undefined {
  return returning.safeParse(jsonValue(Buffer.from(value ?? '', 'base64url').toString('utf8'))).data;
}

function withCookies(response: BrowserResponse, setCookies: readonly string[]): BrowserResponse {
  return { ...response, setCookies };
}

function returnCookieName(lob: LineOfBusiness): string {
  return `__Host-logout-return-${lob.toLowerCase()}`;
}

/** The cookie that keeps the logout request. `Lax`, because it is read after the provider's redirect. */
function returnCookie(lob: LineOfBusiness, value: string, maxAgeSeconds: number): string {
  return `${returnCookieName(lob)}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
}
