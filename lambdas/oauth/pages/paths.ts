import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';

/** The pages of a LOB's authorization server; `authorize` is the authorization endpoint. */
export type Page = 'authorize' | 'sign-in' | 'consent';

export function pagePath(lob: LineOfBusiness, page: Page): string {
  return `/fhir-oauth2/sec/${lob.toLowerCase()}/${page}`;
}
