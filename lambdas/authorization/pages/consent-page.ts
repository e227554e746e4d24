/** HTML of the consent page. */

import { html } from 'hono/html';
import { type DataGroup, isChoice } from '../../catalog/fhir/data-groups.ts';
import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { representativeRoles } from '../../catalog/oauth/representative-roles.ts';
import type { SignedInMember } from '../oauth/member-account.ts';
import { pageAddress, pagePath } from '../oauth/paths.ts';
import type { ApplicationDescription } from './application.ts';
import { errorSummary, titleWith } from './form-fields.ts';
import { bound, layout, type Markup, outsideLink } from './layout.ts';
import { day, timeOfDay } from './times.ts';
import { pageText } from './words/words.ts';

export interface ConsentPage {
  readonly language: Language;
  readonly lob: LineOfBusiness;
  readonly application: ApplicationDescription;
  /** Data groups the application requests. */
  readonly groups: readonly DataGroup[];
  /** Whether the application learns who the member is (`openid`), or their patient ID. */
  readonly identity: boolean;
  readonly member: SignedInMember;
  /** Whether access continues after the member has left (`offline_access`). */
  readonly lasting: boolean;
  /** Duration of the access, seconds. */
  readonly accessSeconds: number;
  /** Shorter durations that the member may choose, in days. */
  readonly days?: readonly number[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly handle: string;
  readonly formToken: string;
  /** Whether the previous submit selected no data group; the page then shows an error and ticks no box. */
  readonly nothingChosen?: boolean;
}

/** Renders the consent page: which data is shared, with which application, until when. The two buttons look equally important. */
export function consentPage(page: ConsentPage): string {
  const { application, lob, language } = page;
  const { consent } = pageText[language];
  const { member } = page;
  const title =
    member.representative === undefined
      ? consent.title(application.name)
      : consent.titleFor(member.displayName, application.name);
  const errors =
    page.nothingChosen === true
      ? [{ field: `group-${page.groups[0]?.id ?? ''}`, text: consent.nothingChosen }]
      : [];
  const main = html`${errorSummary(language, errors)}<h1>${title}</h1>
<form class="who" method="post" action="${pagePath(lob, 'consent')}">
${bound(page)}
<p class="soft">${consent.signedInAs(member.representative?.name ?? member.displayName)} <button class="plain" name="answer" value="switch">${consent.switchAccount}</button></p>
</form>
${actingFor(page)}${application.attested ? '' : warning(page)}<form method="post" action="${pagePath(lob, 'consent')}">
${bound(page)}
${isChoice(page.groups) ? choice(page) : groupList(page)}<p>${consent.readOnly}</p>
<h2>${consent.withWhom}</h2>
${recipient(page)}<p>${consent.outside}</p>
<h2>${consent.untilWhen}</h2>
<p>${until(page)} ${consent.thenAgain} ${consent.stopAnyTime}</p>
${ends(page)}<p>${consent.replaces(application.name)}</p>
<div class="choices">
<button name="answer" value="decline">${consent.decline}</button>
<button name="answer" value="share">${member.representative === undefined ? consent.share : consent.shareFor(member.displayName)}</button>
</div>
</form>`;
  const inLanguage = (other: Language) =>
    pageAddress(lob, 'consent', { interaction: page.handle, language: other });
  const pageTitle = titleWith(language, title, errors);
  return layout({ language, title: pageTitle, lob, main, inLanguage, stays: true });
}

/** Names the patient if the member acts as their personal representative. */
function actingFor({ member, language }: ConsentPage): Markup | '' {
  const { representative, displayName } = member;
  if (representative === undefined) return '';
  const { consent, patient } = pageText[language];
  const kind = patient.kinds[representativeRoles[representative.role]];
  return html`<p class="notice"><strong>${consent.onBehalfOf(displayName, kind)}</strong></p>\n`;
}

function warning({ application, language }: ConsentPage): Markup {
  const { consent } = pageText[language];
  return html`<div class="notice warn">
<h2>${consent.unattestedTitle}</h2>
<p>${consent.unattested(application.name)}</p>
</div>
`;
}

/** Renders a single group without a checkbox: the member can only share it or decline. */
function groupList(page: ConsentPage): Markup {
  const { consent } = pageText[page.language];
  return html`<h2>${consent.what}</h2>
<ul class="groups">${page.groups.map(({ words: names }) => {
    const { name, detail } = names[page.language];
    return html`<li><strong>${name}</strong><br>${detail}</li>`;
  })}${identity(page)}</ul>
`;
}

/** Renders each group with a checkbox. Sensitive groups are in a fieldset of their own, and not ticked. */
function choice(page: ConsentPage): Markup {
  const { consent } = pageText[page.language];
  const [plain, sensitive] = [false, true].map((is) => page.groups.filter((group) => group.sensitive === is));
  return html`<fieldset>
<legend><h2>${consent.what}</h2></legend>
<p>${consent.choose}</p>
${plain?.map((group) => box(page, group))}${page.identity ? html`<ul class="groups">${identity(page)}</ul>` : ''}</fieldset>
${
  sensitive?.length === 0
    ? ''
    : html`<fieldset class="apart">
<legend><h3>${consent.sensitive}</h3></legend>
<p>${consent.sensitiveHint}</p>
${sensitive?.map((group) => box(page, group))}</fieldset>
`
}`;
}

function box(
  { language, nothingChosen = false }: ConsentPage,
  { id, sensitive, words: names }: DataGroup,
): Markup {
  const { name, detail } = names[language];
  const checked = sensitive || nothingChosen ? '' : html` checked`;
  return html`<div class="box"><input type="checkbox" id="group-${id}" name="group" value="${id}" aria-describedby="about-${id}"${checked}><label for="group-${id}">${name}</label><p id="about-${id}">${detail}</p></div>
`;
}

function identity({ identity: asked, language }: ConsentPage): Markup | '' {
  if (!asked) return '';
  const { name, detail } = pageText[language].consent.identity;
  return html`<li><strong>${name}</strong><br>${detail}</li>`;
}

function recipient({ application, language }: ConsentPage): Markup {
  const { consent } = pageText[language];
  const { name, host, privacyUri, termsOfServiceUri, contactEmail } = application;
  return html`<p><strong>${name}</strong>${host === undefined ? '' : ` ${consent.at(host)}`}</p>
<ul>
<li>${privacyUri === undefined ? consent.noPrivacy : outsideLink(language, privacyUri, consent.privacy)}</li>
${termsOfServiceUri === undefined ? '' : html`<li>${outsideLink(language, termsOfServiceUri, consent.terms)}</li>\n`}${
  contactEmail === undefined
    ? ''
    : html`<li><a href="mailto:${contactEmail}">${consent.contact(contactEmail)}</a></li>\n`
}</ul>
`;
}

function until({ language, lasting, accessSeconds, now }: ConsentPage): string {
  const { consent } = pageText[language];
  const end = now + accessSeconds * 1000;
  return lasting
    ? consent.lasting(day(language, end))
    : consent.until(Math.round(accessSeconds / 60), timeOfDay(language, end));
}

/** Renders the choice of an end of access. The longest comes first, as in the sentence above it. */
function ends({ language, lasting, accessSeconds, days = [], now }: ConsentPage): Markup | '' {
  if (!lasting || days.length === 0) return '';
  const { consent } = pageText[language];
  const end = (seconds: number) => day(language, now + seconds * 1000);
  return html`<p><label for="days">${consent.endLabel}</label>
<select id="days" name="days"><option value="">${consent.endOn(end(accessSeconds))}</option>${days.map(
    (each) => html`<option value="${each}">${consent.endAfter(each, end(each * 86_400))}</option>`,
  )}</select></p>
`;
}
