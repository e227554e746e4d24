/** Answers a search on "Find a doctor" with requests to the Provider Directory API only. */

import type { Bundle, FhirResource, OperationOutcome } from 'fhir/r4.js';
import type { Environment } from '../../catalog/environments.ts';
import { pageSizes } from '../../catalog/fhir/fhir-resources.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { type LanguageChoice, languageTags } from './doctor-choices.ts';
import {
  type DoctorQuery,
  languageCount,
  networkSearch,
  pageSize,
  placeSearch,
  type ReadQuery,
  readDoctorQuery,
  roleSearch,
  type SearchedPlace,
} from './doctor-query.ts';
import { type Doctor, type Doctors, readDoctors } from './doctor-results.ts';
import { zipCentroid } from './zip-centroids.ts';

/** Client of the Provider Directory APIs of all environments and LOBs. */
export interface DirectoryApi {
  /** The environment that is searched if the page's URL names none. */
  readonly environment: Environment;
  /** FHIR base URL. */
  base(environment: Environment, lob: LineOfBusiness): string;
  /** Sends a GET; undefined if no complete response came in time. */
  get(environment: Environment, url: string): Promise<DirectoryAnswer | undefined>;
  /** Sends a GET whose response is the same for all visitors, or returns the one of the last minutes. */
  getKept(environment: Environment, url: string): Promise<DirectoryAnswer | undefined>;
}

/** A response of the API. */
export interface DirectoryAnswer {
  readonly status: number;
  /** Undefined if it is not JSON. */
  readonly body: FhirResource | undefined;
}

/** A provider network that the person can select. */
export interface PlanNetwork {
  readonly id: string;
  readonly name: string;
}

/** Results of a page. */
export interface DoctorResults {
  readonly doctors: readonly Doctor[];
  /** Number of results on all pages; undefined where the API does not count them. */
  readonly total: number | undefined;
  /** Start of the next page: the API's cursor, and the number of results before it. Undefined on the last page. */
  readonly next: { readonly cursor?: string; readonly from: number } | undefined;
  /** Start of the page before, or of the first one where the API leads onward only. Undefined on the first page. */
  readonly previous: { readonly from: number } | undefined;
  /**
   * Set if the search has more matches than were read: `read` is the number read, the `nearest` or the `first` matches; `of` is the number
   * of matches, including doctors who accept no new patients.
   */
  readonly limit?: { readonly kind: 'nearest' | 'first'; readonly of: number; readonly read: number };
  /** URL of the API request, shown to developers. */
  readonly request: string;
}

/** The content of the page: the search, the networks and the results or the problem. */
export interface DoctorPage extends ReadQuery {
  readonly networks: readonly PlanNetwork[];
  /** Languages to choose from, most frequent first. */
  readonly languages: readonly LanguageChoice[];
  readonly results?: DoctorResults;
  /**
   * `unavailable`: the API did not answer, or has no directory yet. `zip`: the ZIP code is unknown. `expired`: the cursor is of a directory
   * that has been replaced. `refused`: the API refused the search; `words` is its message.
   */
  readonly problem?: DoctorProblem;
}

type DoctorProblem =
  | { readonly kind: 'unavailable' | 'zip' | 'expired' }
  | { readonly kind: 'refused'; readonly words: string };

/** Searches by the page's URL parameters. Without a selected plan nothing is searched. */
export async function findDoctors(
  api: DirectoryApi,
  parameters: ReadonlyMap<string, readonly string[]>,
): Promise<DoctorPage> {
  const read = readDoctorQuery(parameters, api.environment);
  const { query, errors } = read;
  const { environment, lob } = query;
  if (lob === undefined) return { ...read, networks: [], languages: languageTags };
  const base = api.base(environment, lob);
  const networks = networksOf(await api.getKept(environment, base + networkSearch));
  if (networks === undefined)
    return { ...read, networks: [], languages: languageTags, problem: { kind: 'unavailable' } };
  const languages = await languagesOf(api, base, query);
  const form = { ...read, networks, languages };
  if (Object.keys(errors).length > 0) return form;
  const near = query.zip === '' ? undefined : await findPlace(api, base, query);
  if (near === null) return { ...form, problem: { kind: 'zip' } };
  const found =
    near !== undefined || query.accepting
      ? await searchWhole(api, base, query, near)
      : await searchPage(api, base, query);
  return { ...form, ...found };
}

type Found = Pick<DoctorPage, 'results' | 'problem'>;

/** Reads one page of the API's results, in the API's order. */
async function searchPage(api: DirectoryApi, base: string, query: DoctorQuery): Promise<Found> {
  const request = base + roleSearch({ ...query, cursor: '' }, undefined, pageSize);
  const read = await readPage(api, query, base + roleSearch(query, undefined, pageSize), undefined);
  if (read.kind !== 'page') return { problem: read };
  const { doctors, total, next } = read.page;
  const from = query.from + doctors.length;
  return {
    results: {
      doctors,
      total,
      request,
      next: next === undefined ? undefined : { cursor: next, from },
      // Cursors lead onward only.
      previous: query.from === 0 ? undefined : { from: 0 },
    },
  };
}

/** Most pages of the API to read where results are sorted by distance or filtered by new patients; for roles the API does neither. */
const mostPages = 5;
const mostRead = mostPages * pageSizes.most;
/** Distances in miles to try where more doctors are within the selected distance than are read. */
const smallerDistances = [25, 10, 5, 2, 1, 0.5];

