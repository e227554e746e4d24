/** A registered client of an environment, with its secrets and subscription keys. */

import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { ClientRegistration, ClientState } from './registration-contract.ts';

/** A live client secret. A client has two at most, so that a rotation interrupts no call. */
export interface ClientSecret {
  readonly secretId: string;
  /** SHA-256 of the secret, hex. A slow hash would add nothing, since the secret has 256 random bits. */
  readonly sha256: string;
  /** The secret encrypted with the environment's KMS key, base64, for View Credentials. */
  readonly encrypted: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601: time when the secret of a finished rotation stops working. */
  readonly expiresAt?: string;
}

/** A live subscription key. Its value is stored in API Gateway only, and its SHA-256 in the lookup items. */
export interface SubscriptionKey {
  /** API Gateway's ID of the key. */
  readonly apiKeyId: string;
  readonly sha256: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
}

/**
 * The API key that meters all of the application's calls in API Gateway, with any subscription key or none. It grants no access: it is in
 * no lookup item, so calls that send it are refused.
 */
export interface MeteringKey {
  readonly apiKeyId: string;
  readonly value: string;
}

/** A registered application in one environment: its registration, state and credentials. */
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
