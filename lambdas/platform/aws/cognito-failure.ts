/** Failures of Cognito: distinguishes temporary ones, after which a request can be repeated, from decisions about a user. */

import { StoreUnavailable } from '../table/table.ts';

/** Maximum milliseconds of a call for a sign-in, so that the page can still answer before the function's timeout. */
export const cognitoTimeoutMs = 3_000;

/**
 * Cognito's refusals that must look alike to the person who signs in. A new-password or MFA challenge comes without a result and is such a
 * refusal: a password is set by activation, never by a challenge.
 *
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminInitiateAuth.html
 */
const refusals = new Set([
  'NotAuthorizedException',
  'UserNotFoundException',
  'UserNotConfirmedException',
  'PasswordResetRequiredException',
  'InvalidParameterException',
]);

const busyOrSilent = new Set([
  'TooManyRequestsException',
  'InternalErrorException',
  'TimeoutError',
  'AbortError',
]);

/**
 * Whether Cognito was busy or could not be reached, so that the request may be repeated. A connection error has Node's `code`
 * (`ECONNREFUSED`, `EAI_AGAIN`) and no name of its own.
 */
export function isTransient(error: unknown): boolean {
  const { name, code, $metadata } = error as {
    readonly name?: string;
    readonly code?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  return busyOrSilent.has(name ?? '') || typeof code === 'string' || ($metadata?.httpStatusCode ?? 0) >= 500;
}

/**
 * Awaits a call to Cognito.
 *
 * @throws StoreUnavailable if Cognito does not answer; every other error unchanged.
 */
export async function available<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw isTransient(error) ? new StoreUnavailable(error) : error;
  }
}

/**
 * Maps Cognito's error of a sign-in.
 *
 * @throws the error itself if it is a defect.
 */
export function meaningOf(error: unknown): 'refused' | 'unavailable' {
  if (error instanceof Error && refusals.has(error.name)) return 'refused';
  if (isTransient(error)) return 'unavailable';
  throw error;
}
