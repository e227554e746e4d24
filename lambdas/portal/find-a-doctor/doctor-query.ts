/** Reads the form of "Find a doctor", and writes it as searches of the Provider Directory API. */

import { type Environment, environments } from '../../catalog/environments.ts';
import { type SpecialtyChoice, specialtySystem, specialtyWords } from '../../catalog/fhir/specialty-words.ts';
import {
  type LineOfBusiness,
  lineOfBusinessCodes,
  linesOfBusiness,
} from '../../catalog/lines-of-business.ts';
import { findADoctorPath } from '../catalog/find-a-doctor.ts';
import { distanceChoices, type LanguageChoice, languageChoices } from './doctor-choices.ts';

/** LOBs with a directory. */
export const directoryLobs = lineOfBusinessCodes.filter((lob) => linesOfBusiness[lob].providerDirectory);

/** A search as the form states it; '' or undefined where a field was left empty. */
export interface DoctorQuery {
  readonly environment: Environment;
  readonly lob: LineOfBusiness | undefined;
  readonly name: string;
  readonly specialty: SpecialtyChoice | undefined;
  /** Logical ID of the network. */
  readonly network: string;
  /** Five digits. */
  readonly zip: string;
  readonly miles: number;
  readonly language: LanguageChoice | undefined;
  readonly accepting: boolean;
  /** Cursor of a next page, from the API. */
  readonly cursor: string;
  /** Results on the pages before this one. */
  readonly from: number;
}

/** A field with a value that can't be searched, and the message for it. */
export type DoctorQueryErrors = Readonly<
  Partial<Record<'lob' | 'name' | 'specialty' | 'zip' | 'language', string>>
>;

export interface ReadQuery {
  readonly query: DoctorQuery;
  readonly errors: DoctorQueryErrors;
}

/** Results on a page. */
export const pageSize = 20;
const id = /^[A-Za-z0-9.-]{1,64}$/;

/**
 * Reads the parameters of the page's address. A specialty or language that is none of the choices is an error, because a search without it would find
 * doctors that nobody asked for; any other value that is none counts as not chosen.
 *
 * @param usual the environment that is searched where the address names none.
 */
export function readDoctorQuery(
  parameters: ReadonlyMap<string, readonly string[]>,
  usual: Environment,
): ReadQuery {
  const text = (name: string) => (parameters.get(name)?.[0] ?? '').trim();
  const name = text('name').replace(/\s+/g, ' ');
  // A ZIP+4 code is searched by its first five digits.
  const zip = text('zip').replace(/^(\d{5})-?\d{4}$/, '$1');
  const miles = Number(text('miles'));
  const from = Number(text('from'));
  const network = text('network');
  const query: DoctorQuery = {
    environment: environments.find((each) => each === text('environment')) ?? usual,
    lob: directoryLobs.find((each) => each === text('lob')),
    name,
    specialty: keyOf(specialtyWords, text('specialty')),
    network: id.test(network) ? network : '',
    zip,
    miles: distanceChoices.find((each) => each === miles) ?? 10,
    language: keyOf(languageChoices, text('language')),
    accepting: text('accepting') === 'yes',
    cursor: text('cursor').slice(0, 4_000),
    from: Number.isSafeInteger(from) && from > 0 ? from : 0,
  };
  const isSent = parameters.has('lob');
  return {
    query,
    errors: {
      ...(isSent && query.lob === undefined && { lob: 'Select a plan.' }),
      ...(name.length > 100 && { name: 'Enter at most 100 characters.' }),
      ...(isUnknown(query.specialty, text('specialty')) && {
        specialty: 'Select a specialty from the list.',
      }),
      ...(zip !== '' && !/^\d{5}$/.test(zip) && { zip: 'Enter a 5-digit ZIP code, such as 97201.' }),
      ...(isUnknown(query.language, text('language')) && { language: 'Select a language from the list.' }),
    },
  };
}

function isUnknown(chosen: string | undefined, text: string): boolean {
  return chosen === undefined && text !== '';
}

function keyOf<Key extends string>(choices: Readonly<Record<Key, unknown>>, text: string): Key | undefined {
  return Object.hasOwn(choices, text) ? (text as Key) : undefined;
}

/** A point on the earth, in degrees of WGS 84. */
export interface SearchedPlace {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Path and query of the search for practitioners' roles (Plan-Net PractitionerRole).
 *
 * @param near the place that is searched around, with its distance in miles.
 * @param count results on a page of the API.
 */
export function roleSearch(
  query: DoctorQuery,
  near: (SearchedPlace & { readonly miles: number }) | undefined,
  count: number,
): string {
  // A comma stands between a last and a first name that are turned around.
  const parameters: [string, string][] = query.name
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => ['practitioner.name', escaped(word)]);
  if (query.specialty !== undefined) {
    const codes = Object.keys(specialtyWords[query.specialty].codes);
    parameters.push(['specialty', codes.map((code) => `${specialtySystem}|${code}`).join()]);
  }
  if (query.network !== '') parameters.push(['network', `Organization/${query.network}`]);
  if (query.language !== undefined) parameters.push(['practitioner.communication', query.language]);
  if (near !== undefined)
    parameters.push(['location.near', `${near.latitude}|${near.longitude}|${near.miles}|mi`]);
  for (const reference of ['practitioner', 'location', 'organization'])
    parameters.push(['_include', `PractitionerRole:${reference}`]);
  parameters.push(['_count', String(count)], ['_total', 'accurate']);
  if (query.cursor !== '') parameters.push(['_cursor', query.cursor]);
  return `/PractitionerRole?${encode(parameters)}`;
}

/** Path and query of the search for a place in a ZIP code: any location there that has a position. */
export function placeSearch(zip: string): string {
  return `/Location?${encode([
    ['address-postalcode', zip],
    ['_count', '5'],
    ['_elements', 'position'],
  ])}`;
}

/** Path and query of the search for a LOB's networks. */
export const networkSearch = `/Organization?${encode([
  ['type', 'ntwk'],
  ['_elements', 'name'],
  ['_count', '100'],
])}`;

/** Path and query of the search that counts the practitioners who state a language. */
export function languageCount(language: LanguageChoice): string {
  return `/Practitioner?${encode([
    ['communication', language],
    ['_summary', 'count'],
  ])}`;
}

/** Path of the page for a search. @param next where a next page begins */
export function doctorPagePath(
  query: DoctorQuery,
  next: { readonly cursor?: string; readonly from?: number } = {},
): string {
  const { environment, lob = '', name, specialty = '', network, zip, miles, language = '' } = query;
  const { cursor = '', from = 0 } = next;
  const fields: readonly [string, string][] = [
    ['lob', lob],
    ['name', name],
    ['specialty', specialty],
    ['network', network],
    ['zip', zip],
    ['miles', zip === '' ? '' : String(miles)],
    ['language', language],
    ['accepting', query.accepting ? 'yes' : ''],
    ['environment', environment],
    ['from', from === 0 ? '' : String(from)],
    ['cursor', cursor],
  ];
  return `${findADoctorPath}?${encode(fields.filter(([, value]) => value !== ''))}`;
}

function encode(parameters: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(
    [...parameters].map(([name, value]): [string, string] => [name, value]),
  ).toString();
}

/** Text without a meaning of its own in a search value (R4, search.html#escaping). */
function escaped(text: string): string {
  return text.replace(/[\\$,|]/g, '\\$&');
}
