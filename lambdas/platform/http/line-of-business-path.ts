/** Reads the LOB from a path of the authorization host. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type LineOfBusiness, parseLineOfBusiness } from '../../catalog/lines-of-business.ts';

/** A path of the identity-provider host that belongs to one LOB: `/fhir-oauth2/pub/dsnp/token/`. */
export interface LineOfBusinessPath {
  readonly lob: LineOfBusiness;
  /** The path after the LOB, without slashes at its ends: `token`, `.well-known/openid-configuration`. */
  readonly rest: string;
}

/**
 * Reads the LOB of a path, in either case, and what follows it; a trailing slash is forgiven (docs/service.md
 * S5.2).
 *
 * @param prefix what stands before the LOB, `/fhir-oauth2/pub/`.
 * @returns undefined where the path has another prefix or no known LOB.
 */
export function lineOfBusinessPath(
  event: APIGatewayProxyEvent,
  prefix: string,
): LineOfBusinessPath | undefined {
  if (!event.path.startsWith(prefix)) return undefined;
  const [code = '', ...rest] = event.path.slice(prefix.length).replace(/\/$/, '').split('/');
  const lob = parseLineOfBusiness(code);
  return lob === undefined ? undefined : { lob, rest: rest.join('/') };
}
