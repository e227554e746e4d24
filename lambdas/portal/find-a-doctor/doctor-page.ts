/**
 * Renders "Find a doctor" as HTML without scripts: the form and the results. Header and footer come from a static page of the portal's
 * site.
 */

import { html } from 'hono/html';
import { specialtyRows } from '../../catalog/fhir/specialty-words.ts';
import { linesOfBusiness } from '../../catalog/lines-of-business.ts';
import { logoAddress, type PlanBrand, planBrand } from '../../catalog/plan-brand.ts';
import { findADoctorPath } from '../catalog/find-a-doctor.ts';
import { distanceChoices, languageChoices } from './doctor-choices.ts';
import { type DoctorQuery, type DoctorQueryErrors, directoryLobs, doctorPagePath } from './doctor-query.ts';
import type { Doctor, DoctorPlace } from './doctor-results.ts';
import { resultsHeading, searchWords, widerSearches } from './doctor-words.ts';
import type { DoctorPage, DoctorResults } from './find-doctors.ts';

type Markup = ReturnType<typeof html>;

/**
 * Renders the `main` part of the page.
 *
 * @param base FHIR base URL of the plan's directory.
 * @param brand of the plan. @default the one of this deployment
 */
export function doctorPage(page: DoctorPage, base: string, brand: PlanBrand | undefined = planBrand): string {
  const { query, errors } = page;
  const specialties = specialtyRows.map(([key, { label }]): [string, string] => [key, label]);
  const languages = page.languages.map((tag): [string, string] => [tag, languageChoices[tag]]);
  const markup = html`<div class="page page--branded">
${brandMark(brand)}<h1>Find a doctor</h1>
<p class="page__lead">Search the provider directory of ${brand?.name ?? 'a health plan'}. You don’t need to sign in.</p>
${errorSummary(errors)}
<form class="form" method="get" action="${findADoctorPath}${resultsPlace}" novalidate>
${planField(page)}
<div class="columns">
${textField('name', 'Name', query.name, errors.name, 'First name, last name, or the beginning of either')}
${selectField('specialty', 'Specialty', query.specialty ?? '', [['', 'Any specialty'], ...specialties], errors.specialty)}
${textField('zip', 'ZIP code', query.zip, errors.zip, 'To search near a place', 'inputmode="numeric" autocomplete="postal-code"')}
${selectField(
  'miles',
  'Distance',
  String(query.miles),
  distanceChoices.map((miles) => [String(miles), `Within ${miles} miles`]),
)}
${networkField(page)}
${selectField('language', 'Language', query.language ?? '', [['', 'Any language'], ...languages], errors.language)}
</div>
<div class="usa-checkbox">
<input class="usa-checkbox__input" type="checkbox" id="accepting" name="accepting" value="yes"${query.accepting ? html` checked` : ''}>
<label class="usa-checkbox__label" for="accepting">Only doctors who accept new patients</label>
</div>
<input type="hidden" name="environment" value="${query.environment}">
<div class="form__actions"><button class="usa-button" type="submit">Search</button></div>
</form>
${problemOf(page)}
${resultsOf(page, base)}
${environmentNote(query)}
</div>`;
  if (markup instanceof Promise) throw new TypeError('the page has nothing to wait for');
  return markup.toString();
}

/** Renders the plan's logo. A name without a logo is in the text. */
function brandMark(brand: PlanBrand | undefined): Markup | '' {
  if (brand?.logo === undefined) return '';
  const { width, height } = brand.logo;
  return html`<p><img class="plan-logo" src="${logoAddress(brand.logo)}" alt="${brand.name}" width="${width}" height="${height}"></p>\n`;
}

/** Renders the `main` part of the page for a caller who has searched too often. */
export function tooManySearches(seconds: number): string {
  return `<div class="page">
<h1>Find a doctor</h1>
<div class="usa-alert usa-alert--warning" role="status"><div class="usa-alert__body"><h2 class="usa-alert__heading">Too many searches</h2>
<p>Your network address has made too many searches. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then reload this page.</p></div></div>
</div>`;
}

