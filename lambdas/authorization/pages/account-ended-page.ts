/** HTML of the page for a member whose account changed between sign-in and consent. */

import { html } from 'hono/html';
import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ApplicationDescription } from './application.ts';
import { layout } from './layout.ts';
import { pageText } from './words/words.ts';

/** Renders the page that explains why nothing was shared, with a link back to the application. */
export function accountEndedPage({
  language,
  lob,
  application,
  location,
}: {
  readonly language: Language;
  readonly lob: LineOfBusiness;
  readonly application: ApplicationDescription;
  /** The registered redirect URI with the error `access_denied`. */
  readonly location: string;
}): string {
  const { title, advice, back } = pageText[language].accountEnded;
  const main = html`<h1>${title}</h1>
<p>${advice}</p>
<p><a class="button" href="${location}">${back(application.name)}</a></p>`;
  return layout({ language, title, lob, main });
}
