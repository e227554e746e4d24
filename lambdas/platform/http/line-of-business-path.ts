/** Reads the LOB from a path of the authorization host. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type LineOfBusiness, parseLineOfBusiness } from '../../catalog/lines-of-business.ts';

/** A path of the authorization host that belongs to one LOB, such as `/fhir-oauth2/pub/dsnp/token/`. */
export interface LineOfBusinessPath {
  readonly lob: LineOfBusiness;
  /** The path after the LOB, without leading and trailing slashes: `token`, `.well-known/openid-configuration`. */
  readonly rest: string;
}

/**
 * Reads the LOB of a path, in lowercase or uppercase, and the path after it. A trailing slash is allowed (docs/service.md S5.2).
 *
 * @param prefix the path before the LOB, `/fhir-oauth2/pub/`.
 * @returns undefined if the path has another prefix or no known LOB.
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