function errorSummary(errors: DoctorQueryErrors): Markup | '' {
  const list = Object.entries(errors);
  if (list.length === 0) return '';
  return html`<div class="usa-alert usa-alert--error" role="alert"><div class="usa-alert__body">
<h2 class="usa-alert__heading">${list.length === 1 ? 'There is 1 problem' : `There are ${list.length} problems`}</h2>
<ul>${list.map(([name, text]) => html`<li><a href="#${name}">${text}</a></li>`)}</ul>
</div></div>`;
}

function planField({ query, errors }: DoctorPage): Markup {
  const plans = directoryLobs.map((lob): [string, string] => [lob, linesOfBusiness[lob].name]);
  return selectField('lob', 'Health plan', query.lob ?? '', [['', 'Select a plan'], ...plans], errors.lob);
}

function networkField({ query, networks }: DoctorPage): Markup {
  const choices = networks.map(({ id, name }): [string, string] => [id, name]);
  const hint = query.lob === undefined ? 'Networks are listed after the first search' : undefined;
  return selectField('network', 'Network', query.network, [['', 'Any network'], ...choices], undefined, hint);
}

function selectField(
  name: string,
  label: string,
  value: string,
  choices: readonly (readonly [value: string, label: string])[],
  error?: string,
  hint?: string,
): Markup {
  const options = choices.map(
    ([each, text]) => html`<option value="${each}"${each === value ? html` selected` : ''}>${text}</option>`,
  );
  return field(
    name,
    label,
    error,
    hint,
    html`<select class="usa-select" id="${name}" name="${name}"${described(name, error, hint)}>${options}</select>`,
  );
}

function textField(
  name: string,
  label: string,
  value: string,
  error: string | undefined,
  hint: string,
  kind: '' | 'inputmode="numeric" autocomplete="postal-code"' = '',
): Markup {
  const attributes = kind === '' ? '' : html` inputmode="numeric" autocomplete="postal-code"`;
  return field(
    name,
    label,
    error,
    hint,
    html`<input class="usa-input" type="text" id="${name}" name="${name}" value="${value}"${attributes}${described(name, error, hint)}>`,
  );
}

function described(name: string, error: string | undefined, hint: string | undefined): Markup | '' {
  const ids = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
  ];
  if (ids.length === 0) return '';
  const invalid = error === undefined ? '' : html` aria-invalid="true"`;
  return html` aria-describedby="${ids.join(' ')}"${invalid}`;
}

function field(
  name: string,
  label: string,
  error: string | undefined,
  hint: string | undefined,
  control: Markup,
) {
  return html`<div class="usa-form-group${error === undefined ? '' : ' usa-form-group--error'}">
<label class="usa-label" for="${name}">${label}</label>
${hint === undefined ? '' : html`<div class="usa-hint" id="${name}-hint">${hint}</div>`}
${error === undefined ? '' : html`<p class="usa-error-message" id="${name}-error"><span class="usa-sr-only">Error: </span>${error}</p>`}
${control}
</div>`;
}

function problemOf({ problem, query }: DoctorPage): Markup | '' {
  if (problem === undefined) return '';
  const words = {
    unavailable: 'The directory is not available right now. Try again in a few minutes.',
    zip: `ZIP code ${query.zip} is not in use. Check it, or try a ZIP code nearby.`,
    expired: 'The directory was updated while you read. Search again to see the new results.',
    refused: problem.kind === 'refused' ? problem.words : '',
  }[problem.kind];
  // The plan's own directory may not be loaded yet; the sandbox's always is.
  const other = problem.kind === 'unavailable' && query.environment === 'production';
  const sandbox = doctorPagePath({ ...query, environment: 'sandbox', network: '' });
  return html`<div class="usa-alert usa-alert--warning" role="status"><div class="usa-alert__body"><p>${words}</p>${
    other ? html`<p><a href="${sandbox}">Search the sandbox’s synthetic directory instead</a></p>` : ''
  }</div></div>`;
}

/** Place of the results, to which a search leads: on a phone they are below a long form. */
const resultsPlace = '#results';

