import { type LineOfBusiness, lineOfBusinessCodes } from './lines-of-business.ts';

/**
 * Issuer of a token: a LOB's authorization server for member tokens, or the environment's machine-to-machine token
 * host. Each has its own issuer, its own keys and its own partitions in the environment's table.
 */
export type TokenIssuer = LineOfBusiness | 'M2M';

export const tokenIssuers: readonly TokenIssuer[] = [...lineOfBusinessCodes, 'M2M'];
