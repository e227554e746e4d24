/** Checks result Bundles in the demo. */

import { expectEqual, expectObject, expectTrue, Unexpected } from './expect.ts';

export type Json = Record<string, unknown>;

/** A resource that the generator made for the member. */
export interface ExpectedResource {
  readonly resourceType: string;
  readonly id: string;
  readonly json: string;
}

export interface ExpectedPage {
  /** FHIR base URL. */
  readonly base: string;
  readonly resourceType: string;
  /** The expected matches of all pages. */
  readonly matches: readonly ExpectedResource[];
  /** Number of matches on this page. */
  readonly size: number;
  /** Whether a further page follows. */
  readonly more: boolean;
}

export interface BundlePage {
  readonly resources: readonly Json[];
  /** Absolute URL of the next page. */
  readonly next?: string;
}

/** Checks a searchset Bundle against FHIR (R4, bundle.html#searchset), and each resource against what was loaded. */
export function checkPage(body: string, expected: ExpectedPage): BundlePage {
  const { base, resourceType, matches, size, more } = expected;
  const bundle = expectObject('the Bundle', body);
  expectEqual('resourceType', bundle.resourceType, 'Bundle');
  expectEqual('Bundle.type', bundle.type, 'searchset');
  expectEqual('Bundle.total', bundle.total, matches.length);
  const entries = bundle.entry === undefined ? [] : entriesOf('Bundle.entry', bundle.entry);
  expectEqual('entries on the page', entries.length, size);
  const resources = entries.map((it) =>
    checkEntry(objectOf('Bundle.entry', it), base, resourceType, matches),
  );
  const ids = resources.map(({ id }) => id);
  expectTrue('each resource once', new Set(ids).size === ids.length, ids);
  const links = entriesOf('Bundle.link', bundle.link).map((it) => objectOf('Bundle.link', it));
  const url = (relation: string) => links.find((link) => link.relation === relation)?.url;
  expectTrue('a self link on this server', String(url('self')).startsWith(`${base}/${resourceType}?`), links);
  const next = url('next');
  if (!more) {
    expectEqual('the next link of the last page', next, undefined);
    return { resources };
  }
  expectTrue('a next link on this server', String(next).startsWith(`${base}/${resourceType}?`), links);
  return { resources, next: String(next) };
}

function checkEntry(
  entry: Json,
  base: string,
  resourceType: string,
  matches: readonly ExpectedResource[],
): Json {
  const resource = objectOf('Bundle.entry.resource', entry.resource);
  const loaded = matches.find(({ id }) => id === resource.id);
  if (loaded === undefined)
    throw new Unexpected('a resource of the page', 'one that was loaded', resource.id);
  expectEqual(`${resourceType}/${loaded.id}`, resource, JSON.parse(loaded.json));
  expectEqual('Bundle.entry.fullUrl', entry.fullUrl, `${base}/${resourceType}/${loaded.id}`);
  expectEqual('Bundle.entry.search', entry.search, { mode: 'match' });
  return resource;
}

/** Checks that claims are sorted by date of service, newest first. */
export function checkNewestFirst(claims: readonly Json[]): void {
  const starts = claims.map((claim) => String(objectOf('billablePeriod', claim.billablePeriod).start));
  expectEqual('claims, the newest first', starts, [...starts].sort().reverse());
}

export function objectOf(what: string, value: unknown): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new Unexpected(what, 'an object', value);
}

export function entriesOf(what: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new Unexpected(what, 'an array that is not empty', value);
}