function resultsOf({ query, networks, results }: DoctorPage, base: string): Markup | '' {
  if (results === undefined) return '';
  const { doctors, request } = results;
  return html`<section aria-labelledby="results">
<h2 id="results" tabindex="-1">${resultsHeading(query, results)}</h2>
<p class="quiet">${searchWords(query, networks).join(' · ')}</p>
${limitNote(results)}
${doctors.length === 0 ? widerLinks(query) : ''}
<ol class="plain-list" start="${query.from + 1}">${doctors.map((doctor) => html`<li class="card">${doctorCard(doctor, base)}</li>`)}</ol>
${pageLinks(query, results)}
${requestNote('The request behind this page', request)}
</section>`;
}

/** Links to the wider searches, for a search that found nothing. */
function widerLinks(query: DoctorQuery): Markup {
  const wider = widerSearches(query);
  if (wider.length === 0) return html`<p>The directory of this plan lists no doctors.</p>`;
  return html`<p>No doctor matches all of this. Widen one part of the search:</p>
<ul>${wider.map((each) => html`<li><a href="${doctorPagePath(each.query)}${resultsPlace}">${each.words}</a></li>`)}</ul>`;
}

function pageLinks(query: DoctorQuery, { next, previous }: DoctorResults): Markup | '' {
  if (next === undefined && previous === undefined) return '';
  const link = (start: typeof next, words: string) =>
    start &&
    html`<a class="usa-button usa-button--outline" href="${doctorPagePath(query, start)}${resultsPlace}">${words}</a> `;
  const back = query.cursor === '' ? 'Previous results' : 'First results';
  return html`<nav class="form__actions" aria-label="Pages of results">${link(previous, back)}${link(next, 'Next results')}</nav>`;
}

function limitNote({ limit }: DoctorResults): Markup | '' {
  if (limit === undefined) return '';
  const words = limit.kind === 'nearest' ? 'nearest' : 'first';
  const [of, read] = [limit.of, limit.read].map((value) => value.toLocaleString('en-US'));
  return html`<p>${of} doctors match. The results are from the ${words} ${read}. To see all of them, choose a specialty, a name or a shorter distance.</p>`;
}

const acceptingWords = {
  yes: 'Accepts new patients',
  no: 'Does not accept new patients',
  existing: 'Existing patients only',
} as const;

function doctorCard(doctor: Doctor, base: string): Markup {
  const { name, specialties, organization, languages, accepting, places, reference } = doctor;
  return html`<h3 dir="auto">${name}</h3>
<p>${[...specialties, ...(organization === undefined ? [] : [organization])].join(' · ')}</p>
${accepting === undefined ? '' : html`<p><span class="usa-tag ${accepting === 'yes' ? 'tag--good' : 'tag--neutral'}">${acceptingWords[accepting]}</span></p>`}
${languages.length === 0 ? '' : html`<p>Languages: ${languages.join(', ')}</p>`}
<div class="places">${places.map(placeMarkup)}</div>
${requestNote('The request behind this result', `${base}/${reference}`)}`;
}

function placeMarkup({ name, lines, phone, miles }: DoctorPlace): Markup {
  return html`<address>${name}${lines.map((line) => html`<br>${line}`)}${
    miles === undefined ? '' : html`<br>${miles} ${miles === 1 ? 'mile' : 'miles'} away`
  }${phone === undefined ? '' : html`<br><a href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a>`}</address>`;
}

/** Shows the API request behind the results, for developers. It does not contain the page's own subscription key. */
function requestNote(summary: string, url: string): Markup {
  return html`<details><summary>${summary}</summary><pre class="code-block" tabindex="0"><code>GET ${url}
Accept: application/fhir+json
x-api-subscription-key: your key</code></pre></details>`;
}

function environmentNote(query: DoctorQuery): Markup {
  const other = query.environment === 'production' ? 'sandbox' : 'production';
  const words =
    query.environment === 'production'
      ? 'Use the sandbox’s synthetic directory'
      : 'Use the plan’s own directory';
  const note =
    query.environment === 'production' ? '' : html`<strong>This is synthetic data of the sandbox.</strong> `;
  return html`<p class="quiet">${note}<a href="${doctorPagePath({ ...query, environment: other, network: '', from: 0 })}">${words}</a>. <a href="/docs/directory">How to use this API</a></p>`;
}
