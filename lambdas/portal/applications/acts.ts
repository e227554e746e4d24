import type { ApplicationConfiguration } from '../api/applications.ts';
import type { ApplicationDecision } from '../api/operations.ts';
import { attestation as attestationText } from '../catalog/agreements.ts';
import { allowedActs, awaited, statesAfter } from './allowed-acts.ts';
import type { ActEvent, Actor, Application, PortalAct } from './application.ts';

/** What an act makes of an application; the store writes it, and everything that follows from it, in one transaction. */
export interface ApplicationTransition {
  readonly act: PortalAct;
  readonly after: Application;
  readonly event: ActEvent;
}

/** The tables have no such edge from here. */
export interface StateConflict {
  readonly problem: 'state_conflict';
  readonly act: PortalAct;
  readonly state: string;
  readonly allowed: readonly string[];
}

export type Stepped = ApplicationTransition | StateConflict;

export interface Moment {
  readonly by: Actor;
  /** ISO 8601. */
  readonly at: string;
}

type Changes = { readonly [Field in keyof Application]?: Application[Field] | undefined };

/** Takes an edge of the tables. A member that is given as undefined is left out of what comes after. */
function step(
  before: Application,
  act: PortalAct,
  { by, at }: Moment,
  changes: Changes,
  event: Omit<ActEvent, 'act'> = {},
): Stepped {
  const states = statesAfter(before, act, by.kind);
  if (states === undefined) {
    return { problem: 'state_conflict', act, state: before.state, allowed: allowedActs(before, by.kind) };
  }
  const moved = { ...before, ...changes, ...states };
  const isAwaited = awaited(moved) !== undefined;
  const awaitingSince = isAwaited ? (before.awaitingSince ?? at) : undefined;
  return {
    act,
    after: withoutUndefined({
      ...moved,
      version: before.version + 1,
      // Always later than before, whatever the clock says: the timeline is read in this order.
      updatedAt: at > before.updatedAt ? at : new Date(Date.parse(before.updatedAt) + 1).toISOString(),
      awaitingSince,
      // An approval is of what was on the screen: whatever happens then, it must be given anew.
      firstApproval: undefined,
    }),
    event: { act: act as ActEvent['act'], ...event },
  };
}

function withoutUndefined(it: Changes): Application {
  return Object.fromEntries(
    Object.entries(it).filter(([, value]) => value !== undefined),
  ) as unknown as Application;
}

export interface Registered {
  readonly applicationId: string;
  readonly teamId: string;
  readonly configuration: ApplicationConfiguration;
}

export function register(
  { applicationId, teamId, configuration }: Registered,
  { by, at }: Moment,
): ApplicationTransition {
  return {
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

type Edit = (before: Application, configuration: ApplicationConfiguration, moment: Moment) => Stepped;

export const editSandbox: Edit = (before, sandbox, moment) =>
  step(before, 'edit_sandbox', moment, { sandbox });

/** @param production the sandbox's values where the developer gave none. */
export const promote: Edit = (before, production, moment) => step(before, 'promote', moment, { production });

export const editProduction: Edit = (before, production, moment) =>
  step(before, 'edit_production', moment, { production });

export const proposeChange: Edit = (before, change, moment) =>
  step(before, 'propose_change', moment, { change });

export function submit(before: Application, moment: Moment): Stepped {
  return step(before, 'submit', moment, { submitted: before.production, submittedBefore: before.submitted });
}

/** An appeal asks for another look, with words of its own; what was edited since the rejection is looked at too. */
export function appeal(before: Application, words: string, moment: Moment): Stepped {
  const changes = { appealed: true, submitted: before.production, submittedBefore: before.submitted };
  return step(before, 'appeal', moment, changes, { words });
}

export function recall(before: Application, moment: Moment): Stepped {
  return step(before, 'recall', moment, {});
}

export function withdraw(before: Application, moment: Moment): Stepped {
  return step(before, 'withdraw', moment, { change: undefined });
}

export function submitChange(before: Application, moment: Moment): Stepped {
  return step(before, 'submit_change', moment, {});
}

export function discardChange(before: Application, moment: Moment): Stepped {
  return step(before, 'discard_change', moment, { change: undefined });
}

export function attest(before: Application, moment: Moment): Stepped {
  const attestation = { textVersion: attestationText.version, at: moment.at, by: moment.by.name };
  return step(before, 'attest', moment, { attestation });
}

/** What an operator decides. @param sha256 of a text, hex. */
export function decisionTransition(
  before: Application,
  decision: ApplicationDecision,
  moment: Moment,
  sha256: (configuration: ApplicationConfiguration) => string,
): Stepped {
  switch (decision.act) {
    case 'approve':
      return step(before, 'approve', moment, approval(before.production, sha256), note(decision.note));
    case 'approve_change': {
      const changes = { ...approval(before.change, sha256), production: before.change, change: undefined };
      return step(before, 'approve_change', moment, changes, note(decision.note));
    }
    case 'resume':
      return step(before, 'resume', moment, { decision: undefined }, note(decision.note));
    case 'suspend':
      return against(before, decision, moment, {});
    case 'revoke':
      return against(before, decision, moment, { change: undefined });
    case 'reject':
      return against(before, decision, moment, { appealed: false });
    case 'request_changes':
    case 'request_change_changes':
    case 'reject_change':
      return against(before, decision, moment, {});
  }
}

function approval(
  configuration: ApplicationConfiguration | undefined,
  sha256: (configuration: ApplicationConfiguration) => string,
): Changes {
  if (configuration === undefined) return {};
  return { approved: { configuration, sha256: sha256(configuration) }, decision: undefined };
}

function note(words: string | undefined): Omit<ActEvent, 'act'> {
  return words === undefined ? {} : { words };
}

type Against = Extract<ApplicationDecision, { readonly reason: string }>;

function against(before: Application, decision: Against, moment: Moment, changes: Changes): Stepped {
  const { act, reason: words } = decision;
  const why = {
    ...('criterion' in decision ? { criterion: decision.criterion } : {}),
    ...('field' in decision && decision.field !== undefined ? { field: decision.field } : {}),
    words,
  };
  return step(before, act, moment, { ...changes, decision: { act, ...why, at: moment.at } }, why);
}

/** The first of two operators approves: kept, seen in the queue, and nothing follows from it yet. */
export function firstApproval(
  before: Application,
  act: 'approve' | 'approve_change',
  moment: Moment,
): Stepped {
  const approved = step(before, act, moment, {});
  if ('problem' in approved) return approved;
  const { accountId, name } = moment.by;
  return {
    act,
    after: {
      ...before,
      version: approved.after.version,
      updatedAt: approved.after.updatedAt,
      firstApproval: { accountId, name, at: moment.at },
    },
    event: { act: 'first_approval' },
  };
}
