/** HTML about other health plans that this plan asks for a member's data: cards, form, question before the end. */

import { html } from 'hono/html';
import type { Language } from '../../catalog/languages.ts';
import { exchangeTransitions } from '../../catalog/payer/exchange-states.ts';
import type { MemberExchange } from '../../payer-exchange/exchange/exchange-contract.ts';
import { pageAddress, pagePath } from '../oauth/paths.ts';
import { errorSummary, type FieldError, textField, titleWith } from './form-fields.ts';
import { layout, type Markup } from './layout.ts';
import type { MemberPage } from './member-page.ts';
import { day } from './times.ts';
import type { PlanFormFault } from './words/strings.ts';
import { pageText } from './words/words.ts';

/** The patient of a page, if it is not the reader. */
export interface RepresentedPatient {
  readonly patientId: string;
  readonly name: string;
}

/** An exchange as its card shows it. */
export interface OtherPlanView {
  readonly exchange: MemberExchange;
  readonly patient: RepresentedPatient | undefined;
}

/** Fields of the form, as the member typed them or as they are stored. */
export interface TypedPlan {
  readonly name: string;
  readonly memberNumber: string;
  readonly groupNumber: string;
  readonly covers: 'yes' | 'no' | undefined;
  readonly scope: 'regular' | 'sensitive' | undefined;
  /** `YYYY-MM-DD`; empty for a permission without an end. */
  readonly until: string;
}

/** Whether the member can still change what identifies them at the other plan. */
export function canCorrect({ state }: Pick<MemberExchange, 'state'>): boolean {
  return isIn(exchangeTransitions.correct.from, state) || isIn(exchangeTransitions['opt-in'].from, state);
}

/** Whether the member has given no permission, or ended it. */
export function isClosed({ state }: Pick<MemberExchange, 'state'>): boolean {
  return isIn(exchangeTransitions['opt-in'].from, state);
}

function isIn(states: readonly string[], state: string): boolean {
  return states.includes(state);
}

/** Renders the plans that are asked, each with its state, and a link to the form for another for each patient. */
export function otherPlans(
  page: MemberPage,
  plans: readonly OtherPlanView[],
  patients: readonly (RepresentedPatient | undefined)[],
): Markup {
  const { otherPlans: words } = pageText[page.language];
  return html`<h2>${words.asking}</h2>
<p>${words.askingIntro}</p>
${plans.map((plan) => card(page, plan))}${patients.map((patient) => {
  const text = patient === undefined ? words.add : `${words.add}: ${patient.name}`;
  return html`<p><a class="button second" href="${planAddress(page, { plan: 'new' }, patient)}">${text}</a></p>\n`;
})}`;
}

function planAddress(
  { lob }: Pick<MemberPage, 'lob'>,
  query: Readonly<Record<string, string>>,
  patient: RepresentedPatient | undefined,
): string {
  return pageAddress(lob, 'connected-apps', { ...query, patient: patient?.patientId });
}

