/** Applies an act to an application and builds the transition to write. */

import { canonicalJson } from '../../platform/kernel/canonical-json.ts';
import type { ApplicationConfiguration } from '../api/applications.ts';
import type { ApplicationDecision } from '../api/operations.ts';
import { type PortalProblem, problem } from '../api/route-handler.ts';
import { attestation as attestationText } from '../catalog/agreements.ts';
import type { DecisionCriterion } from '../catalog/application-states.ts';
import { allowedActs, awaitedDecision, statesAfter } from './allowed-acts.ts';
import type { ActEvent, Actor, Application } from './application.ts';
import type { Portal } from './application-ports.ts';
import { isApproval } from './decision-problem.ts';
import { isLeftToAnother, ownActOn } from './other-operator.ts';

/** Changes an application along the edges of the state tables: one row of `effects` an act. Pure; the store writes the result. */

interface Edit {
  /** Checked by every rule of its environment. */
  readonly configuration: ApplicationConfiguration;
}
interface Approval {
  readonly note?: string | undefined;
}
interface AdverseDecision {
  readonly reason: string;
  readonly criterion?: DecisionCriterion;
  readonly field?: string | undefined;
}

/** The values each act needs. */
interface ActInputs {
  readonly edit_sandbox: Edit;
  /** The production values; the sandbox's are copied where absent. */
  readonly promote: { readonly configuration?: ApplicationConfiguration | undefined };
  readonly edit_production: Edit;
  readonly submit: object;
  readonly appeal: { readonly words: string };
  readonly recall: object;
  readonly withdraw: object;
  readonly propose_change: Edit;
  readonly submit_change: object;
  readonly discard_change: object;
  /** The version of the text that the developer read. */
  readonly attest: { readonly textVersion: string };
  readonly approve: Approval;
  readonly approve_change: Approval;
  readonly resume: Approval;
  readonly suspend: AdverseDecision;
  readonly revoke: AdverseDecision;
  readonly request_changes: AdverseDecision;
  readonly reject: AdverseDecision;
  readonly request_change_changes: AdverseDecision;
  readonly reject_change: AdverseDecision;
}

export type RequestedActName = keyof ActInputs;
type Requested<Act extends RequestedActName> = { readonly act: Act } & ActInputs[Act];

/** An act with its values, as a developer, an operator or the outbox requests it. */
export type RequestedAct = { [Act in RequestedActName]: Requested<Act> }[RequestedActName];

/** The result of an act. The store writes it, with everything that follows from it, in one transaction. */
export interface ApplicationTransition {
  readonly kind: 'transition';
  readonly act: RequestedActName | 'register';
  readonly after: Application;
  readonly event: ActEvent;
}

/** The state tables have no edge for this act, from this state, by this actor. */
export interface StateConflict {
  readonly kind: 'conflict';
  readonly state: string;
  readonly allowed: readonly string[];
}

/** The actor and the time of an act. */
export interface Moment {
  readonly by: Actor;
  /** ISO 8601. */
  readonly at: string;
}

/** Members to change; one that is undefined is removed. */
type Changes = { readonly [Field in keyof Application]?: Application[Field] | undefined };

interface Effect {
  readonly changes: Changes;
  /** Further changes besides the act itself. */
  readonly event?: Omit<ActEvent, 'act'>;
}

type Sha256 = Portal['sha256'];

const effects: {
  readonly [Act in RequestedActName]: (
    before: Application,
    requested: Requested<Act>,
    moment: Moment,
    sha256: Sha256,
  ) => Effect;
} = {
  edit_sandbox: (_, { configuration }) => ({ changes: { sandbox: configuration } }),
  promote: ({ sandbox }, { configuration = sandbox }) => ({ changes: { production: configuration } }),
  edit_production: (_, { configuration }) => ({ changes: { production: configuration } }),
  submit: (before) => ({ changes: submission(before) }),
  appeal: (before, { words }) => ({ changes: { ...submission(before), appealed: true }, event: { words } }),
  recall: () => ({ changes: {} }),
  withdraw: () => ({ changes: { change: undefined } }),
  propose_change: (_, { configuration }) => ({ changes: { change: configuration } }),
  submit_change: () => ({ changes: {} }),
  discard_change: () => ({ changes: { change: undefined } }),
  attest: (_before, _requested, { by, at }) => ({
    changes: { attestation: { textVersion: attestationText.version, at, by: by.name } },
  }),
  approve: ({ production }, { note }, _moment, sha256) => ({
    changes: approval(production, sha256),
    event: noted(note),
  }),
  approve_change: ({ change }, { note }, _moment, sha256) => ({
    changes: { ...approval(change, sha256), production: change, change: undefined },
    event: noted(note),
  }),
  resume: (_, { note }) => ({ changes: { decision: undefined }, event: noted(note) }),
  suspend: adverse({}),
  revoke: adverse({ change: undefined }),
  request_changes: adverse({}),
  reject: adverse({ appealed: false }),
  request_change_changes: adverse({}),
  reject_change: adverse({}),
};

