/** HTML of the page that asks whose data to share. */

import { html } from 'hono/html';
import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { representativeRoles } from '../../catalog/oauth/representative-roles.ts';
import type { AccessiblePatient } from '../oauth/member-account.ts';
import { pageAddress, pagePath } from '../oauth/paths.ts';
import type { ApplicationDescription } from './application.ts';
import { errorSummary, titleWith } from './form-fields.ts';
import { bound, layout, type Markup } from './layout.ts';
import { pageText } from './words/words.ts';

/** Error of the form. `missing`: no patient was selected. `noLonger`: the account may not share that patient's data. */
export type PatientChoiceError = 'missing' | 'noLonger';

export interface PatientPage {
  readonly language: Language;
  readonly lob: LineOfBusiness;
  readonly application: ApplicationDescription;
  /** The patients to choose from; at least one. */
  readonly patients: readonly AccessiblePatient[];
  readonly handle: string;
  readonly formToken: string;
  readonly error?: PatientChoiceError | undefined;
}

/** Renders the page that asks whose data to share: the account holder's, or that of a person they represent. No patient is preselected. */
export function patientPage(page: PatientPage): string {
  const { language, lob, application, patients, error } = page;
  const { patient: words, plans } = pageText[language];
  const errors = error === undefined ? [] : [{ field: 'patient-0', text: words[error] }];
  const main = html`${errorSummary(language, errors)}<h1 id="whose">${words.title}</h1>
<p>${words.intro(application.name, plans[lob])}</p>
<form method="post" action="${pagePath(lob, 'patient')}">
${bound(page)}
<fieldset aria-labelledby="whose">
${patients.map((each, at) => choice(page, each, at))}</fieldset>
<button class="only">${words.submit}</button>
</form>`;
  const inLanguage = (other: Language) =>
    pageAddress(lob, 'patient', { interaction: page.handle, language: other });
  return layout({
    language,
    title: titleWith(language, words.title, errors),
    lob,
    main,
    inLanguage,
    stays: true,
  });
}

function choice({ language, patients }: PatientPage, patient: AccessiblePatient, at: number): Markup {
  const { patient: words } = pageText[language];
  const { patientId, representative } = patient;
  const name = nameAmong(language, patients, patient);
  const [label, about] =
    representative === undefined
      ? [words.yourself(name), undefined]
      : [name, words.represented(words.kinds[representativeRoles[representative.role]])];
  const described = about === undefined ? '' : html` aria-describedby="about-${at}"`;
  return html`<div class="box"><input type="radio" id="patient-${at}" name="patient" value="${patientId}"${described}><label for="patient-${at}">${label}</label>${about === undefined ? '' : html`<p id="about-${at}">${about}</p>`}</div>
`;
}

/** The name of a patient, with the birth year if another patient in the list has the same name. */
export function nameAmong(
  language: Language,
  patients: readonly AccessiblePatient[],
  { patientId, displayName, birthYear }: AccessiblePatient,
): string {
  const isAlike = patients.some(
    (other) => other.patientId !== patientId && comparable(other.displayName) === comparable(displayName),
  );
  return isAlike && birthYear !== undefined
    ? pageText[language].patient.bornIn(displayName, birthYear)
    : displayName;
}

/** A name for comparison: without case, accents and spaces. */
function comparable(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}\s]/gu, '')
    .toLowerCase();
}