function card(page: MemberPage, { exchange, patient }: OtherPlanView): Markup {
  const { language } = page;
  const { connectedApps, otherPlans: words } = pageText[language];
  const { exchangeId, plan, state } = exchange;
  const facts = [
    [connectedApps.whose, patient?.name],
    [words.memberNumber, plan.memberNumber],
    [words.groupNumber, plan.groupNumber],
    ...(isClosed(exchange) ? [] : permissionFacts(language, exchange)),
    ...clockFacts(language, exchange),
    [words.received, receivedText(language, exchange)],
  ].filter((fact): fact is [string, string] => fact[1] !== undefined);
  const open = (text: string, query: Readonly<Record<string, string>>) =>
    html`<p><a class="button second" href="${planAddress(page, query, patient)}">${text}</a></p>\n`;
  return html`<section class="card">
<h3>${plan.name}</h3>
<p>${words.states[state](plan.name)}</p>
<dl>
${facts.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>\n`)}</dl>
${isClosed(exchange) ? open(words.allow(plan.name), { plan: exchangeId }) : html`${open(words.change(plan.name), { plan: exchangeId })}${open(words.stop(plan.name), { end: exchangeId })}`}</section>
`;
}

type Fact = readonly [name: string, text: string | undefined];

function permissionFacts(language: Language, { permission }: MemberExchange): readonly Fact[] {
  if (permission === undefined) return [];
  const { otherPlans: words } = pageText[language];
  const { policy, givenAt, by, until } = permission;
  return [
    [words.scope, words.scopes[policy]],
    [by.kind === 'plan' ? words.permittedByPlan : words.permitted, day(language, Date.parse(givenAt))],
    [words.until, until === undefined ? words.noEnd : day(language, Date.parse(until))],
  ];
}

/** Dates of what comes next. A run in progress has none that a member can use. */
function clockFacts(language: Language, { state, nextAt, dueAt }: MemberExchange): readonly Fact[] {
  const { otherPlans: words } = pageText[language];
  const text = (time: string | undefined) =>
    time === undefined ? undefined : day(language, Date.parse(time));
  if (state === 'offered') return [[words.chooseBy, text(dueAt)]];
  if (state === 'opted-in' || state === 'payer-known' || state === 'due-again')
    return [[words.askBy, text(dueAt)]];
  return state === 'merged' || state === 'no-match' || state === 'constrained'
    ? [[words.next, text(nextAt)]]
    : [];
}

function receivedText(language: Language, { received }: MemberExchange): string | undefined {
  if (received === undefined) return undefined;
  const { otherPlans: words } = pageText[language];
  const at = day(language, Date.parse(received.at));
  return received.resources === 1 ? words.receivedOne(at) : words.receivedMany(at, received.resources);
}

/** Renders what the member has just done with a plan. */
export function planNotice(language: Language, exchange: MemberExchange): Markup {
  const { otherPlans: words } = pageText[language];
  const { name } = exchange.plan;
  return html`<div class="notice good" role="status"><p>${isClosed(exchange) ? words.stopped(name) : words.saved(name)}</p></div>
`;
}

/** The field that a fault is shown at. */
const faultFields: Readonly<Record<PlanFormFault, string>> = {
  plan_missing: 'plan_name',
  plan_long: 'plan_name',
  already: 'plan_name',
  too_many: 'plan_name',
  number_malformed: 'member_number',
  covers_missing: 'covers-yes',
  scope_missing: 'scope-regular',
  until_past: 'until',
  changed: 'until',
};

/** Renders the form by which a member lets this plan ask another, or changes that. */
export function planFormPage(
  page: MemberPage & {
    readonly exchangeId: string;
    /** The exchange, if it is stored; a form for a new plan has none. */
    readonly exchange: MemberExchange | undefined;
    readonly typed: TypedPlan;
    readonly faults: readonly PlanFormFault[];
    readonly patient: RepresentedPatient | undefined;
  },
): string {
  const { language, lob, exchange, exchangeId, typed, faults, patient, formToken } = page;
  const { connectedApps, otherPlans: words } = pageText[language];
  const isNew = exchange === undefined || isClosed(exchange);
  const title = isNew ? words.formTitle : words.changeTitle(exchange.plan.name);
  const errors = faults.map((fault) => ({ field: faultFields[fault], text: words.errors[fault] }));
  const main = html`${errorSummary(language, errors)}<h1>${title}</h1>
${patient === undefined ? '' : html`<p>${connectedApps.whose}: ${patient.name}</p>\n`}<p>${words.formIntro}</p>
<form method="post" action="${pagePath(lob, 'connected-apps')}" novalidate>
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="plan" value="${exchangeId}">
<input type="hidden" name="version" value="${exchange?.version ?? 0}">
${patient === undefined ? '' : html`<input type="hidden" name="patient" value="${patient.patientId}">\n`}${exchange === undefined || canCorrect(exchange) ? cardFields(language, typed, errors) : ''}
${choice(language, 'covers', ['yes', 'no'], typed.covers, errors)}
${choice(language, 'scope', ['regular', 'sensitive'], typed.scope, errors)}
${dayField(language, typed.until, errors)}
<div class="choices">
<a class="button second" href="${pagePath(lob, 'connected-apps')}">${words.cancel}</a>
<button name="answer" value="save-plan">${isNew ? words.submit : words.save}</button>
</div>
</form>`;
  const inLanguage = (other: Language) =>
    planAddress(page, { plan: exchange === undefined ? 'new' : exchangeId, language: other }, patient);
  return layout({ language, title: titleWith(language, title, errors), lob, main, inLanguage });
}

function cardFields(language: Language, typed: TypedPlan, errors: readonly FieldError[]): Markup {
  const { otherPlans: words } = pageText[language];
  const shared = { type: 'text', autocomplete: 'off' } as const;
  const optional = { ...shared, required: false } as const;
  return html`${textField({ ...shared, name: 'plan_name', label: words.planName, hint: words.planNameHint, value: typed.name }, errors)}