/** Keeps the previous submission, so that an operator can compare the new one with it. */
function submission({ production, submitted }: Application): Changes {
  return { submitted: production, submittedBefore: submitted };
}

function approval(configuration: ApplicationConfiguration | undefined, sha256: Sha256): Changes {
  if (configuration === undefined) return {};
  return { approved: { configuration, sha256: sha256(canonicalJson(configuration)) }, decision: undefined };
}

function noted(words: string | undefined): Omit<ActEvent, 'act'> {
  return words === undefined ? {} : { words };
}

/** A decision against an application is kept with it, as the developer reads it. */
function adverse(changes: Changes) {
  type Against = { readonly act: AdverseAct } & AdverseDecision;
  return (_: Application, { act, criterion, field, reason: words }: Against, { by, at }: Moment): Effect => {
    const event = {
      ...(criterion === undefined ? {} : { criterion }),
      ...(field === undefined ? {} : { field }),
      words,
    };
    const { accountId, name } = by;
    return { changes: { ...changes, decision: { act, ...event, at, by: { accountId, name } } }, event };
  };
}
type AdverseAct = Extract<ApplicationDecision, { readonly reason: string }>['act'];

/**
 * Applies an act to an application. Where two operators must approve (`fourEyes`), the first approval is kept and nothing follows from
 * it; the second must be another operator's.
 */
export function applyAct(
  { fourEyes, sha256 }: Pick<Portal, 'fourEyes' | 'sha256'>,
  before: Application,
  requested: RequestedAct,
  moment: Moment,
): ApplicationTransition | StateConflict | PortalProblem {
  const { by } = moment;
  const { act } = requested;
  const states = statesAfter(before, act, by.kind);
  if (states === undefined) {
    return { kind: 'conflict', state: before.state, allowed: allowedActs(before, by.kind) };
  }
  const ownAct = ownActOn({ fourEyes }, before, by);
  if (isLeftToAnother(ownAct, act)) return problem(ownAct === 'reject' ? 'appeal_own_decision' : 'four_eyes');
  if (fourEyes && isApproval(act) && before.firstApproval === undefined) {
    return firstApproval(before, act, moment);
  }
  const effectOf = effects[act] as (
    ...args: [Application, RequestedAct, Moment, Sha256]
  ) => ReturnType<(typeof effects)[typeof act]>;
  const { changes, event = {} } = effectOf(before, requested, moment, sha256);
  const moved = { ...before, ...changes, ...states };
  const awaitingSince =
    awaitedDecision(moved) === undefined ? undefined : (before.awaitingSince ?? moment.at);
  return {
    kind: 'transition',
    act,
    // A first approval is valid only for the version that the operator saw, so every other act removes it.
    after: withoutUndefined({
      ...moved,
      ...nextVersion(before, moment),
      awaitingSince,
      firstApproval: undefined,
    }),
    event: { act, ...event },
  };
}

/** The first of two operators approves: kept and shown in the queue. */
function firstApproval(
  before: Application,
  act: 'approve' | 'approve_change',
  moment: Moment,
): ApplicationTransition {
  const { accountId, name } = moment.by;
  return {
    kind: 'transition',
    act,
    after: {
      ...before,
      ...nextVersion(before, moment),
      firstApproval: { accountId, name, at: moment.at },
    },
    event: { act: 'first_approval' },
  };
}

/** Always later than the previous version's time, even if the clock was set back, because the timeline is sorted by it. */
function nextVersion({ version, updatedAt }: Application, { at }: Moment) {
  const later = at > updatedAt ? at : new Date(Date.parse(updatedAt) + 1).toISOString();
  return { version: version + 1, updatedAt: later };
}

function withoutUndefined(it: Changes): Application {
  return Object.fromEntries(
    Object.entries(it).filter(([, value]) => value !== undefined),
  ) as unknown as Application;
}

/** Makes a new application in the sandbox. */
export function registration(
  {
    applicationId,
    teamId,
    configuration,
  }: {
    readonly applicationId: string;
    readonly teamId: string;
    readonly configuration: ApplicationConfiguration;
  },
  { by, at }: Moment,
): ApplicationTransition {
  return {
    kind: 'transition',
    act: 'register',
    after: {
      applicationId,
      teamId,
      version: 1,
      state: 'registered_in_sandbox',
      changeState: 'none',
      createdBy: by.accountId,
      createdAt: at,
      updatedAt: at,
      sandbox: configuration,
      appealed: false,
    },
    event: { act: 'register' },
  };
}
