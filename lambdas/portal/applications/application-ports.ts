/**
 * Ports of the portal's applications. Called by developers' and operators' routes, the command line and the outbox; the adapters in
 * `portal/adapters` work on the portal's table and call `provisioning` and `job-operations` of the environments.
 */

import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type {
  ProvisioningAnswer,
  ProvisioningRequest,
} from '../../clients/provisioning/provisioning-contract.ts';
import type { RateVerdict } from '../../platform/kernel/rates.ts';
import type { OperatorAccountView, OperatorActsView, QueueItem } from '../api/operator-views.ts';
import type { MailEntry, ProvisioningEntry } from '../api/outbox.ts';
import type {
  AddressesView,
  ApplicationSummary,
  DraftView,
  Evidence,
  TestMemberView,
  TimelineEvent,
} from '../api/views.ts';
import type { ApplicationState } from '../catalog/application-states.ts';
import type { StatusReader } from '../status/status-ports.ts';
import type { ActEvent, Actor, Application, LoadedApplication, PortalAct } from './application.ts';
import type { Reachability } from './preflight-checks.ts';

/** The services the portal's applications need from outside. Adapters: `lambdas/portal/adapters`. */
export interface Portal {
  readonly applications: ApplicationStore;
  readonly drafts: DraftStore;
  readonly testMembers: TestMemberStore;
  /** The measurements and incidents of the status page. */
  readonly status: StatusReader;
  readonly environments: ProvisioningClient;
  readonly accounts: PortalAccounts;
  readonly outbox: Outbox;
  /** Counts the pre-flights a team asks for. */
  readonly preflights: {
    count(teamId: string): Promise<RateVerdict>;
  };
  readonly network: { reach(uri: string): Promise<Reachability> };
  /** The portal's origin, like `https://developer.example.org`. */
  readonly origin: string;
  readonly addresses: AddressesView;
  readonly tiers: Readonly<Record<Environment, PortalTier>>;
  readonly fourEyes: boolean;
  /** Names of plans, agencies and programs that an application's name must not resemble. */
  readonly protectedNames: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
  /** SHA-256 of a text, hex. */
  readonly sha256: (text: string) => string;
}

/** Services that register, change or end the client of an application in an environment. */
export type ClientServices = Pick<Portal, 'applications' | 'environments' | 'tiers' | 'addresses'>;
export type EvidenceServices = Pick<Portal, 'applications' | 'environments' | 'now'>;
export type PreflightServices = ClientServices & Pick<Portal, 'network' | 'protectedNames' | 'now'>;
/** The services that execute a command. */
export type CommandServices = PreflightServices &
  Pick<Portal, 'accounts' | 'outbox' | 'preflights' | 'origin' | 'fourEyes' | 'sha256'>;

export interface PortalTier {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly burst: number;
  readonly requestsPerDay: number;
}

/** A mail that is written with its change and sent afterwards. */
export type Mail = Omit<MailEntry, 'kind'> & {
  /** ISO 8601; at once where absent. */
  readonly notBefore?: string;
};

/** Outbox entry for an environment whose client must be changed to match its application. */
export type Provisioning = Omit<ProvisioningEntry, 'kind'>;

/** The transaction of an act. */
export interface ActCommit {
  readonly act: PortalAct;
  /** The application the act was decided on; absent for a registration. */
  readonly before?: Application;
  readonly after: Application;
  readonly event: ActEvent & { readonly by: Actor };
  /** The developer's company, for the operator's queue. */
  readonly company: string;
  readonly mails: readonly Mail[];
  readonly provisioning: readonly Provisioning[];
  /** Outbox entry that this act carries out. The transaction removes it. */
  readonly settles?: string;
  /** Draft that the application was registered from. The transaction removes it. */
  readonly draft?: { readonly accountId: string; readonly draftId: string };
}

