/** Responds to requests for a whole publication: `$bulk-publish`, `$export`, Plan Finder, truth report, files. */

import { directoryTypes } from '../../catalog/fhir/directory-types.ts';
import type { PublicationOperation } from '../../catalog/fhir/fhir-routes.ts';
import {
  invalid,
  notSupported,
  type Parameter,
  printable,
  type SearchIssue,
} from '../../fhir/query/search-issue.ts';
import type { DirectoryPublications } from '../publication/publication.ts';
import { bulkManifest, exportManifest } from './bulk-files.ts';
import { contentTypes } from './public-files.ts';
import { fileNames, type PublicationCatalog, publicationKeys } from './publication-catalog.ts';
import { truthPage } from './truth-page.ts';

export interface PublicationServices {
  readonly publications: Pick<DirectoryPublications, 'current'>;
  /**
   * Reads the catalog of a publication.
   *
   * @returns undefined if the publication is no longer kept.
   */
  readonly catalogOf: (id: string) => Promise<PublicationCatalog | undefined>;
  readonly lob: string;
  /** FHIR base URL, without a trailing slash. */
  readonly base: string;
}

export interface PublicationRequest {
  readonly operation: PublicationOperation;
  /** Parameters of the path, percent-decoded. */
  readonly path: Readonly<Record<string, string | undefined>>;
  /** Parameters of the query, decoded. */
  readonly parameters: readonly Parameter[];
  /** `Prefer: respond-async`. */
  readonly isAsync: boolean;
  /** Whether the client prefers HTML to JSON. */
  readonly wantsPage: boolean;
}

export type PublicationAnswer =
  /** Status 200, or 304 if the client has the entity tag. */
  | { readonly kind: 'document'; readonly tag: string; readonly contentType: string; readonly body: string }
  /** Status 202 with `Content-Location`. */
  | { readonly kind: 'accepted'; readonly location: string }
  /** Status 307 to a signed URL of the object. */
  | { readonly kind: 'file'; readonly key: string; readonly contentType: string }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] }
  | { readonly kind: 'not_found' }
  /** Status 410: the publication is no longer kept. */
  | { readonly kind: 'publication_gone' };

/**
 * Responds to a request.
 *
 * @throws PublicationUnavailable if no publication can be opened.
 */
export async function answerPublication(
  services: PublicationServices,
  request: PublicationRequest,
): Promise<PublicationAnswer> {
  const { operation, path } = request;
  if (operation === 'publication.export') return await acceptExport(services, request);
  const named = operation === 'publication.file' || operation === 'publication.export-status';
  const id = named ? (path.publication ?? '') : (await services.publications.current()).id;
  const catalog = /^[\w-]{1,64}$/.test(id) ? await services.catalogOf(id) : undefined;
  if (catalog === undefined) return { kind: named ? 'publication_gone' : 'not_found' };
  const url = (name: string) => `${services.base}/public/files/${id}/${name}`;
  const json = (body: object): PublicationAnswer => ({
    kind: 'document',
    tag: id,
    contentType: 'application/json',
    body: JSON.stringify(body),
  });
  switch (operation) {
    case 'publication.bulk-publish':
      return json(bulkManifest(catalog.builtAt, catalog.bulk, url));
    case 'publication.export-status': {
      const types = typesOf(request.parameters);
      const kickOff = `${services.base}/$export${types.length === 0 ? '' : `?_type=${types.join(',')}`}`;
      return json(exportManifest(catalog.builtAt, catalog.bulk, url, kickOff, types));
    }
    case 'publication.file': {
      const name = `${path.folder}/${path.file}`;
      if (!fileNames(catalog).has(name)) return { kind: 'not_found' };
      const contentType = name.endsWith('.ndjson') ? contentTypes.ndjson : contentTypes.fhirJson;
      return { kind: 'file', key: publicationKeys.file(services.lob, id, name), contentType };
    }
    case 'publication.plan-finder': {
      const found = catalog.planFinder.find(
        ({ contract, year }) => contract === path.contract && String(year) === path.year,
      );
      return found === undefined ? { kind: 'not_found' } : json({ provider_urls: found.files.map(url) });
    }
    case 'publication.truth-report':
      if (!request.wantsPage) return json(catalog.truth);
      return {
        kind: 'document',
        tag: `${id}-page`,
        contentType: 'text/html; charset=utf-8',
        body: truthPage(catalog.truth),
      };
  }
}

const exportParameters = ['_type', '_outputFormat'];
const exportFormats = ['application/fhir+ndjson', 'application/ndjson', 'ndjson'];

/** Accepts an export, which is complete at once, because its files exist already (Bulk Data Access 2.0, "Bulk Data Kick-off Request"). */
async function acceptExport(
  { publications, base }: PublicationServices,
  { parameters, isAsync }: PublicationRequest,
): Promise<PublicationAnswer> {
  const issues: SearchIssue[] = [];
  if (!isAsync) issues.push(invalid('$export is asynchronous. Send the header Prefer: respond-async.'));
  for (const [name, value] of parameters) {
    if (!exportParameters.includes(name)) {
      issues.push(
        notSupported(
          `$export has no parameter ${printable(name)} here. It has ${exportParameters.join(', ')}; $bulk-publish names what changed.`,
        ),
      );
    } else if (name === '_outputFormat' && !exportFormats.includes(value)) {
      issues.push(
        notSupported(`_outputFormat must be one of ${exportFormats.join(', ')}, not ${printable(value)}.`),
      );
    }
  }
  const types = typesOf(parameters);
  for (const type of types) {
    if (!directoryTypes.some((each) => each === type)) {
      issues.push(notSupported(`_type must be of ${directoryTypes.join(', ')}, not ${printable(type)}.`));
    }
  }
  if (issues.length > 0) return { kind: 'invalid', issues };
  const { id } = await publications.current();
  const query = types.length === 0 ? '' : `?_type=${types.join(',')}`;
  return { kind: 'accepted', location: `${base}/public/export/${id}${query}` };
}

function typesOf(parameters: readonly Parameter[]): readonly string[] {
  return parameters.flatMap(([name, value]) =>
    name === '_type' ? value.split(',').filter((type) => type !== '') : [],
  );
}