${textField({ ...optional, name: 'member_number', label: words.memberNumber, hint: words.memberNumberHint, value: typed.memberNumber }, errors)}
${textField({ ...optional, name: 'group_number', label: words.groupNumber, hint: words.groupNumberHint, value: typed.groupNumber }, errors)}`;
}

function choice<Name extends 'covers' | 'scope'>(
  language: Language,
  name: Name,
  values: Name extends 'covers' ? readonly ['yes', 'no'] : readonly ['regular', 'sensitive'],
  chosen: string | undefined,
  errors: readonly FieldError[],
): Markup {
  const { otherPlans: words } = pageText[language];
  const error = errors.find(({ field }) => field === `${name}-${values[0]}`);
  const texts: Readonly<Record<string, string>> = name === 'covers' ? words.covers : words.scopes;
  const hint = name === 'scope' ? html`<p class="soft" id="about-${name}">${words.scopeHint}</p>\n` : '';
  const described = [
    ...(name === 'scope' ? [`about-${name}`] : []),
    ...(error === undefined ? [] : [`${name}-error`]),
  ].join(' ');
  return html`<fieldset${described === '' ? '' : html` aria-describedby="${described}"`}>
<legend><h2>${name === 'covers' ? words.coversLegend : words.scopeLegend}</h2></legend>
${hint}${error === undefined ? '' : html`<p class="field-error" id="${name}-error">${error.text}</p>\n`}${values.map(
  (value) =>
    html`<div class="box"><input type="radio" id="${name}-${value}" name="${name}" value="${value}"${chosen === value ? html` checked` : ''}><label for="${name}-${value}">${texts[value]}</label></div>\n`,
)}</fieldset>`;
}

function dayField(language: Language, value: string, errors: readonly FieldError[]): Markup {
  const { otherPlans: words } = pageText[language];
  const error = errors.find(({ field }) => field === 'until');
  return html`<label for="until">${words.untilLabel}</label>
<p class="soft" id="about-until">${words.untilHint}</p>
${error === undefined ? '' : html`<p class="field-error" id="until-error">${error.text}</p>\n`}<input id="until" name="until" type="date" value="${value}" aria-describedby="about-until${error === undefined ? '' : ' until-error'}"${error === undefined ? '' : html` aria-invalid="true"`}>`;
}

/** Renders the question before this plan stops asking another: what happens to data that already came. */
export function stopPlanPage(page: MemberPage & OtherPlanView): string {
  const { language, lob, formToken, exchange, patient } = page;
  const { connectedApps, otherPlans: words } = pageText[language];
  const { exchangeId, plan } = exchange;
  const title = words.stopTitle(plan.name);
  const main = html`<h1>${title}</h1>
${patient === undefined ? '' : html`<p>${connectedApps.whose}: ${patient.name}</p>\n`}<p>${words.stopHint}</p>
<form method="post" action="${pagePath(lob, 'connected-apps')}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="plan" value="${exchangeId}">
${patient === undefined ? '' : html`<input type="hidden" name="patient" value="${patient.patientId}">\n`}<div class="choices">
<a class="button second" href="${pagePath(lob, 'connected-apps')}">${words.keep}</a>
<button name="answer" value="stop-plan">${words.stopNow}</button>
</div>
</form>`;
  const inLanguage = (other: Language) => planAddress(page, { end: exchangeId, language: other }, patient);
  return layout({ language, title, lob, main, inLanguage });
}
