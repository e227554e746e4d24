import type { LineOfBusiness } from '../../../catalog/lines-of-business.ts';
import type { AuthorizationErrorCode, UnredirectableReason } from '../../../catalog/oauth-errors.ts';
import type { OAuthClient } from '../../client.ts';
import type { Parameters } from '../../parameters.ts';
import type { AuthorizationError } from '../authorization-error.ts';

/** An authorization request before anything of it is believed. */
export interface Asked {
  readonly parameters: Parameters;
  readonly lob: LineOfBusiness;
  /** FHIR base of this LOB's Patient Access: the one audience there is. */
  readonly audience: string;
  /** The registered application of that `client_id`, if there is one. */
  readonly client: OAuthClient | undefined;
}

/** The same, once client and redirect URI are known to belong together. */
export interface AskedByClient extends Asked {
  readonly client: OAuthClient;
}

export type PageCheck = (asked: Asked) => UnredirectableReason | undefined;
export type RedirectCheck = (asked: AskedByClient) => AuthorizationError | undefined;

export function refuse(error: AuthorizationErrorCode, description: string): AuthorizationError {
  return { error, description };
}
