import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { pageAddress } from '../oauth/paths.ts';
import type { BrowserBinding } from './browser-binding.ts';
import type { RedirectResponse } from './browser-request.ts';

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
