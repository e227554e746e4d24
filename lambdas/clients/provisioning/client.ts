/** A registered client of an environment, with its secrets and subscription keys. */

import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { ClientRegistration, ClientState } from './registration-contract.ts';

/** A live client secret; two at most, so that a rotation loses no call. */
export interface ClientSecret {
  readonly secretId: string;
  /** SHA-256 of the secret, hex. The secret has 256 random bits, so a slow hash would add nothing. */
  readonly sha256: string;
  /** The secret encrypted by the environment's credential key (KMS), base64; for View Credentials. */
  readonly encrypted: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; the secret of a finished rotation stops at this time. */
  readonly expiresAt?: string;
}

/** A live subscription key; its value lies in API Gateway only, its SHA-256 in the lookup items. */
export interface SubscriptionKey {
  /** API Gateway's id of the key. */
  readonly apiKeyId: string;
  readonly sha256: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
}

/**
 * The key by which API Gateway meters the application's calls, whichever subscription key they come with, if any. It grants no
 * access: no lookup knows it, so it is refused where it is sent.
 */
export interface MeteringKey {
  readonly apiKeyId: string;
  readonly value: string;
}

/** A registered application as one environment knows it: its registration, state and credentials. */
export interface Client extends ClientRegistration {
  readonly clientId: string;
  readonly state: ClientState;
  readonly secrets: readonly ClientSecret[];
  readonly subscriptionKeys: readonly SubscriptionKey[];
  /** Absent if the client was registered before metering keys existed. */
  readonly meteringKey?: MeteringKey;
  /** Identifiers of the payer's organization, verified by the operator. An application can't change them. */
  readonly organization?: readonly OrganizationIdentifier[];
  readonly createdAt: string;
  readonly updatedAt: string;
}
