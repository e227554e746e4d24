/** The demonstration: a public client of the sandbox, by which anybody reads one fictional member without an account. */

import type { LineOfBusiness } from '../lines-of-business.ts';

/**
 * Credentials and limits of the demonstration. Its client ID and its subscription key are printed on the portal's pages: whoever has them
 * gets what a visitor gets, and no more. Only a sandbox can have the client (`registration-rules-contract.ts`), and only a sandbox's token
 * endpoint knows the grant type (docs/decisions/0067).
 */
export const demonstration = {
  clientId: 'sandbox-demonstration',
  subscriptionKey: 'public-key-of-the-sandbox-demonstration',
  /** An extension grant, named by an absolute URI (RFC 6749 section 4.5; RFC 4151, `tag`). */
  grantType: 'tag:memberdata.example,2026:grant-type:demonstration',
  /** Tier of its usage plan, which all visitors share. */
  tier: 'demonstration',
  lineOfBusiness: 'DSNP',
  scope: 'launch/patient patient/*.rs',
  /** Maximum lifetime of a token, in seconds. */
  accessTokenSeconds: 300,
  /** Maximum tokens an address gets in a minute. One visitor needs a token every five minutes, but an office shares its address. */
  tokensPerMinute: 20,
  /** Maximum calls with the subscription key that one address may make in five minutes. */
  callsPerFiveMinutes: 300,
} as const satisfies { readonly lineOfBusiness: LineOfBusiness; readonly [name: string]: string | number };
