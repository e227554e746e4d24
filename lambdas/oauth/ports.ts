import type { MemberAccessToken } from '../catalog/access-token.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { TokenIssuer } from '../catalog/token-issuer.ts';
import type { AuthorizationAuditEvent } from './audit-event.ts';
import type { OAuthClient } from './client.ts';

/** What the authorization server needs from outside. Adapters: `lambdas/storage`, `lambdas/signing`, `lambdas/aws`. */

/** `at+jwt`: RFC 9068 section 2.1. `JWT`: an id_token. */
export type TokenType = 'at+jwt' | 'JWT';

export interface SigningKeys {
  /**
   * A compact JWS (RS256) over the claims, by the issuer's current key, with `kid` and `typ` in its header.
   *
   * @throws where no key can be had; nothing may be committed then.
   */
  sign(issuer: TokenIssuer, claims: Readonly<Record<string, unknown>>, typ: TokenType): Promise<string>;
}

export interface MemberAccessTokens {
  /**
   * The claims of a member's access token of this LOB: ours, unaltered, and in its time. Its grant is not looked at.
   *
   * @throws StoreUnavailable where the published keys can't be read.
   */
  verify(lob: LineOfBusiness, token: string): Promise<MemberAccessToken | undefined>;
}

export interface IdTokenHints {
  /**
   * Whom an id_token of this LOB names, and for which client it was made: ours and unaltered, however old.
   *
   * @returns undefined for any other text, and for one whose key is no longer published.
   * @throws StoreUnavailable where the published keys can't be read.
   */
  read(
    lob: LineOfBusiness,
    idToken: string,
  ): Promise<{ readonly subject: string; readonly clientId: string } | undefined>;
}

export interface ClientStore {
  find(clientId: string): Promise<OAuthClient | undefined>;
}

/** Which client secrets are in use, by the day. */
export interface SecretUses {
  /**
   * A client has proven itself by a secret. Comes back at once: what is written is written beside the answer, and no request
   * fails or waits for it.
   *
   * @param sha256 of the secret, hex.
   */
  used(sha256: string): void;
}

export interface AuthorizationAuditTrail {
  record(event: AuthorizationAuditEvent): Promise<void>;
}

/** A member whose password was right, as one LOB knows them. */
export interface SignedInMember {
  /** Opaque subject id of the member's account. */
  readonly sub: string;
  readonly patientId: string;
  readonly displayName: string;
}

/**
 * Whether the account of a member could sign in now, and is still that patient's. False too where the directory doesn't
 * answer: then the password would be of no use either.
 */
export type IsAccountActive = (lob: LineOfBusiness, member: SignedInMember) => Promise<boolean>;

/**
 * Whether the account of a member was disabled or deleted, or is no longer that patient's. A password that was reset ends
 * nothing the member shared before.
 *
 * @throws StoreUnavailable where the directory doesn't answer.
 */
export type IsAccountClosed = (
  lob: LineOfBusiness,
  member: Pick<SignedInMember, 'sub' | 'patientId'>,
) => Promise<boolean>;

/**
 * - `refused`: unknown, wrong password, disabled or locked; indistinguishable.
 * - `not_covered`: the account is right and has no plan in this LOB. For the record alone: the page answers as to `refused`.
 * - `unavailable`: the directory did not answer; nothing was decided.
 * - `locked`: too many failures of this account, known or not, or from this address; no password was tried.
 */
export type SignInRefusal = 'refused' | 'not_covered' | 'unavailable' | 'locked';

export type MemberSignIn = (
  lob: LineOfBusiness,
  username: string,
  password: string,
  /** The caller's. */
  address: string,
) => Promise<
  | {
      readonly member: SignedInMember;
      /** The name as the failures under it are counted. */
      readonly name: string;
      /** How many failures there were under it before. */
      readonly failures: number;
    }
  | { readonly refusal: Exclude<SignInRefusal, 'locked'> }
  | { readonly refusal: 'locked'; readonly retryAfterSeconds: number }
>;
