/** HTML of the connected-apps pages: applications and plans that a member shares with, and what was given and received. */

import { html } from 'hono/html';
import type { DataGroup } from '../../catalog/fhir/data-groups.ts';
import type { Language } from '../../catalog/languages.ts';
import { representativeRoles } from '../../catalog/oauth/representative-roles.ts';
import type { MemberExchange } from '../../payer-exchange/exchange/exchange-contract.ts';
import type { PersonalRepresentative } from '../oauth/member-account.ts';
import { pageAddress, pagePath } from '../oauth/paths.ts';
import { layout, type Markup, outsideLink } from './layout.ts';
import type { MemberPage } from './member-page.ts';
import { type OtherPlanView, otherPlans, planNotice, type RepresentedPatient } from './other-plans-page.ts';
import { day, dayAndTime } from './times.ts';
import { pageText } from './words/words.ts';

/** An application that a member shares with. Times are milliseconds since 1970. */
export interface ConnectedAppView {
  readonly clientId: string;
  /** Undefined if the application is no longer registered. */
  readonly name: string | undefined;
  readonly host: string | undefined;
  /** Address that begins a sign-in at the application; undefined if it registered none. */
  readonly openAt: string | undefined;
  readonly groups: readonly DataGroup[];
  readonly since: number;
  /** Time of the last access. `notSince`: no access since that time, and earlier audit events were not read. */
  readonly lastAccess: number | 'never' | { readonly notSince: number };
  readonly endsAt: number;
  /** The personal representatives who consented. */
  readonly sharedBy: readonly PersonalRepresentative[];
  /** Whether it is another payer's, which matched the member. */
  readonly isPayers: boolean;
  /** The patient whose data is shared, if it is not the reader. */
  readonly patient?: RepresentedPatient | undefined;
}

/**
 * Renders the applications and payers that the member shares with, each with a button to stop, and the plans that are asked for the member's
 * data.
 */
export function connectedAppsPage(
  page: MemberPage & {
    readonly apps: readonly ConnectedAppView[];
    readonly plans: readonly OtherPlanView[];
    /** The patients whose data the reader may share; undefined for the reader's own. */
    readonly patients: readonly (RepresentedPatient | undefined)[];
    /** The exchange that the member has just begun, changed or stopped. */
    readonly saved: MemberExchange | undefined;
    /** The application that the member has just stopped. */
    readonly stopped: Pick<ConnectedAppView, 'name' | 'openAt'> | undefined;
  },
): string {
  const { language, lob, plans, patients, saved, stopped } = page;
  const { connectedApps, consent, otherPlans: words } = pageText[language];
  const [apps, payers] = [true, false].map((isApp) => page.apps.filter((app) => app.isPayers !== isApp));
  const main = html`${stopped === undefined ? '' : stoppedNotice(language, stopped)}${saved === undefined ? '' : planNotice(language, saved)}<h1>${connectedApps.title}</h1>
<p class="soft">${consent.signedInAs(page.memberName)}</p>
<h2>${connectedApps.apps}</h2>
<p>${apps?.length === 0 ? connectedApps.none : connectedApps.intro}</p>
${apps?.map((app) => card(page, app))}${payers?.length === 0 ? '' : html`<h2>${words.asked}</h2>\n${payers?.map((payer) => card(page, payer))}`}${otherPlans(page, plans, patients)}<h2>${words.everything}</h2>
${patients.map((patient) => everythingLink(page, patient))}${signOut(page)}`;
  const inLanguage = (other: Language) => pageAddress(lob, 'connected-apps', { language: other });
  return layout({ language, title: connectedApps.title, lob, main, inLanguage });
}

function everythingLink({ language, lob }: MemberPage, patient: RepresentedPatient | undefined): Markup {
  const address = pageAddress(lob, 'connected-apps', { history: 'all', patient: patient?.patientId });
  const { everything } = pageText[language].otherPlans;
  const whose = patient === undefined ? '' : `: ${patient.name}`;
  return html`<p><a href="${address}">${everything}${whose}</a></p>\n`;
}

function stoppedNotice(
  language: Language,
  { name, openAt }: Pick<ConnectedAppView, 'name' | 'openAt'>,
): Markup {
  const { connectedApps } = pageText[language];
  const application = name ?? connectedApps.unknownApp;
  const again =
    name === undefined
      ? ''
      : html`<p>${connectedApps.shareAgain(application)}${openLink(language, openAt, application)}</p>\n`;
  return html`<div class="notice good" role="status"><p>${connectedApps.stopped(application)}</p>
${again}</div>
`;
}

