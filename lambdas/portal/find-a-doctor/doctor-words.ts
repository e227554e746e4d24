/** A search in words: its title, its criteria, and the wider searches that an empty result offers. */

import { specialtyNamed, specialtyWords } from '../../catalog/fhir/specialty-words.ts';
import { linesOfBusiness } from '../../catalog/lines-of-business.ts';
import { frameTitle } from '../catalog/find-a-doctor.ts';
import { distanceChoices, languageChoices } from './doctor-choices.ts';
import type { DoctorQuery } from './doctor-query.ts';
import type { DoctorPage, DoctorResults } from './find-doctors.ts';

/** The title of the page, which screen readers read first and a browser's history shows. */
export function doctorPageTitle({ errors, query, results }: DoctorPage): string {
  if (Object.keys(errors).length > 0) return `Error: ${frameTitle}`;
  return results === undefined ? frameTitle : `${resultsHeading(query, results)}: ${frameTitle}`;
}

/** The heading of the results: their number, or the range shown on this page. */
export function resultsHeading({ from }: DoctorQuery, { doctors, total, next }: DoctorResults): string {
  const shown = doctors.length;
  if (shown === 0) return from === 0 ? 'No results' : 'No more results';
  if (from === 0 && next === undefined) return shown === 1 ? '1 result' : `${shown} results`;
  const place = `Results ${number(from + 1)} to ${number(from + shown)}`;
  return total === undefined ? place : `${place} of ${number(total)}`;
}

const number = (value: number) => value.toLocaleString('en-US');

/** The plan and the criteria of a search, in the order of the form. */
export function searchWords(query: DoctorQuery, networks: DoctorPage['networks']): readonly string[] {
  const { lob, name, specialty, zip, miles, language, accepting } = query;
  const network = networks.find(({ id }) => id === query.network);
  return [
    ...(lob === undefined ? [] : [linesOfBusiness[lob].name]),
    ...(name === '' ? [] : [`named “${name}”`]),
    ...(specialty === undefined ? [] : [specialtyWords[specialty].label]),
    ...(zip === '' ? [] : [`within ${miles} miles of ${zip}, nearest first`]),
    ...(network === undefined ? [] : [network.name]),
    ...(language === undefined ? [] : [languageChoices[language]]),
    ...(accepting ? ['accepts new patients'] : []),
  ];
}

/** A search that finds more than another one. */
export interface WiderSearch {
  /** The words of its link. */
  readonly words: string;
  readonly query: DoctorQuery;
}

/** The searches that leave out or widen one criterion each; none if the search has no criterion but its plan. */
export function widerSearches(query: DoctorQuery): readonly WiderSearch[] {
  const { name, specialty, network, zip, miles, language, accepting } = query;
  const wider = (words: string, change: Partial<DoctorQuery>): WiderSearch => ({
    words,
    query: { ...query, ...change, cursor: '', from: 0 },
  });
  const meant = specialtyNamed(name);
  const greater = distanceChoices.find((each) => each > miles);
  const found = [
    // People write "cardiologist" where a name is asked for.
    meant !== undefined &&
      wider(`Search for the specialty ${specialtyWords[meant].label} instead of the name “${name}”`, {
        name: '',
        specialty: meant,
      }),
    zip !== '' && greater !== undefined && wider(`Within ${greater} miles of ${zip}`, { miles: greater }),
    zip !== '' && wider('Any distance', { zip: '' }),
    name !== '' && wider('Any name', { name: '' }),
    specialty !== undefined && wider('Any specialty', { specialty: undefined }),
    network !== '' && wider('Any network', { network: '' }),
    language !== undefined && wider('Any language', { language: undefined }),
    accepting && wider('Also doctors who don’t accept new patients', { accepting: false }),
  ];
  return found.filter((each) => each !== false);
}
