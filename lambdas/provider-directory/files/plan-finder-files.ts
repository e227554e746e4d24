/**
 * Writes the files of a publication for Medicare Plan Finder (42 CFR 422.111(m)): for each contract and year an `index.json` with
 * `provider_urls`, and the Plan-Net Bundles that it links, with plans, networks and providers.
 */
import { type DirectoryType, directoryTypes } from '../../catalog/fhir/directory-types.ts';
import type { DirectoryPublication } from '../publication/publication.ts';
import { eachLink, indexOf, type PublicationIndex } from '../publication/publication-index.ts';
import { elementNumber } from '../publication/publication-schema.ts';
import { contentTypes, fileName, type PublicationFiles, partsOf, pieces } from './public-files.ts';

/** Most resources in one Bundle. */
const mostEntries = 10_000;

/** CMS's contract number, with or without the numbers of a plan and a segment: `H1234-001-000`. */
const contractNumber = /^([EHRS]\d{4})(-\d{3}(-\d{1,3})?)?$/;

export interface PlanFinderIndex {
  readonly contract: string;
  readonly year: number;
  /** Names of the Bundles' files. */
  readonly files: readonly string[];
}

/** The plans of one contract in one year. */
interface ContractYear {
  readonly contract: string;
  readonly year: number;
  readonly plans: number[];
}

/**
 * Writes the Bundles; contracts and years with the same plans share their Bundles.
 *
 * @param base FHIR base URL, for the Bundles' `fullUrl`.
 * @returns the content of each `index.json`.
 */
export async function writePlanFinderFiles(
  publication: DirectoryPublication,
  files: PublicationFiles,
  base: string,
): Promise<readonly PlanFinderIndex[]> {
  const index = indexOf(publication);
  const written = new Map<string, readonly string[]>();
  const indexes: PlanFinderIndex[] = [];
  for (const { contract, year, plans } of contractsOf(index, publication.builtAt)) {
    const key = plans.join(' ');
    let names = written.get(key);
    if (names === undefined) {
      const folder = `plan-finder-${written.size + 1}`;
      names = await writeBundles(index, files, base, folder, reachedFrom(index, plans));
      written.set(key, names);
    }
    indexes.push({ contract, year, files: names });
  }
  return indexes;
}

/**
 * The contracts in the identifiers of plans, by year of the plan's period within this year and the next; a plan without a period counts for
 * the year of the publication.
 */
function contractsOf(index: PublicationIndex, builtAt: number): Iterable<ContractYear> {
  const found = new Map<string, ContractYear>();
  const now = new Date(builtAt).getUTCFullYear();
  for (const { rid, json } of index.each('InsurancePlan')) {
    const { identifier = [], period } = JSON.parse(json) as {
      readonly identifier?: readonly { readonly value?: string }[];
      readonly period?: { readonly start?: string; readonly end?: string };
    };
    for (const { value = '' } of identifier) {
      const contract = contractNumber.exec(value)?.[1];
      if (contract === undefined) continue;
      const from = Math.max(now, Number(period?.start?.slice(0, 4) ?? now));
      const to = Math.min(now + 1, Number(period?.end?.slice(0, 4) ?? from));
      for (let year = from; year <= to; year += 1) {
        const key = `${contract} ${year}`;
        const of = found.get(key) ?? { contract, year, plans: [] };
        found.set(key, of);
        if (!of.plans.includes(rid)) of.plans.push(rid);
      }
    }
  }
  return found.values();
}

/** Types that refer to networks: the providers in a network. */
const providers = ['PractitionerRole', 'OrganizationAffiliation'] as const;

/** Numbers of the resources that plans lead to: their networks, the providers in them, and everything that these refer to. */
function reachedFrom(index: PublicationIndex, plans: readonly number[]): ReadonlySet<number> {
  const reached = new Set(plans);
  const networks = new Set<number>();
  const ofPlans = index.links('InsurancePlan', elementNumber('InsurancePlan', 'network'));
  for (const plan of plans) eachLink(ofPlans, plan, (network) => networks.add(network));
  for (const type of providers) {
    const members = index.backlinks(type, elementNumber(type, 'network'));
    for (const network of networks) eachLink(members, network, (rid) => reached.add(rid));
  }
  for (const network of networks) reached.add(network);
  // The set grows during the loop; resources added to it are visited too.
  for (const rid of reached) {
    const type = index.typeOf(rid);
    if (type === undefined) continue;
    for (const element of index.references(type)) {
      // The other networks of a provider are not followed, because they belong to other plans.
      const isNetwork = type !== 'InsurancePlan' && element === networkElement(type);
      if (!isNetwork) eachLink(index.links(type, element), rid, (target) => reached.add(target));
    }
  }
  return reached;
}

function networkElement(type: DirectoryType): number | undefined {
  return providers.some((each) => each === type) ? elementNumber(type, 'network') : undefined;
}

async function writeBundles(
  index: PublicationIndex,
  files: PublicationFiles,
  base: string,
  folder: string,
  reached: ReadonlySet<number>,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const type of directoryTypes) {
    const rows = function* () {
      for (const row of index.each(type)) if (reached.has(row.rid)) yield row;
    };
    let number = 0;
    for (const part of partsOf(rows(), mostEntries)) {
      number += 1;
      const name = `${folder}/${fileName(type, number)}.json`;
      const text = function* (): Generator<string> {
        yield '{"resourceType":"Bundle","type":"collection","entry":[';
        let separator = '';
        for (const { id, json } of part) {
          yield `${separator}{"fullUrl":${JSON.stringify(`${base}/${type}/${id}`)},"resource":${json}}`;
          separator = ',';
        }
        yield ']}';
      };
      await files.write(name, contentTypes.fhirJson, pieces(text()));
      names.push(name);
    }
  }
  return names;
}
