/** The options of `npm run ops`. */

import { questionPurposeNames, questionPurposes } from '../../lambdas/catalog/audit/question-purposes.ts';
import { environments } from '../../lambdas/catalog/environments.ts';
import { interfaceNames } from '../../lambdas/catalog/fhir/interfaces.ts';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { pdexVersions } from '../../lambdas/catalog/payer/other-payers.ts';

/** An option with or without a value. */
export interface OptionDeclaration {
  /** Placeholder of the value in help; absent for an option without a value. */
  readonly value?: string;
  readonly short?: string;
  /** Whether the option may be repeated, or have several values separated by commas. */
  readonly isList?: true;
  readonly about: string;
  /** The allowed values. Others are refused, except in a list, which the command itself parses. */
  readonly choices?: readonly string[];
  /** Heading in help. @default Options */
  readonly group?: string;
}

const flag = (about: string) => ({ about });
const text = (value: string, about: string) => ({ value, about });
const list = (value: string, about: string) => ({ value, about, isList: true as const });

/** The options of all commands. Each command lists those that it has. */
export const options = {
  environment: {
    ...text('name', 'sandbox (default) or production'),
    short: 'e',
    choices: environments,
    group: 'System',
  },
  local: {
    ...flag('the local system (started by `npm start`); the default unless AWS_PROFILE is set'),
    group: 'System',
  },
  system: { ...text('file', 'description of the local system, if not .local/system.json'), group: 'System' },
  function: {
    ...text('name', 'the function to invoke in your AWS account; or set its variable (ops --help)'),
    group: 'System',
  },
  json: { ...flag('print the response as JSON, and errors as JSON on standard error'), group: 'Output' },
  csv: {
    ...flag(
      'print CSV (RFC 4180), a row for each event; a cell that a spreadsheet would compute begins with an apostrophe',
    ),
    group: 'Output',
  },
  'dry-run': { ...flag('print the request, and carry nothing out'), group: 'Output' },
  yes: {
    ...flag('don’t ask before an act that can’t be undone; without a terminal none asks'),
    group: 'Output',
  },
  operator: {
    ...text('name', 'your name in timelines; default: OPERATOR, or your user name'),
    group: 'Output',
  },
  'request-id': text(
    'id',
    'repeats a command whose outcome is unknown: one ID is carried out once and returns the same response for a day',
  ),
  name: text('name', 'name of the application'),
  'display-name': text('name', 'name that members see, if different'),
  lob: { ...list('code', 'line of business'), choices: lineOfBusinessCodes },
  product: { ...list('product', 'default: all that the lines of business offer'), choices: interfaceNames },
  grant: {
    ...list('type', 'default: those that the other options allow'),
    choices: ['authorization_code', 'client_credentials'],
  },
  'redirect-uri': list(
    'uri',
    'compared character by character. With --public also com.example.app:/path, and http://127.0.0.1/path with any port',
  ),
  'logout-redirect-uri': list('uri', 'where the browser goes after a logout that the application requests'),
  'initiate-login-uri': text('uri', 'where a member starts to sign in at the application'),
  'application-uri': text('uri', 'page about the application'),
  'privacy-uri': text('uri', 'its privacy policy'),
  'terms-uri': text('uri', 'its terms of service'),
  'contact-email': text('address', 'address of its developer'),
  public: flag('a client that can’t keep a secret'),
  jwks: text('file', 'public keys of a client that signs assertions (private_key_jwt); it gets no secret'),
  'jwks-uri': text('uri', 'the same, from an address where the client publishes its keys'),
  'no-pkce': flag('a confidential client without PKCE; it must use state'),
  attested: flag('the developer has attested how the application handles member data'),
  tier: text('name', 'usage-plan tier; default: standard'),
  suspended: flag('register suspended: every call is refused until `clients resume`'),
  npi: list('number', 'National Provider Identifier'),
  naic: list('code', 'NAIC company code'),
  'tax-id': list('number', 'tax identification number'),
  oid: list('urn', 'object identifier'),
  'overlap-seconds': text('number', 'until the previous one stops; default: 600'),
  'created-at': text('time', 'when the older one was issued; `clients credentials` shows it'),
  from: text('date', 'first day (UTC), such as 2026-03-01'),
  to: text('date', 'last day (UTC), such as 2026-03-31'),
  file: text('file', 'a JSON object on each line'),
  folder: text('folder', 'a new folder for the drop'),
  members: text('number', 'how many'),
  seed: text('text', 'the same seed gives the same bytes in the same month; default: 1'),
  personas: flag('the sandbox’s personas instead, published too'),
  'payer-cohort': flag('the sandbox’s members that other payers test with instead'),
  source: text('name', 'the system that the data comes from'),
  drop: text('name', 'name of the drop; default: the folder’s'),
  kind: text('kind', 'whether the drop is all there is, or changes'),
  'accept-loss': flag('accept fewer resources than is tolerated'),
  roles: text('number', 'PractitionerRole resources; default: 1000'),
  findings: text('file', 'gets the records to correct: CSV where it ends in .csv, else NDJSON'),
  kid: text('id', 'ID of the key'),
  patient: text('id', 'the member, by the ID of the Patient'),
  payer: text('id', 'another payer, by its ID in payers list'),
  member: text('id', 'the member, by the plan’s member identifier'),
  client: text('id', 'client ID of the application'),
  restored: text('table', 'name of the table that was restored to an earlier second'),
  newest: text('table', 'name of the table of the latest second'),
  lost: flag('no table of the latest second exists'),
  all: flag('every application'),
  purpose: {
    ...text(
      'name',
      `why you ask; recorded with your name. ${Object.entries(questionPurposes)
        .map(([name, words]) => `${name}: ${words}`)
        .join('; ')}`,
    ),
    choices: questionPurposeNames,
  },
  year: text('year', 'the year to report on'),
  ledger: text(
    'folder',
    'keeps what was counted (digests of Patient IDs, applications and days), so that a later run reads only the events sealed since',
  ),
  'seals-only': flag('don’t scan the table for events that no seal covers'),
  limit: text('number', 'at most so many'),
  after: text('position', 'those before the position that the last list ended with'),
  state: text('state', 'only those in this state'),
  version: text(
    'number',
    'the version you reviewed; a decision on another one is refused. Without it, the current one is read and shown first',
  ),
  criterion: text('name', 'a published criterion'),
  field: text('name', 'the field that has to change'),
  reason: text('text', 'text for the developer'),
  note: text('text', 'text for the developer'),
  applications: list(
    'ids',
    'suspends these approved applications too; with `unattended`, all of them if nobody else in the team is active',
  ),
  severity: text('name', 'what the incident does to the parts it is about'),
  title: text('text', 'what developers notice, in a line'),
  text: text('text', 'what happens, whom it touches and what comes next, in plain words'),
  component: list('name', 'only these components; all if absent'),
  'starts-at': text('time', 'start, with a zone, such as 2026-12-01T02:00:00Z; default: now'),
  'ends-at': text('time', 'end of maintenance, with a zone'),
  base: text('uri', 'base of its FHIR API for payers'),
  'token-endpoint': text('uri', 'its token endpoint (SMART Backend Services)'),
  scope: text('scopes', 'scopes that are requested there, separated by spaces'),
  pdex: { ...text('version', 'version of PDex that it answers by'), choices: pdexVersions },
  contact: text('text', 'telephone number, e-mail address or page of the people who run its API'),
  header: text('name', 'header that its gateway requires too, such as one with a subscription key'),
  'header-file': text('file', 'file with the value of the header, which is never shown again'),
  'accept-found': flag('takes over every found value that differs'),
  email: text('address', 'e-mail address'),
  'first-name': text('name', 'given name'),
  'last-name': text('name', 'family name'),
  phone: text('number', 'US number, for codes by text message'),
} satisfies Readonly<Record<string, OptionDeclaration>>;

export type OptionName = keyof typeof options;
type ValueOf<Declared> = Declared extends { readonly isList: true }
  ? readonly string[]
  : Declared extends { readonly value: string }
    ? string
    : true;
/** The values of the given options, by name. */
export type OptionValues = {
  readonly [Name in OptionName]?: ValueOf<(typeof options)[Name]> | undefined;
};
