import { pageAddress } from '../pages/paths.ts';
import type { AuthorizationServer, BrowserRequest } from './browser-request.ts';
import type { FoundInteraction } from './find-interaction.ts';

/** Absolute address of a page of this interaction. */
export function interactionPageUrl(
  { origins }: AuthorizationServer,
  { lob }: BrowserRequest,
  { binding }: Pick<FoundInteraction, 'binding'>,
  page: 'sign-in' | 'code' | 'consent',
): string {
  return `${origins.auth}${pageAddress(lob, page, { interaction: binding.handle })}`;
}
