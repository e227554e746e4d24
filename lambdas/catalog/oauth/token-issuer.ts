/** Issuers of tokens and owners of signing keys. */

import { type LineOfBusiness, lineOfBusinessCodes } from '../lines-of-business.ts';

/**
 * Issuer of a token: a LOB's authorization server for members' tokens, or the environment's machine-to-machine token host. Each has its own
 * keys, and its own partitions in the environment's table.
 */
export type TokenIssuer = LineOfBusiness | 'M2M';

export const tokenIssuers: readonly TokenIssuer[] = [...lineOfBusinessCodes, 'M2M'];

/**
 * Owner of signing keys: a token issuer, or this environment as a client that signs assertions (`private_key_jwt`): `FEDERATION` at plans'
 * identity providers, `PAYERS` at other payers.
 */
export type SigningKeyOwner = TokenIssuer | SigningClient;

const signingClients = ['FEDERATION', 'PAYERS'] as const;
type SigningClient = (typeof signingClients)[number];

export const signingKeyOwners: readonly SigningKeyOwner[] = [...tokenIssuers, ...signingClients];

/** The issuer in whose audit chain changes of an owner's keys are recorded. A signing client has no chain of its own. */
export function keyAuditIssuer(owner: SigningKeyOwner): TokenIssuer {
  return isSigningClient(owner) ? 'M2M' : owner;
}

/** The audit's name of an owner's keys. */
export function keyService(owner: SigningKeyOwner): string {
  return isSigningClient(owner) ? `${owner.toLowerCase()}-keys` : 'signing-keys';
}

/** Algorithm of an owner's keys. SMART Backend Services asks for RS384 or ES384, everything else here for RS256. */
export function signingAlgorithm(owner: SigningKeyOwner): 'RS256' | 'RS384' {
  return owner === 'PAYERS' ? 'RS384' : 'RS256';
}

function isSigningClient(owner: SigningKeyOwner): owner is SigningClient {
  return (signingClients as readonly string[]).includes(owner);
}

/** Path, at the authorization host, of the public keys by which other payers verify this plan's assertions. */
export const payerKeysPath = '/fhir-oauth2/payers/jwks';