function openLink(language: Language, openAt: string | undefined, application: string): Markup | '' {
  if (openAt === undefined) return '';
  return html` ${outsideLink(language, openAt, pageText[language].connectedApps.open(application))}`;
}

function card(page: MemberPage, app: ConnectedAppView): Markup {
  const { language, lob } = page;
  const { connectedApps, consent } = pageText[language];
  const name = app.name ?? connectedApps.unknownApp;
  return html`<section class="card">
<h3>${name}</h3>
${app.host === undefined ? '' : html`<p class="soft">${consent.at(app.host)}</p>\n`}<dl>
${people(page, app)}<div><dt>${connectedApps.shared}</dt><dd>${lines(sharedWith(language, app))}</dd></div>
<div><dt>${connectedApps.since}</dt><dd>${day(language, app.since)}</dd></div>
<div><dt>${connectedApps.last}</dt><dd>${lastAccess(language, app.lastAccess)}</dd></div>
<div><dt>${connectedApps.until}</dt><dd>${dayAndTime(language, app.endsAt)}</dd></div>
</dl>
${app.openAt === undefined ? '' : html`<p>${outsideLink(language, app.openAt, connectedApps.open(name))}</p>\n`}${app.patient === undefined ? html`<p><a href="${pageAddress(lob, 'connected-apps', { app: app.clientId })}">${connectedApps.history(name)}</a></p>` : ''}
<p><a class="button second" href="${pageAddress(lob, 'connected-apps', { stop: app.clientId, ...patientOf(app) })}">${connectedApps.stop(name)}</a></p>
</section>
`;
}

/** The address's or form's field for the patient; none for the reader's own data. */
function patientOf({ patient }: Pick<ConnectedAppView, 'patient'>): { readonly patient?: string } {
  return patient === undefined ? {} : { patient: patient.patientId };
}

/** Renders the question before an end of sharing: what it means, and how to share again. */
export function stopSharingPage(
  page: MemberPage & { readonly app: Pick<ConnectedAppView, 'clientId' | 'name' | 'patient'> },
): string {
  const { language, lob, app, formToken } = page;
  const { connectedApps } = pageText[language];
  const name = app.name ?? connectedApps.unknownApp;
  const title = connectedApps.stopTitle(name);
  const { patient } = patientOf(app);
  const main = html`<h1>${title}</h1>
${app.patient === undefined ? '' : html`<p>${connectedApps.whose}: ${app.patient.name}</p>\n`}<p>${connectedApps.stopHint}</p>
${app.name === undefined ? '' : html`<p>${connectedApps.shareAgain(name)}</p>\n`}<form method="post" action="${pagePath(lob, 'connected-apps')}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="app" value="${app.clientId}">
${patient === undefined ? '' : html`<input type="hidden" name="patient" value="${patient}">\n`}<div class="choices">
<a class="button second" href="${pagePath(lob, 'connected-apps')}">${connectedApps.keep}</a>
<button name="answer" value="stop">${connectedApps.stopNow}</button>
</div>
</form>`;
  const inLanguage = (other: Language) =>
    pageAddress(lob, 'connected-apps', { stop: app.clientId, ...patientOf(app), language: other });
  return layout({ language, title, lob, main, inLanguage });
}

/** Names the patient and the person who shares the patient's data, if these are two people: each of them sees the other's name. */
function people({ language }: MemberPage, { patient, sharedBy }: ConnectedAppView): Markup | '' {
  const { connectedApps, patient: words } = pageText[language];
  if (patient !== undefined)
    return html`<div><dt>${connectedApps.whose}</dt><dd>${patient.name}</dd></div>\n`;
  if (sharedBy.length === 0) return '';
  const names = sharedBy.map(({ name, role }) =>
    connectedApps.sharedByOne(name, words.kinds[representativeRoles[role]]),
  );
  return html`<div><dt>${connectedApps.sharedBy}</dt><dd>${lines(names)}</dd></div>\n`;
}

/** Names of the shared data groups; for an application without data, a text that says it is a sign-in only. */
function sharedWith(language: Language, { groups }: ConnectedAppView): readonly string[] {
  const names = groups.map((group) => group.words[language].name);
  return names.length === 0 ? [pageText[language].consent.identity.name] : names;
}

