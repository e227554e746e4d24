/**
 * Executes a command on an application, in the order of this file: finds it, decides on the act (`apply-act.ts`, `preconditions.ts`),
 * writes it in one transaction (`act-commit.ts`), and carries out what was written.
 */

import { type PortalProblem, problem } from '../api/route-handler.ts';
import type { PortalTransition } from '../catalog/account-states.ts';
import { type ApplicationState, applicationTransitions } from '../catalog/application-states.ts';
import { environmentDeadlines } from '../catalog/environment-deadlines.ts';
import { actCommit, savedUnread } from './act-commit.ts';
import { allowedActs } from './allowed-acts.ts';
import type { Actor, Application, LoadedApplication, PendingEntry } from './application.ts';
import type { CommandServices } from './application-ports.ts';
import { applicationView } from './application-view.ts';
import { type ApplicationTransition, applyAct, type RequestedAct } from './apply-act.ts';
import { findApplication } from './find-application.ts';
import { changedFields, checkPreconditions } from './preconditions.ts';
import { ensureClients } from './reconcile-client.ts';

/** A request to take an act on an application. */
export type ApplicationCommand = RequestedAct & {
  readonly applicationId: string;
  /** The version on the screen; absent if any version will do, as for discarding a change. */
  readonly version?: number;
  readonly by: Actor;
  /** The developer's team: another team's application does not exist for it. */
  readonly teamId?: string;
  /** Check only: nothing is written. */
  readonly dryRun?: boolean;
  /** Outbox entry that the command carries out. If the entry is gone, the command does nothing. */
  readonly settles?: string;
};

export type CommandResult =
  | {
      readonly kind: 'executed';
      readonly loaded: LoadedApplication;
      /** The act was the first of two approvals: another operator must confirm it. */
      readonly awaitsSecond: boolean;
    }
  | PortalProblem;

/** Acts that are answered only after the environment has carried them out. */
const answeredWhenDone: readonly string[] = ['suspend', 'resume', 'revoke', 'withdraw'];

/** Attempts of a command that loses a write race; it is checked again on the newer version. */
const mostAttempts = 3;

/**
 * Executes a command: one winner on each version. Everything that follows is written with it, and carried out right after; what
 * can't be carried out now stays in the outbox. An act that is repeated while an environment has not confirmed it is pushed on.
 */
export async function executeCommand(
  portal: CommandServices,
  command: ApplicationCommand,
): Promise<CommandResult> {
  const begun = portal.now();
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const loaded = await findApplication(portal, command);
    if (loaded === undefined) return problem('not_found');
    const { application } = loaded;
    const moment = { by: command.by, at: new Date(portal.now()).toISOString() };
    const result = applyAct(portal, application, command, moment);
    if (result.kind === 'conflict') {
      const { state, allowed } = result;
      if (!isRepeat(loaded, command)) return problem('state_conflict', { state, allowed });
      return await carryOut(portal, command, { begun, entries: loaded.pending, isAwaited: true });
    }
    if (command.version !== undefined && application.version !== command.version) {
      return staleVersion(loaded, command);
    }
    if (result.kind === 'problem') return result;
    const met = await checkPreconditions(portal, loaded, command);
    if (met.kind === 'problem') return met;
    const { verdict } = met;
    const transition = verdict === undefined ? result : { ...result, after: { ...result.after, verdict } };
    const awaitsSecond = result.event.act === 'first_approval';
    if (command.dryRun === true) {
      return { kind: 'executed', loaded: { ...loaded, application: transition.after }, awaitsSecond };
    }
    if ((await ensureClients(portal, loaded)) !== 'done') return nothingChanged;

    const written = await commit(portal, command, application, transition);
    if (written === undefined) continue;
    if (written.kind === 'problem') return written;
    const isAwaited = answeredWhenDone.includes(command.act);
    return await carryOut(portal, command, { begun, entries: written.entries, isAwaited, awaitsSecond });
  }
  return problem('unavailable');
}

