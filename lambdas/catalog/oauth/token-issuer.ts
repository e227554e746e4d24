/** Issuers of tokens and owners of signing keys. */

import { type LineOfBusiness, lineOfBusinessCodes } from '../lines-of-business.ts';

/**
 * Issuer of a token: a LOB's authorization server for members' tokens, or the environment's machine-to-machine token host. Each has its own
 * keys, and its own partitions in the environment's table.
 */
export type TokenIssuer = LineOfBusiness | 'M2M';

export const tokenIssuers: readonly TokenIssuer[] = [...lineOfBusinessCodes, 'M2M'];

/**
 * Owner of signing keys: a token issuer, or `FEDERATION`, which is this environment as a client of plans' identity providers
 * (`private_key_jwt`).
 */
export type SigningKeyOwner = TokenIssuer | 'FEDERATION';

export const signingKeyOwners: readonly SigningKeyOwner[] = [...tokenIssuers, 'FEDERATION'];

/** The issuer in whose audit chain changes of an owner's keys are recorded. `FEDERATION` has no chain of its own. */
export function keyAuditIssuer(owner: SigningKeyOwner): TokenIssuer {
  return owner === 'FEDERATION' ? 'M2M' : owner;
}
