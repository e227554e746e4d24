/** Answers a search of "Find a doctor" from the Provider Directory API, which is all it asks. */

import type { Bundle, FhirResource, OperationOutcome } from 'fhir/r4.js';
import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import {
  type DoctorQuery,
  networkSearch,
  placeSearch,
  type ReadQuery,
  readDoctorQuery,
  roleSearch,
  type SearchedPlace,
} from './doctor-query.ts';
import { type Doctors, readDoctors } from './doctor-results.ts';

/** The Provider Directory API of a LOB. */
export interface DirectoryApi {
  /** FHIR base URL. */
  base(environment: Environment, lob: LineOfBusiness): string;
  /** Sends a GET; undefined where no whole answer came in time. */
  get(
    environment: Environment,
    url: string,
  ): Promise<{ readonly status: number; readonly body: FhirResource | undefined } | undefined>;
}

/** A network to choose from. */
export interface PlanNetwork {
  readonly id: string;
  readonly name: string;
}

/** Content of the page. `request`: the URL of the search, for developers. */
export interface DoctorPage extends ReadQuery {
  readonly networks: readonly PlanNetwork[];
  readonly results?: Doctors & { readonly request: string };
  /**
   * `unavailable`: the API didn't answer, or has no directory yet. `zip`: the directory has no location in the ZIP code or near it.
   * `expired`: the page was of a directory that has been replaced. `refused`: the API refuses the search, with its own words.
   */
  readonly problem?:
    | { readonly kind: 'unavailable' | 'zip' | 'expired' }
    | { readonly kind: 'refused'; readonly words: string };
}

/** Pages of the API that are read at most where only doctors who accept new patients are wanted, which no parameter asks for. */
const mostPages = 5;

/** Searches by the page's parameters. Without a plan there is nothing to search yet. */
export async function findDoctors(
  api: DirectoryApi,
  parameters: ReadonlyMap<string, readonly string[]>,
): Promise<DoctorPage> {
  const read = readDoctorQuery(parameters);
  const { query, errors } = read;
  const { environment, lob } = query;
  if (lob === undefined) return { ...read, networks: [] };
  const base = api.base(environment, lob);
  const networks = networksOf(await api.get(environment, base + networkSearch));
  if (networks === undefined) return { ...read, networks: [], problem: { kind: 'unavailable' } };
  if (Object.keys(errors).length > 0) return { ...read, networks };
  const near = query.zip === '' ? undefined : await findPlace(api, base, query);
  if (near === null) return { ...read, networks, problem: { kind: 'zip' } };
  return { ...read, networks, ...(await search(api, base, query, near)) };
}

async function search(
  api: DirectoryApi,
  base: string,
  query: DoctorQuery,
  near: SearchedPlace | undefined,
): Promise<Pick<DoctorPage, 'results' | 'problem'>> {
  const request = base + roleSearch(query, near);
  let page: Doctors | undefined;
  for (let read = 0, cursor = query.cursor; read < mostPages; read += 1) {
    const answer = await api.get(query.environment, base + roleSearch({ ...query, cursor }, near));
    if (answer?.status === 410) return { problem: { kind: 'expired' } };
    if (answer?.status === 400) return { problem: { kind: 'refused', words: wordsOf(answer.body) } };
    if (answer?.status !== 200 || answer.body?.resourceType !== 'Bundle')
      return { problem: { kind: 'unavailable' } };
    const found = readDoctors(answer.body as Bundle<FhirResource>, near);
    const wanted = query.accepting
      ? found.doctors.filter(({ accepting }) => accepting === 'yes')
      : found.doctors;
    page = {
      doctors: [...(page?.doctors ?? []), ...wanted],
      total: query.accepting ? undefined : found.total,
      next: found.next,
    };
    if (!query.accepting || page.doctors.length >= 20 || found.next === undefined) break;
    cursor = found.next;
  }
  return page === undefined ? {} : { results: { ...page, request } };
}

/** Finds a position in the ZIP code, else in the area of its first three digits; null where the directory has none. */
async function findPlace(api: DirectoryApi, base: string, query: DoctorQuery): Promise<SearchedPlace | null> {
  for (const digits of [query.zip, query.zip.slice(0, 3)]) {
    const answer = await api.get(query.environment, base + placeSearch(digits));
    const body = answer?.body;
    const entries = body?.resourceType === 'Bundle' ? ((body as Bundle<FhirResource>).entry ?? []) : [];
    for (const { resource } of entries) {
      if (resource?.resourceType !== 'Location' || resource.position === undefined) continue;
      const { latitude, longitude } = resource.position;
      return { latitude, longitude };
    }
  }
  return null;
}

function networksOf(answer: Awaited<ReturnType<DirectoryApi['get']>>): readonly PlanNetwork[] | undefined {
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
