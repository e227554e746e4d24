/** HTML of the page that confirms a logout. */

import { html } from 'hono/html';
import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { pageAddress, pagePath } from '../oauth/paths.ts';
import { layout } from './layout.ts';
import { pageText } from './words/words.ts';

export interface EndSessionPage {
  readonly language: Language;
  readonly lob: LineOfBusiness;
  /** Name of the requesting application; undefined if the request names none. */
  readonly application: string | undefined;
  /** The parameters of the logout request, repeated in hidden fields. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** Renders the page that asks the member whether to sign out. */
export function endSessionPage({ language, lob, application, parameters }: EndSessionPage): string {
  const { endSession, connectedApps } = pageText[language];
  const main = html`<h1>${endSession.title}</h1>
<p>${application === undefined ? endSession.asked : endSession.askedBy(application)} ${endSession.goesOn}</p>
<form method="post" action="${pagePath(lob, 'logout')}">
${parameters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}<div class="choices">
<button name="answer" value="stay">${endSession.stay}</button>
<button name="answer" value="sign-out">${connectedApps.signOut}</button>
</div>
</form>`;
  const inLanguage = (other: Language) =>
    pageAddress(lob, 'logout', { ...Object.fromEntries(parameters), language: other });
  return layout({ language, title: endSession.title, lob, main, inLanguage });
}
