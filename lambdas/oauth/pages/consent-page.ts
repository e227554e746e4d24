import { html } from 'hono/html';
import type { Interface } from '../../catalog/interfaces.ts';
import { type LineOfBusiness, linesOfBusiness } from '../../catalog/lines-of-business.ts';
import { parseDataScope, resourceTypes } from '../../catalog/scopes.ts';
import type { Application } from './application.ts';
import { english } from './english.ts';
import { layout, type Markup } from './layout.ts';
import { pagePath } from './paths.ts';

export interface ConsentPage {
  readonly lob: LineOfBusiness;
  readonly application: Application;
  /** What `*` in a scope stands for: all that these serve. */
  readonly products: readonly Interface[];
  readonly memberName: string;
  readonly scope: string;
  /** How long the access lasts once the member agreed. */
  readonly accessSeconds: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly handle: string;
  readonly formToken: string;
}

const { consent: words, language } = english;

/** What is shared, with whom, until when; and two buttons of the same weight. */
export function consentPage(page: ConsentPage): string {
  const { application, lob } = page;
  const title = words.title(application.name);
  const main = html`<h1>${title}</h1>
<p class="soft">${words.signedInAs(page.memberName)}</p>
${application.attested ? '' : warning(application.name)}<h2>${words.what}</h2>
<ul>${sharedGroups(page).map(({ name, detail }) => html`<li><strong>${name}</strong>${detail === '' ? '' : html`<br>${detail}`}</li>`)}</ul>
<p>${words.readOnly}</p>
<h2>${words.withWhom}</h2>
${recipient(application)}<p>${words.outside}</p>
<h2>${words.untilWhen}</h2>
<p>${end(page)} ${words.thenAgain}</p>
<form method="post" action="${pagePath(lob, 'consent')}">
<input type="hidden" name="interaction" value="${page.handle}">
<input type="hidden" name="form_token" value="${page.formToken}">
<div class="choices">
<button name="answer" value="decline">${words.decline}</button>
<button name="answer" value="share">${words.share}</button>
</div>
</form>`;
  return layout({ language, title, owner: linesOfBusiness[lob].name, main });
}

const secondsOfDay = 24 * 60 * 60;

function end({ accessSeconds, now }: Pick<ConsentPage, 'accessSeconds' | 'now'>): string {
  const endsAt = now + accessSeconds * 1000;
  return accessSeconds < secondsOfDay
    ? words.until(Math.round(accessSeconds / 60), timeOfDay(endsAt))
    : words.untilDate(dateOf(endsAt));
}

function warning(application: string): Markup {
  return html`<div class="notice warn">
<h2>${words.unattestedTitle}</h2>
<p>${words.unattested(application)}</p>
</div>
`;
}

function recipient({ name, host, privacyUri, termsOfServiceUri }: Application): Markup {
  return html`<p><strong>${name}</strong>${host === undefined ? '' : ` ${words.at(host)}`}</p>
<ul>
<li>${privacyUri === undefined ? words.noPrivacy : link(privacyUri, words.privacy)}</li>
${termsOfServiceUri === undefined ? '' : html`<li>${link(termsOfServiceUri, words.terms)}</li>`}
</ul>
`;
}

function link(uri: string, text: string): Markup {
  return html`<a href="${uri}" target="_blank" rel="noopener noreferrer">${text} (${words.opensElsewhere})</a>`;
}

/** The data groups the scopes stand for, each once, in the order granted. */
export function sharedGroups({
  scope,
  products,
}: Pick<ConsentPage, 'scope' | 'products'>): readonly { readonly name: string; readonly detail: string }[] {
  const scopes = scope.split(' ');
  const types = scopes.flatMap((text) => {
    const data = parseDataScope(text);
    if (data === undefined) return [];
    return data.resourceType === '*' ? resourceTypes(products) : [data.resourceType];
  });
  const groups = [...new Set(types)].map(
    (type) => words.groups[type] ?? { name: words.otherGroup(type), detail: '' },
  );
  return scopes.includes('openid') ? [...groups, words.identity] : groups;
}

function dateOf(ms: number): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', dateStyle: 'long' }).format(ms);
}

/** The plans are in the District and in Maryland: members read Eastern time. */
function timeOfDay(ms: number): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(ms);
}
