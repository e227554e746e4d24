/** The bodies of the portal API’s responses; those to operators alone are in operator-views.ts. Times are ISO 8601 in UTC. None contains member data. */

import type { Environment } from '../../catalog/environments.ts';
import type { Interface } from '../../catalog/fhir/interfaces.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { AccountState, DeveloperType, PortalActor, TeamRole } from '../catalog/account-states.ts';
import type {
  ApplicationAct,
  ApplicationState,
  ChangeAct,
  ChangeState,
  DecisionCriterion,
} from '../catalog/application-states.ts';
import type { ProblemCode } from '../catalog/problems.ts';
import type { ApplicationConfiguration, ConfigurationField } from './applications.ts';

/** RFC 9457, with this API's extensions. */
export interface ProblemDetails {
  /** `<portal origin>/docs/errors#<code>` */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly requestId: string;
  readonly errors?: readonly ProblemField[];
  /** Present with `account_state` and `state_conflict`. */
  readonly state?: string;
  readonly allowed?: readonly string[];
  /** Present with `stale_version`: the present value, and the names of the fields that differ from those sent. */
  readonly current?: unknown;
  readonly changed?: readonly string[];
  /** Present with `wrong_code`. */
  readonly triesLeft?: number;
  /** Present with 429: seconds, the same as the header. */
  readonly retryAfter?: number;
  readonly limit?: number;
  /** Present with `terms_outdated`. */
  readonly version?: string;
  /** Present with `preflight_failed`. */
  readonly checks?: readonly PreflightCheck[];
}

export interface ProblemField {
  /** JSON pointer (RFC 6901) into the request, e.g. `/loginRedirectUris/0`. */
  readonly pointer: string;
  /** `unknown_field`, `missing` or `invalid`; `taken` for what somebody else has; `known_password`; `not_us_number`. */
  readonly code: 'unknown_field' | 'missing' | 'invalid' | 'taken' | 'known_password' | 'not_us_number';
  /** The expected value, in words that can stand beside the field. */
  readonly expected: string;
}

/** `GET /api/bot-check` */
export type BotCheckView =
  | { readonly provider: 'recaptcha'; readonly siteKey: string }
  | { readonly provider: 'altcha'; readonly challenge: unknown };

/** The next screen. `code` is requested at sign-in only. */
export type NextStep = 'verify_email' | 'verify_phone' | 'accept_terms' | 'await_verification' | 'none';

export interface AccountView {
  readonly accountId: string;
  readonly version: number;
  readonly state: AccountState;
  readonly nextStep: NextStep;
  readonly role: 'developer' | 'operator';
  readonly developerType?: DeveloperType;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** `+12025550123`; of the last four digits only while the account isn't active. */
  readonly phone?: string;
  readonly username?: string;
  readonly company: string;
  readonly teamId: string;
  /** The masked destination of the awaited code: `d•••@example.org`, `•••• 0123`. */
  readonly codeSentTo?: string;
  readonly createdAt: string;
  readonly termsVersion?: string;
  /** `GET /api/account` only: time until which secrets are shown without the password, which was entered recently. */
  readonly secretsOpenUntil?: string;
  /** For an operator: the time since which codes come from an authenticator app. */
  readonly authenticatorSince?: string;
}

/** `POST /api/account/authenticator`: a key for an authenticator app, and the link that carries it there. */
export interface AuthenticatorView {
  /** Sent back with the first code. */
  readonly enrollment: string;
  /** Base32. */
  readonly key: string;
  /** `otpauth://totp/…` */
  readonly uri: string;
}

/** `POST /api/session` and `/session/code` */
export type SignInView =
  | { readonly next: 'signed_in'; readonly account: AccountView }
  | { readonly next: 'code'; readonly sentTo: string; readonly channel: 'email' | 'sms' | 'authenticator' };

export interface TeamView {
  readonly teamId: string;
  readonly name: string;
  readonly members: readonly {
    readonly accountId: string;
    readonly name: string;
    readonly email: string;
    readonly role: TeamRole;
    readonly joinedAt: string;
  }[];
  readonly invitations: readonly {
    readonly invitationId: string;
    readonly email: string;
    readonly invitedBy: string;
    readonly expiresAt: string;
  }[];
}

/** Response of `POST /api/team/invitations/show`: the invitation to a team whose secret the request has. */
export interface InvitationView {
  readonly team: string;
  readonly invitedBy: string;
  readonly email: string;
  readonly expiresAt: string;
}

export interface PreflightCheck {
  readonly id: string;
  /** The subject of the check, in words. */
  readonly title: string;
  /** `warn` doesn't keep a submission back; the operator sees it. `skipped`: the network here doesn't allow the check. */
  readonly result: 'pass' | 'warn' | 'fail' | 'skipped';
  readonly detail: string;
  readonly field?: ConfigurationField;
}

export interface TimelineEvent {
  readonly eventId: string;
  readonly at: string;
  readonly actor: { readonly kind: PortalActor; readonly name: string };
  readonly act: ApplicationAct | ChangeAct | ApplicationEvent;
  readonly state: ApplicationState;
  readonly criterion?: DecisionCriterion;
  readonly field?: string;
  /** Reason, note or text of an appeal. */
  readonly words?: string;
}

