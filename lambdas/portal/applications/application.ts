/** Types of an application as the portal stores it, and of the acts on it. */

import type { Environment } from '../../catalog/environments.ts';
import type { ApplicationConfiguration } from '../api/applications.ts';
import type { Verdict } from '../api/operator-views.ts';
import type { ApplicationEvent, Evidence, TimelineEvent } from '../api/views.ts';
import type { PortalActor } from '../catalog/account-states.ts';
import type {
  ApplicationAct,
  ApplicationState,
  ChangeAct,
  ChangeState,
  DecisionCriterion,
} from '../catalog/application-states.ts';

/**
 * An application as the portal keeps it: one item, written whole on the version that was read. What is learned beside a
 * decision (clients, evidence, timeline) lies in items of its own, so that it never makes a developer's version old.
 */
export interface Application {
  readonly applicationId: string;
  readonly teamId: string;
  /** Version of the application: 1 at registration, increased by each act. */
  readonly version: number;
  readonly state: ApplicationState;
  readonly changeState: ChangeState;
  /** The account that registered it: mails go there. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sandbox: ApplicationConfiguration;
  /** Production configuration; absent before promotion. */
  readonly production?: ApplicationConfiguration;
  /** The configuration an operator approved last, and the SHA-256 (hex) of its canonical JSON. */
  readonly approved?: { readonly configuration: ApplicationConfiguration; readonly sha256: string };
  /** Change proposed for an approved application. */
  readonly change?: ApplicationConfiguration;
  /** The configurations of the last two submissions, so that a resubmission shows what is new. */
  readonly submitted?: ApplicationConfiguration;
  readonly submittedBefore?: ApplicationConfiguration;
  /** The results of the pre-flight of the last submission. */
  readonly verdict?: Verdict;
  /** Since when an operator is awaited, ISO 8601. */
  readonly awaitingSince?: string;
  readonly attestation?: { readonly textVersion: string; readonly at: string; readonly by: string };
  /** The last decision against the application. */
  readonly decision?: {
    readonly act: ApplicationAct | ChangeAct;
    readonly criterion?: DecisionCriterion;
    readonly field?: string;
    readonly words: string;
    readonly at: string;
    /** The operator who decided; absent from decisions made before operators were recorded. */
    readonly by?: { readonly accountId: string; readonly name: string };
  };
  /** Whether the current rejection was appealed already; it cannot be appealed twice. */
  readonly appealed: boolean;
  /** The first of two operators who must approve the current version. */
  readonly firstApproval?: { readonly accountId: string; readonly name: string; readonly at: string };
}

/** The configuration a submission has or would have: a change where there is one, else the production values, before promotion the sandbox's. */
export function awaitedConfiguration({ change, production, sandbox }: Application): ApplicationConfiguration {
  return change ?? production ?? sandbox;
}

/** Everything of one application, as one query reads it. */
export interface LoadedApplication {
  readonly application: Application;
  /** Client ID of each environment; absent until the environment has registered the client. */
  readonly clients: Readonly<Partial<Record<Environment, string>>>;
  readonly evidence: readonly Evidence[];
  /** Oldest first. */
  readonly timeline: readonly TimelineEvent[];
  /** Environments that have not confirmed an act yet, oldest first. */
  readonly pending: readonly PendingEntry[];
}

/** An entry of the outbox that brings an environment to what the application is. */
export interface PendingEntry {
  readonly entryId: string;
  readonly environment: Environment;
  /** ISO 8601. */
  readonly since: string;
}

/** Acts that leave an application's state as it is. */
export type EditAct = 'edit_sandbox' | 'edit_production' | 'attest';
export type PortalAct = ApplicationAct | ChangeAct | EditAct;

export interface Actor {
  readonly kind: PortalActor;
  readonly accountId: string;
  readonly name: string;
}

/** An act in the timeline, without time, actor and state. */
export interface ActEvent {
  readonly act: ApplicationAct | ChangeAct | ApplicationEvent;
  readonly criterion?: DecisionCriterion;
  readonly field?: string;
  readonly words?: string;
}
