/** Paths of members' pages. */

import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { type FederationPage, federationPath } from '../../catalog/oauth/identity-providers.ts';

/** Pages that can be read without a sign-in. */
export const guidePages = ['choosing-an-app', 'privacy-laws', 'complaints'] as const;

export type GuidePage = (typeof guidePages)[number];

/** The pages of a LOB's authorization server; `authorize` is the authorization endpoint, `logout` the end-session endpoint. */
export type MemberPagePath =
  | 'authorize'
  | 'sign-in'
  | 'code'
  | 'activation'
  | 'activation-code'
  | 'activation-password'
  | 'patient'
  | 'consent'
  | 'logout'
  | 'connected-apps'
  | GuidePage;

export function pagePath(lob: LineOfBusiness, page: MemberPagePath): string {
  return `/fhir-oauth2/sec/${lob.toLowerCase()}/${page}`;
}

/** The address of a page with a query. Undefined values are left out. */
export function pageAddress(
  lob: LineOfBusiness,
  page: MemberPagePath,
  query: Readonly<Record<string, string | undefined>> & { readonly language?: Language },
): string {
  return withQuery(pagePath(lob, page), query);
}

/** The address of a page of the federated sign-in with a query. Undefined values are left out. */
export function federationAddress(
  lob: LineOfBusiness,
  page: FederationPage,
  query: Readonly<Record<string, string | undefined>> & { readonly language?: Language },
): string {
  return withQuery(federationPath(lob, page), query);
}

function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const text = new URLSearchParams(given).toString();
  return text === '' ? path : `${path}?${text}`;
}