/** Entries of the timeline beside changes of state. */
export type ApplicationEvent =
  | 'edit_sandbox'
  | 'edit_production'
  | 'attest'
  | 'view_credentials'
  | 'rotate_secret'
  | 'rotate_key'
  | 'stop_secret'
  | 'stop_key'
  | 'verify_organization'
  | 'cancel_job'
  | 'first_approval';

export interface Difference {
  readonly field: ConfigurationField;
  readonly before: unknown;
  readonly after: unknown;
}

/** A successful sandbox call of a product, seen by the service itself. */
export interface Evidence {
  readonly product: Interface;
  readonly lob: LineOfBusiness;
  readonly at: string;
  readonly route: string;
  readonly requestId: string;
}

export interface ApplicationSummary {
  readonly applicationId: string;
  readonly name: string;
  readonly state: ApplicationState;
  readonly changeState: ChangeState;
  readonly version: number;
  readonly updatedAt: string;
  readonly attested: boolean;
}

export interface ApplicationView extends ApplicationSummary {
  readonly sandbox: { readonly clientId: string; readonly configuration: ApplicationConfiguration };
  /** From promotion on. `approved` is what runs, from the first approval on. */
  readonly production?: {
    readonly clientId: string;
    readonly configuration: ApplicationConfiguration;
    readonly approved?: ApplicationConfiguration;
  };
  /** The proposed configuration of an approved application, and how it differs from what runs. */
  readonly change?: {
    readonly configuration: ApplicationConfiguration;
    readonly difference: readonly Difference[];
  };
  /** Since the last submission; present on a resubmission. */
  readonly resubmission?: readonly Difference[];
  readonly attestation?: { readonly textVersion: string; readonly at: string; readonly by: string };
  readonly evidence: readonly Evidence[];
  readonly timeline: readonly TimelineEvent[];
  /** The acts open to the caller from here. */
  readonly allowed: readonly (ApplicationAct | ChangeAct)[];
  /** The last decision against it. */
  readonly decision?: {
    readonly criterion?: DecisionCriterion;
    readonly field?: string;
    readonly words: string;
    readonly at: string;
  };
  readonly appealed: boolean;
  /** While a decision is awaited: the day by which it is expected, `2026-12-04`. */
  readonly decisionExpectedBy?: string;
  /**
   * Environments that have not confirmed an act yet, oldest first: until they do, calls may be answered as before. The portal tries again
   * within seconds, and at once when the act is repeated.
   */
  readonly pending?: readonly { readonly environment: Environment; readonly since: string }[];
}

export interface DraftView {
  readonly draftId: string;
  readonly screen: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly savedAt: string;
}

/** `POST …/credentials/{environment}`. Live secrets and keys, newest first. */
export interface CredentialsView {
  readonly environment: Environment;
  readonly clientId: string;
  readonly secrets: readonly {
    readonly value: string;
    readonly createdAt: string;
    readonly expiresAt?: string;
    /** The newest token request with it in the log of calls; if the log has none, the day (midnight UTC) of the last one. */
    readonly lastUsedAt?: string;
  }[];
  readonly subscriptionKeys: readonly {
    readonly value: string;
    readonly createdAt: string;
    readonly expiresAt?: string;
    /** The newest call in the log of calls (`portalLimits.callLogDays`), refused ones included. */
    readonly lastUsedAt?: string;
  }[];
  /** Set if the log of calls did not answer, so that the last use of a key is unknown. */
  readonly keyUsesUnknown?: true;
  /** The scope of client-credentials tokens, for an application that has this grant. */
  readonly machineScope?: string;
  /** The state of the client in the environment: `active`, `suspended`, `revoked`. */
  readonly state: string;
}

export interface RotationView {
  readonly environment: Environment;
  readonly clientSecret?: string;
  readonly subscriptionKey?: string;
  readonly previousExpiresAt?: string;
}

/** One call, as the gateway logged it; never a path's id or a body, and of a query only the parameters for which an authorization request was refused. */
export interface CallView {
  readonly at: string;
  readonly host: string;
  readonly lob?: LineOfBusiness;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** The gateway's own refusal, e.g. `THROTTLED`, `INVALID_API_KEY`. */
  readonly responseType?: string;
  /**
   * Reason for which the service refused the call: a name of `callRefusals`, e.g. `token_expired`, or the error of an authorization request.
   */
  readonly reason?: string;
  /** The registered or required value of a refused authorization request, and the sent one. */
  readonly expected?: string;
  readonly received?: string;
  readonly requestId: string;
  readonly latencyMs?: number;
}
export interface CallsView {
  readonly calls: readonly CallView[];
  readonly next?: string;
}

export interface UsageView {
  readonly quotaPerDay: number;
  readonly requestsPerSecond: number;
  readonly burst: number;
  readonly days: readonly { readonly date: string; readonly used: number; readonly remaining: number }[];
}

export interface TestMemberView {
  readonly lob: LineOfBusiness;
  readonly memberId: string;
  readonly password: string;
  readonly patientId: string;
  readonly name: string;
  /** The use of this member in a test: "unknown birth month". */
  readonly about: string;
}

/** `GET /api/sandbox/addresses`: where each environment is reached. */
export interface AddressesView {
  readonly environments: Readonly<
    Record<
      Environment,
      {
        readonly auth: string;
        readonly token: string;
        readonly apiTemplate: string;
        readonly resourceId: string;
      }
    >
  >;
  /** The redirect URI the sandbox registers for every application, for the guided first call. */
  readonly tryItRedirectUri: string;
}
