import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { pageAddress } from '../oauth/paths.ts';
import type { BrowserBinding } from './browser-binding.ts';
import type { RedirectResponse } from './browser-request.ts';
import type { Interaction } from './interaction.ts';

/** Redirects to a page of an interaction. */
export function redirectToPage(
  { origins }: { readonly origins: EnvironmentOrigins },
  { lob }: { readonly lob: LineOfBusiness },
  { binding }: { readonly binding: BrowserBinding },
  page: 'sign-in' | 'code' | 'patient' | 'consent' | 'activation' | 'activation-code' | 'activation-password',
  setCookies: readonly string[] = [],
): RedirectResponse {
  const location = `${origins.auth}${pageAddress(lob, page, { interaction: binding.handle })}`;
  return { kind: 'redirect', location, ...(setCookies.length > 0 && { setCookies }) };
}

/** The page of each state of an interaction. An answered interaction is not found. */
const pageOfState = {
  'signing-in': 'sign-in',
  verifying: 'code',
  choosing: 'patient',
  consenting: 'consent',
  answered: 'sign-in',
} as const satisfies Record<Interaction['state'], string>;

/**
 * Redirects a member whose interaction is in another state than a page is for: the form was sent twice, or the back button was used.
 *
 * @param page the page that was requested
 * @returns undefined if the interaction is in the state of this page
 */
export function redirectToOtherPage(
  services: { readonly origins: EnvironmentOrigins },
  found: {
    readonly request: { readonly lob: LineOfBusiness };
    readonly binding: BrowserBinding;
    readonly interaction: Pick<Interaction, 'state'>;
  },
  page: (typeof pageOfState)[Interaction['state']],
): RedirectResponse | undefined {
  const current = pageOfState[found.interaction.state];
  return current === page ? undefined : redirectToPage(services, found.request, found, current);
}
