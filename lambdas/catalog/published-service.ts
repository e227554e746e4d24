import type { EnvironmentOrigins } from './addresses.ts';
import type { Environment } from './environments.ts';
import type { LineOfBusiness } from './lines-of-business.ts';
import type { SubscriptionKeyRequirement } from './subscription-key-requirements.ts';

/**
 * Facts of a deployment in the public pages and documents, beside the catalog's tables: its addresses and its
 * limits. Made from the configuration that is deployed, handed to the portal's build.
 */
export interface PublishedService {
  /** Origin of the portal, without trailing slash. */
  readonly portal: string;
  /** Address of developer support. */
  readonly supportEmail: string;
  readonly environments: Readonly<Record<Environment, PublishedEnvironment>>;
}

export interface PublishedEnvironment {
  readonly origins: EnvironmentOrigins;
  /** `<resourceId>/.default` is the scope of the client credentials grant. */
  readonly resourceId: string;
  readonly linesOfBusiness: readonly LineOfBusiness[];
  /** Requirement of a subscription key in addition to a member's access token. */
  readonly subscriptionKey: SubscriptionKeyRequirement;
  readonly memberAccessTokenSeconds: number;
  readonly clientAccessTokenSeconds: number;
  readonly authorizationCodeSeconds: number;
  readonly interactionSeconds: number;
  readonly grantDays: number;
  readonly refreshIdleDays: number;
  /** Limit of one application, at each line of business and at the machine token host. */
  readonly tokenRequestsPerMinute: number;
  /** Usage plans by name. */
  readonly tiers: Readonly<
    Record<
      string,
      { readonly requestsPerSecond: number; readonly burst: number; readonly requestsPerDay: number }
    >
  >;
}