function lastAccess(language: Language, last: ConnectedAppView['lastAccess']): string {
  const { connectedApps } = pageText[language];
  if (last === 'never') return connectedApps.never;
  if (typeof last === 'number') return dayAndTime(language, last);
  return connectedApps.notSince(dayAndTime(language, last.notSince));
}

/** One access of an application. */
export interface AccessView {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Data that was sent or requested; at least one element. */
  readonly got: readonly GotView[];
  readonly kind: 'given' | 'received';
  /** Name of the application or the other plan; undefined if it is not known any more. */
  readonly name: string | undefined;
}

/** Data of one data group in an access. */
export interface GotView {
  /** Undefined for a resource type that is in no data group. */
  readonly group: DataGroup | undefined;
  readonly resourceType: string;
  /** Number of records in a search response; absent for a read, which returns one. */
  readonly records?: number;
}

/** Renders the accesses of one application, or of all with what was received, newest first. */
export function historyPage(
  page: MemberPage & {
    readonly app: { readonly clientId: string; readonly name: string | undefined } | undefined;
    readonly patient: RepresentedPatient | undefined;
    readonly accesses: readonly AccessView[];
    /** Cursor of the next page. */
    readonly next: string | undefined;
  },
): string {
  const { language, lob, app, patient, accesses, next } = page;
  const { connectedApps, otherPlans: words } = pageText[language];
  const title =
    app === undefined ? words.everything : connectedApps.historyTitle(app.name ?? connectedApps.unknownApp);
  const about = {
    ...(app === undefined ? { history: 'all' } : { app: app.clientId }),
    patient: patient?.patientId,
  };
  const older =
    next === undefined ? undefined : pageAddress(lob, 'connected-apps', { ...about, after: next });
  const main = html`<h1>${title}</h1>
${patient === undefined ? '' : html`<p>${connectedApps.whose}: ${patient.name}</p>\n`}${accesses.length === 0 ? html`<p>${connectedApps.nothingRead}</p>` : table(page)}
${older === undefined ? '' : html`<p><a href="${older}">${connectedApps.older}</a></p>\n`}<p><a href="${pagePath(lob, 'connected-apps')}">${connectedApps.back}</a></p>
${signOut(page)}`;
  const inLanguage = (other: Language) => pageAddress(lob, 'connected-apps', { ...about, language: other });
  return layout({ language, title, lob, main, inLanguage });
}

function table({ language, app, accesses }: Parameters<typeof historyPage>[0]): Markup {
  const { connectedApps, otherPlans: words } = pageText[language];
  const isAll = app === undefined;
  const who = ({ kind, name }: AccessView) =>
    kind === 'given' ? words.to(name ?? connectedApps.unknownApp) : words.from(name ?? words.unknownPlan);
  return html`<p>${isAll ? words.everythingIntro : connectedApps.historyIntro}</p>
<table class="history">
<thead><tr><th scope="col">${connectedApps.when}</th>${isAll ? html`<th scope="col">${words.who}</th>` : ''}<th scope="col">${isAll ? words.what : connectedApps.read}</th></tr></thead>
<tbody>
${accesses.map(
  (access) =>
    html`<tr><td>${dayAndTime(language, access.time)}</td>${isAll ? html`<td>${who(access)}</td>` : ''}<td>${lines(access.got.map((one) => gotText(language, one)))}</td></tr>\n`,
)}</tbody>
</table>`;
}

/** Renders short texts as lines of one cell. */
function lines(texts: readonly string[]): Markup {
  return html`${texts.map((text, index) => html`${index === 0 ? '' : html`<br>`}${text}`)}`;
}

function gotText(language: Language, { group, resourceType, records }: GotView): string {
  const { connectedApps } = pageText[language];
  const name = group?.words[language].name ?? resourceType;
  if (records === undefined) return name;
  if (records === 0) return connectedApps.gotNothing(name);
  return records === 1 ? connectedApps.gotOne(name) : connectedApps.gotMany(name, records);
}

function signOut({ language, lob, formToken }: MemberPage): Markup {
  return html`<form method="post" action="${pagePath(lob, 'connected-apps')}">
<input type="hidden" name="form_token" value="${formToken}">
<button class="plain" name="answer" value="sign-out">${pageText[language].connectedApps.signOut}</button>
</form>`;
}
