/** First page of an interaction: the sign-in page, or the redirect to the plan's identity provider. */

import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ProviderChoice } from '../../catalog/oauth/identity-providers.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import { federationAddress } from '../oauth/paths.ts';
import { applicationOf } from '../pages/application.ts';
import { formActionOf, type SignInError, signInPage } from '../pages/sign-in-page.ts';
import { type BrowserBinding, bindingCookie, formTokenOf } from './browser-binding.ts';
import type { PageResponse, RedirectResponse } from './browser-request.ts';
import type { FoundInteraction } from './find-interaction.ts';

export interface FirstPageServices {
  readonly origins: EnvironmentOrigins;
  readonly digests: Digests;
  /** The plan's identity provider of an LOB, as the sign-in page shows it. */
  readonly providerOf: (lob: LineOfBusiness) => ProviderChoice | undefined;
}

/** The sign-in page, or the redirect to the plan's identity provider if members sign in only there. */
export function firstPageResponse(
  services: FirstPageServices,
  found: FoundInteraction,
): PageResponse | RedirectResponse {
  const { lob } = found.request;
  if (services.providerOf(lob)?.localAccounts !== false) return signInPageResponse(services, found);
  const location = `${services.origins.auth}${federationAddress(lob, 'start', { interaction: found.binding.handle })}`;
  return { kind: 'redirect', location };
}

/** The cookie of a new interaction: `Lax` if the LOB has an identity provider, whose redirect back is a cross-site navigation. */
export function beginningCookie(
  { providerOf }: Pick<FirstPageServices, 'providerOf'>,
  lob: LineOfBusiness,
  binding: BrowserBinding,
  maxAgeSeconds: number,
): string {
  return bindingCookie(binding, maxAgeSeconds, providerOf(lob) === undefined ? 'Strict' : 'Lax');
}

/** Renders the sign-in page of an interaction, with the message of an error if there was one. */
export function signInPageResponse(
  { digests, providerOf }: Pick<FirstPageServices, 'digests' | 'providerOf'>,
  { binding, client, interaction, request }: FoundInteraction,
  also: {
    readonly error?: SignInError;
    readonly username?: string | undefined;
    readonly keep?: boolean;
  } = {},
): PageResponse {
  const html = signInPage({
    language: request.language,
    lob: request.lob,
    application: client === undefined ? undefined : applicationOf(client),
    handle: binding.handle,
    formToken: formTokenOf(binding, digests),
    provider: providerOf(request.lob),
    // OpenID Connect Core section 3.1.2.1: a hint, which the member may overwrite.
    username: interaction.request?.authentication?.loginHint,
    ...also,
  });
  const target = interaction.request?.redirectUri;
  return {
    kind: 'page',
    status: 200,
    html,
    ...(target !== undefined && { formAction: formActionOf(target) }),
  };
}
