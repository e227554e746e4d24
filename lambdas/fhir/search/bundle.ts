/** Builds searchset Bundles. */

import type { BundleEntry, BundleLink, OperationOutcome, OperationOutcomeIssue } from 'fhir/r4.js';
import { notSupported, type Parameter, type SearchIssue } from '../query/search-issue.ts';

export interface BundledResource {
  /** `Type/id`. */
  readonly name: string;
  /** The serialized resource, in the negotiated media type. */
  readonly json: string;
  readonly mode: 'match' | 'include';
}

/** A searchset Bundle (R4, bundle.html#searchset). */
export interface SearchBundle {
  /** FHIR base URL. */
  readonly base: string;
  /** Absolute URLs. */
  readonly self: string;
  readonly next?: string;
  /** Number of matches on all pages; absent if they were not counted. */
  readonly total?: number;
  readonly resources: readonly BundledResource[];
  /** Warnings for the client, each an issue of the OperationOutcome entry. */
  readonly warnings: readonly string[];
  /** Time of the Bundle, milliseconds since 1970. */
  readonly now: number;
}

/** Builds a Bundle by joining the stored JSON texts; no resource is parsed. */
export function searchBundle({ base, self, next, total, resources, warnings, now }: SearchBundle): string {
  const links: BundleLink[] = [
    { relation: 'self', url: self },
    ...(next === undefined ? [] : [{ relation: 'next', url: next }]),
  ];
  const members = [
    '"resourceType":"Bundle"',
    `"meta":${JSON.stringify({ lastUpdated: new Date(now).toISOString() })}`,
    '"type":"searchset"',
    ...(total === undefined ? [] : [`"total":${total}`]),
    `"link":${JSON.stringify(links)}`,
  ];
  const entries = resources.map((resource) => resourceEntry(base, resource));
  if (warnings.length > 0) entries.push(outcomeEntry(warnings.map(notSupported)));
  // FHIR's JSON allows no empty lists.
  const entry = entries.length === 0 ? '' : `,"entry":[${concatenated(entries)}]`;
  return `{${members.join(',')}${entry}}`;
}

/** `+` makes a rope, which V8 copies once when the text is sent; `join` would copy the resources here as well. */
function concatenated(entries: readonly string[]): string {
  return entries.reduce((list, each) => `${list},${each}`);
}

/** The URL of a search or operation with its parameters. */
export function searchUrl(url: string, parameters: readonly Parameter[]): string {
  const query = parameters.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  return query === '' ? url : `${url}?${query}`;
}

/** Leaves the characters unencoded that a query may contain (RFC 3986 section 3.4); `|` becomes %7C, which API Gateway requires. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/%(?:2C|2F|3A)/g, decodeURIComponent);
}

function resourceEntry(base: string, { name, json, mode }: BundledResource): string {
  return `{"fullUrl":${JSON.stringify(`${base}/${name}`)},"resource":${json},"search":{"mode":"${mode}"}}`;
}

function outcomeEntry(issues: readonly SearchIssue[]): string {
  const issue = issues.map((each): OperationOutcomeIssue => ({ severity: 'warning', ...each }));
  const entry: BundleEntry<OperationOutcome> = {
    resource: { resourceType: 'OperationOutcome', issue },
    search: { mode: 'outcome' },
  };
  return JSON.stringify(entry);
}