/** Reads all results near a position, or of doctors who accept new patients, and sorts them by distance. */
async function searchWhole(
  api: DirectoryApi,
  base: string,
  query: DoctorQuery,
  place: SearchedPlace | undefined,
): Promise<Found> {
  const distances = [query.miles, ...smallerDistances.filter((miles) => miles < query.miles)];
  const circles = place === undefined ? [undefined] : distances.map((miles) => ({ ...place, miles }));
  const searchOf = (near: (typeof circles)[number], cursor = '') =>
    base + roleSearch({ ...query, cursor }, near, pageSizes.most);
  let all: number | undefined;
  let first: Doctors | undefined;
  let circle = circles[0];
  for (circle of circles) {
    const read = await readPage(api, query, searchOf(circle), place);
    if (read.kind !== 'page') return { problem: read };
    first = read.page;
    all ??= first.total;
    if ((first.total ?? 0) <= mostRead) break;
  }
  const doctors = [...(first?.doctors ?? [])];
  let next = first?.next;
  for (let page = 1; page < mostPages && next !== undefined; page += 1) {
    const read = await readPage(api, query, searchOf(circle, next), place);
    if (read.kind !== 'page') return { problem: read };
    doctors.push(...read.page.doctors);
    next = read.page.next;
  }
  const wanted = doctors
    .filter(({ accepting }) => !query.accepting || accepting === 'yes')
    .sort((one, other) => milesOf(one) - milesOf(other));
  const end = query.from + pageSize;
  const isAll = doctors.length >= (all ?? 0);
  const results: DoctorResults = {
    doctors: wanted.slice(query.from, end),
    total: wanted.length,
    next: end < wanted.length ? { from: end } : undefined,
    previous: query.from === 0 ? undefined : { from: Math.max(0, query.from - pageSize) },
    ...(!isAll && {
      limit: { kind: place === undefined ? 'first' : 'nearest', of: all ?? 0, read: doctors.length },
    }),
    request: searchOf(circles[0]),
  };
  return { results };
}

function milesOf({ places }: Doctor): number {
  return places[0]?.miles ?? Number.MAX_SAFE_INTEGER;
}

/** Sends one search for PractitionerRole resources. */
async function readPage(
  api: DirectoryApi,
  { environment }: DoctorQuery,
  url: string,
  near: SearchedPlace | undefined,
): Promise<{ readonly kind: 'page'; readonly page: Doctors } | DoctorProblem> {
  const answer = await api.get(environment, url);
  if (answer?.status === 410) return { kind: 'expired' };
  if (answer?.status === 400) return { kind: 'refused', words: wordsOf(answer.body) };
  if (answer?.status !== 200 || answer.body?.resourceType !== 'Bundle') return { kind: 'unavailable' };
  return { kind: 'page', page: readDoctors(answer.body as Bundle<FhirResource>, near) };
}

/**
 * Finds the position of a ZIP code: of a directory location there, or else the center of the ZIP code; null for a ZIP code that is not in
 * use.
 */
async function findPlace(api: DirectoryApi, base: string, { environment, zip }: DoctorQuery) {
  const answer = await api.get(environment, base + placeSearch(zip));
  const body = answer?.body;
  const entries = body?.resourceType === 'Bundle' ? ((body as Bundle<FhirResource>).entry ?? []) : [];
  for (const { resource } of entries) {
    if (resource?.resourceType !== 'Location' || resource.position === undefined) continue;
    const { latitude, longitude } = resource.position;
    return { latitude, longitude };
  }
  return zipCentroid(zip) ?? null;
}

/**
 * The languages that the plan's practitioners state, most frequent first, and the selected one. Where the API does not count them, all
 * languages of the table in its order.
 */
async function languagesOf(
  api: DirectoryApi,
  base: string,
  { environment, language }: DoctorQuery,
): Promise<readonly LanguageChoice[]> {
  const counts = await Promise.all(
    languageTags.map(async (tag) => {
      const answer = await api.getKept(environment, base + languageCount(tag));
      const bundle = answer?.status === 200 ? (answer.body as Bundle | undefined) : undefined;
      return { tag, count: bundle?.total };
    }),
  );
  if (counts.some(({ count }) => count === undefined)) return languageTags;
  return counts
    .filter(({ tag, count }) => count !== 0 || tag === language)
    .sort((one, other) => (other.count ?? 0) - (one.count ?? 0))
    .map(({ tag }) => tag);
}

function networksOf(answer: DirectoryAnswer | undefined): readonly PlanNetwork[] | undefined {
  if (answer?.status !== 200 || answer.body?.resourceType !== 'Bundle') return undefined;
  return ((answer.body as Bundle<FhirResource>).entry ?? []).flatMap(({ resource }) =>
    resource?.resourceType === 'Organization' && resource.id !== undefined
      ? [{ id: resource.id, name: resource.name ?? resource.id }]
      : [],
  );
}

function wordsOf(body: FhirResource | undefined): string {
  const [issue] = body?.resourceType === 'OperationOutcome' ? (body as OperationOutcome).issue : [];
  return issue?.diagnostics ?? issue?.details?.text ?? 'The search is not supported.';
}
