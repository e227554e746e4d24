import type { EnvironmentOrigins } from './addresses.ts';
import type { Environment } from './environments.ts';
import type { LineOfBusiness } from './lines-of-business.ts';
import type { PlanIdentifiers } from './payer/published-payer.ts';
import type { SubscriptionKeyRequirement } from './subscription-key-requirements.ts';

/**
 * Facts of a deployment that public pages and documents state: its addresses and limits. Made from the deployed configuration, and an input
 * of the portal's build.
 */
export interface PublishedService {
  /** Origin of the portal, without trailing slash. */
  readonly portal: string;
  /** E-mail address of developer support. */
  readonly supportEmail: string;
  readonly environments: Readonly<Record<Environment, PublishedEnvironment>>;
}

export interface PublishedEnvironment {
  readonly origins: EnvironmentOrigins;
  /** `<resourceId>/.default` is the scope of the client credentials grant. */
  readonly resourceId: string;
  readonly linesOfBusiness: readonly LineOfBusiness[];
  readonly planIdentifiers: PlanIdentifiers;
  /** Whether a call with a member's access token needs a subscription key too. */
  readonly subscriptionKey: SubscriptionKeyRequirement;
  readonly memberAccessTokenSeconds: number;
  readonly clientAccessTokenSeconds: number;
  readonly authorizationCodeSeconds: number;
  readonly interactionSeconds: number;
  readonly grantDays: number;
  readonly refreshIdleDays: number;
  /** Maximum token requests of one application in a minute, at each line of business and at the machine-to-machine token host. */
  readonly tokenRequestsPerMinute: number;
  /** Names of the identity providers at which members of a line of business can sign in. */
  readonly identityProviders: Readonly<Partial<Record<LineOfBusiness, string>>>;
  /** Name of the usage plan that an application begins with. */
  readonly firstTier: string;
  /** Usage plans by name. */
  readonly tiers: Readonly<
    Record<
      string,
      { readonly requestsPerSecond: number; readonly burst: number; readonly requestsPerDay: number }
    >
  >;
}