/** An entry of the queue as it is kept, the same for every operator. */
export interface QueuedItem extends Omit<QueueItem, 'expectedBy' | 'ownAct'> {
  /** The operator whose rejection is appealed. */
  readonly rejectedBy?: Pick<Actor, 'accountId' | 'name'>;
  /** The account of the first of two operators who approved. */
  readonly approverId?: string;
}

export interface ApplicationStore {
  /** Reads an application with one strongly consistent query. */
  load(applicationId: string): Promise<LoadedApplication | undefined>;
  /**
   * @returns the ids of what was put into the outbox; undefined when the application is no longer `before`, its team has no room for a
   * new one, or who registers it has left the team: nothing is written.
   */
  commit(commit: ActCommit): Promise<readonly string[] | undefined>;
  ofTeam(teamId: string): Promise<readonly ApplicationSummary[]>;
  inState(state: ApplicationState): Promise<readonly ApplicationSummary[]>;
  /** The applications that clients of an environment were given to, by client ID. One that was not registered here is absent. */
  ofClients(
    environment: Environment,
    clientIds: readonly string[],
  ): Promise<ReadonlyMap<string, ClientApplication>>;
  /** Lists the queue, oldest first, including accounts that wait for verification. */
  queue(): Promise<readonly QueuedItem[]>;
  /** Stores the client ID from an environment; an existing one stays. */
  keepClient(applicationId: string, environment: Environment, clientId: string): Promise<void>;
  /** Stores a product's evidence; an existing one stays. */
  keepEvidence(applicationId: string, evidence: readonly Evidence[]): Promise<void>;
  /** Writes a timeline event that is not an act, with its mails. */
  record(applicationId: string, event: TimelineEvent, mails: readonly Mail[]): Promise<void>;
  /** Writes a timeline event of an operator's act, and adds it to the operator's own acts. */
  recordOperatorAct(application: Application, event: TimelineEvent, operatorId: string): Promise<void>;
  /**
   * Lists an operator's acts, newest first.
   *
   * @param after `next` of the previous page.
   */
  actsOf(operatorId: string, after: string | undefined): Promise<OperatorActsView>;
}

export interface DraftStore {
  list(accountId: string): Promise<readonly DraftView[]>;
  /**
   * Stores a draft, replacing the one with the same ID.
   *
   * @returns false if there is no room for a new draft.
   */
  put(accountId: string, draft: DraftView): Promise<boolean>;
  delete(accountId: string, draftId: string): Promise<void>;
}

export interface TestMemberStore {
  list(): Promise<readonly TestMemberView[]>;
  /** Replaces the test members of each LOB in the map. */
  publish(members: ReadonlyMap<LineOfBusiness, readonly TestMemberView[]>): Promise<void>;
}

/** Invokes one function of an environment. If it cannot be reached, the result says so, and the outbox repeats the request later. */
export interface EnvironmentInvoker<Request, Answer> {
  send(environment: Environment, request: Request): Promise<Answer | EnvironmentAway>;
}

/** The environments' `provisioning` functions. */
export type ProvisioningClient = EnvironmentInvoker<ProvisioningRequest, ProvisioningAnswer>;

export interface EnvironmentAway {
  readonly kind: 'refusal';
  /** `reached`: the function was invoked and ended with an error. */
  readonly refusal: { readonly code: 'environment_unavailable'; readonly reached?: true };
}

export type EnvironmentAnswer = ProvisioningAnswer | EnvironmentAway;

/** An application as operators find it by a client of an environment. */
export interface ClientApplication {
  readonly applicationId: string;
  readonly name: string;
  /** The account that registered it. */
  readonly createdBy: string;
}

/** The accounts, as applications and operators need them. */
export interface PortalAccounts {
  /** Finds the address for mails about an account's applications, and its company. */
  contact(accountId: string): Promise<{ readonly email: string; readonly company: string } | undefined>;
  /** Reads the account in an operator's view. */
  view(accountId: string): Promise<OperatorAccountView | undefined>;
}

/** Carries out entries right after they were written; `portal-outbox-worker` carries out the rest. */
export interface Outbox {
  carryOut(ids: readonly string[]): Promise<void>;
}