/** Whether an act would lead to the present state, and an environment has not confirmed that state yet. */
function isRepeat(
  { application, pending }: LoadedApplication,
  { act, by, dryRun }: ApplicationCommand,
): boolean {
  const edge: PortalTransition<ApplicationState> | undefined =
    applicationTransitions[act as keyof typeof applicationTransitions];
  if (dryRun === true || pending.length === 0 || !answeredWhenDone.includes(act)) return false;
  return edge?.to === application.state && edge.by === by.kind;
}

function staleVersion(loaded: LoadedApplication, command: ApplicationCommand): PortalProblem {
  const { application } = loaded;
  return problem('stale_version', {
    current: applicationView(loaded, command.by.kind),
    changed: changedFields(application, command),
    state: application.state,
    allowed: allowedActs(application, command.by.kind),
  });
}

const nothingChanged = problem('environment_unavailable', {
  detail: 'Nothing was changed. Try again in a moment.',
});

type Entry = Pick<PendingEntry, 'entryId'>;

/** The answer to the write is lost, and the application could not be read either. */
const unknownOutcome = problem('unavailable', {
  detail:
    'The portal does not know whether this was saved. Reload the page in a moment, or try again. Repeating the action does not create duplicates.',
});

/**
 * Writes an act. Where the answer is lost the application is read: it shows whether the act was written.
 *
 * @returns the entries of the outbox to carry out now; undefined where another act was first.
 * @throws what the store said, where nothing was written.
 */
async function commit(
  portal: CommandServices,
  { applicationId, by, settles }: ApplicationCommand,
  before: Application,
  transition: ApplicationTransition,
): Promise<{ readonly kind: 'written'; readonly entries: readonly Entry[] } | PortalProblem | undefined> {
  const { after, event } = transition;
  const ends = settles === undefined ? {} : { settles };
  const commitment = await actCommit(portal, by, before, transition, ends);
  try {
    const ids = await portal.applications.commit(commitment);
    return ids === undefined ? undefined : { kind: 'written', entries: ids.map((entryId) => ({ entryId })) };
  } catch (error) {
    const found = await portal.applications.load(applicationId).catch(() => undefined);
    if (found === undefined) return unknownOutcome;
    const isWritten = found.timeline.some(
      ({ at, act: written, actor }) =>
        at === after.updatedAt && written === event.act && actor.name === by.name,
    );
    if (!isWritten) throw error;
    return { kind: 'written', entries: found.pending };
  }
}

/**
 * Carries out the outbox entries of a written act, and returns the application as it is then, as far as there is time.
 *
 * @param options `isAwaited`: whether the act is done only when the environments have confirmed it; `begun`: milliseconds since 1970.
 */
async function carryOut(
  portal: CommandServices,
  { applicationId, by }: ApplicationCommand,
  options: {
    readonly begun: number;
    readonly entries: readonly Entry[];
    readonly isAwaited: boolean;
    readonly awaitsSecond?: boolean;
  },
): Promise<CommandResult> {
  const { begun, entries, isAwaited, awaitsSecond = false } = options;
  const inTime = async <Result>(step: () => Promise<Result>) =>
    portal.now() - begun < environmentDeadlines.lastStepMs ? await step().catch(() => undefined) : undefined;
  // The act is written; what fails now is carried out by the outbox worker.
  await inTime(() => portal.outbox.carryOut(entries.map(({ entryId }) => entryId)));
  const loaded = await inTime(() => portal.applications.load(applicationId));
  if (loaded === undefined) return isAwaited ? problem('act_pending') : savedUnread;
  const isLeft = loaded.pending.some(({ entryId }) => entries.some((entry) => entry.entryId === entryId));
  return isAwaited && isLeft
    ? problem('act_pending', { current: applicationView(loaded, by.kind) })
    : { kind: 'executed', loaded, awaitsSecond };
}
