/** HTML of the page between one of our forms and the plan's identity provider. */

import { html } from 'hono/html';
import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { layout } from './layout.ts';
import { pageText } from './words/words.ts';

/**
 * Renders a page that continues to an address by itself. A form can't redirect to the provider: the page's policy (CSP Level 3,
 * `form-action`) limits the redirects of its forms, and a provider's pages may be on any host. The page in between ends the form's
 * navigation.
 */
export function continuePage({
  language,
  lob,
  provider,
  address,
}: {
  readonly language: Language;
  readonly lob: LineOfBusiness;
  readonly provider: string;
  /** Address of this service that redirects to the provider. */
  readonly address: string;
}): string {
  const title = pageText[language].provider.continueWith(provider);
  const main = html`<h1>${title}</h1>
<p><a class="button" href="${address}">${title}</a></p>`;
  return layout({ language, title, lob, main, continuesAt: address });
}
