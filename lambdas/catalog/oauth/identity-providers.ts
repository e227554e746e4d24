import type { Language } from '../languages.ts';
import type { LineOfBusiness } from '../lines-of-business.ts';

/**
 * Methods by which this service authenticates as a client of a plan's identity provider (OpenID Connect Core section 9). `private_key_jwt`
 * signs with the environment's own key, whose public part is published.
 */
export const providerAuthenticationMethods = [
  'private_key_jwt',
  'client_secret_basic',
  'client_secret_post',
] as const;

/** Algorithms that a plan's identity provider may sign ID tokens with; asymmetric ones only. */
export const providerIdTokenAlgorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const;

/** A plan's identity provider, as configured for one LOB. */
export interface IdentityProvider {
  /** Issuer identifier, exactly as in the provider's metadata and ID tokens. */
  readonly issuer: string;
  /** Client ID of this service at the provider. */
  readonly clientId: string;
  readonly clientAuthentication: (typeof providerAuthenticationMethods)[number];
  /** The only algorithm that ID tokens may be signed with (RFC 8725 section 3.1). */
  readonly idTokenAlgorithm: (typeof providerIdTokenAlgorithms)[number];
  /** Claim of the ID token with the plan's member ID. */
  readonly memberIdClaim: string;
  readonly scopes: readonly string[];
  /** Name of the provider on members' pages, in each language. */
  readonly label: Readonly<Record<Language, string>>;
  /** Requested authentication contexts; `acr` of the ID token must be one of them. Empty if any is accepted. */
  readonly acrValues: readonly string[];
  /** Whether members can also sign in with an account of this service. */
  readonly localAccounts: boolean;
}

/** The identity provider of each LOB that has one. */
export type IdentityProviders = Readonly<Partial<Record<LineOfBusiness, IdentityProvider>>>;

/** The part of a provider that the sign-in page shows. */
export type ProviderChoice = Pick<IdentityProvider, 'label' | 'localAccounts'>;

/** Pages of the federated sign-in, below `/fhir-oauth2/federation/{lob}/`. */
export const federationPages = ['start', 'callback', 'problem', 'sign-out', 'signed-out'] as const;

export type FederationPage = (typeof federationPages)[number];

/** Path of a page of the federated sign-in. The redirect URI of an LOB is its `callback`. */
export function federationPath(lob: LineOfBusiness, page: FederationPage): string {
  return `/fhir-oauth2/federation/${lob.toLowerCase()}/${page}`;
}

/** Path of the public keys that this service signs its client assertions with. */
export const federationKeysPath = '/fhir-oauth2/federation/jwks';

const federatedPrefix = 'idp_';

/**
 * The subject (`sub`) of an account at a plan's identity provider: stable, opaque, and different for each issuer.
 *
 * @param sha256 SHA-256 of a text, base64url without padding.
 */
export function federatedSubject(
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
  sha256: (text: string) => string,
): string {
  return `${federatedPrefix}${sha256(`${issuer}\n${subject}`).slice(0, 32)}`;
}

/** Whether a subject belongs to an account at a plan's identity provider, which is in no user pool. */
export function isFederatedSubject(sub: string): boolean {
  return sub.startsWith(federatedPrefix);
}
