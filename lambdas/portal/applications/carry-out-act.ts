import { environments } from '../../catalog/environments.ts';
import type { PortalProblem } from '../api/exchange.ts';
import type { PortalTransition } from '../catalog/accounts.ts';
import { type ApplicationState, applicationTransitions } from '../catalog/applications.ts';
import type { ApplicationTransition, Stepped } from './acts.ts';
import { allowedActs } from './allowed-acts.ts';
import type { Actor, Application, LoadedApplication, PendingEntry, PortalAct } from './application.ts';
import { actMails } from './application-mails.ts';
import { applicationView } from './application-view.ts';
import { isSame } from './difference.ts';
import { ensureClients, termsOf } from './environment-client.ts';
import type { Portal, Provisioning } from './ports.ts';
import { desiredClient } from './registration.ts';

/** What somebody wants done to an application. */
export interface Wish {
  readonly applicationId: string;
  /** The version that was on the screen; absent where any will do (a change is dropped whatever it says). */
  readonly version?: number;
  readonly by: Actor;
  /** Of a developer: another team's application is one that does not exist. */
  readonly teamId?: string;
  /** What the act makes of the application as it is, or why not. */
  readonly decide: (
    loaded: LoadedApplication,
    at: string,
  ) => Promise<Stepped | PortalProblem> | Stepped | PortalProblem;
  /** Names of the fields that differ between what was sent and an application that was changed meanwhile. */
  readonly changed?: (application: Application) => readonly string[];
  /** Only look whether it could be done. */
  readonly dryRun?: boolean;
  /** The entry of the outbox that it carries out: where that has ended, nothing is done. */
  readonly settles?: string;
}

export type Carried = { readonly loaded: LoadedApplication } | PortalProblem;

/** The acts that are answered only when the environment has carried them out: what must stop has stopped. */
const answeredWhenDone = ['suspend', 'resume', 'revoke', 'withdraw'];

/** An act meets another one that was first: it is decided again on what that one left. */
const mostAttempts = 3;

/**
 * Carries an act out: one winner on each version. Everything that follows is written with it, and carried out right after; what
 * can't be carried out now stays in the outbox. An act that is repeated while an environment has not confirmed it is pushed on.
 */
export async function carryOutAct(portal: Portal, wish: Wish): Promise<Carried> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const loaded = await find(portal, wish);
    if (loaded === undefined) return { problem: 'not_found' };
    const { application } = loaded;
    const stepped = await wish.decide(loaded, new Date(portal.now()).toISOString());
    if ('problem' in stepped && 'act' in stepped) {
      const { act, ...conflict } = stepped;
      if (wish.dryRun === true || !isRepeat(loaded, act, wish)) return conflict;
      return await afterwards(portal, wish, loaded.pending, true);
    }
    if (wish.version !== undefined && application.version !== wish.version) return stale(loaded, wish);
    if ('problem' in stepped) return stepped;
    if (wish.dryRun === true) return { loaded: { ...loaded, application: stepped.after } };
    if ((await ensureClients(portal, loaded)) !== 'done') return nothingChanged;

    const committed = await commit(portal, wish, loaded, stepped);
    if (committed === undefined) continue;
    return await afterwards(portal, wish, committed, answeredWhenDone.includes(stepped.act));
  }
  return { problem: 'unavailable' };
}

const nothingChanged: PortalProblem = {
  problem: 'environment_unavailable',
  detail: 'Nothing was changed. Try again in a moment.',
};

/** Whether an act would lead to where the application is, and an environment has not confirmed that it is there. */
function isRepeat({ application, pending }: LoadedApplication, act: PortalAct, { by }: Wish): boolean {
  const edge: PortalTransition<ApplicationState> | undefined =
    applicationTransitions[act as keyof typeof applicationTransitions];
  if (pending.length === 0 || !answeredWhenDone.includes(act)) return false;
  return edge?.to === application.state && edge.by === by.kind;
}

/**
 * Writes an act. Where the answer is lost the application is read: it says whether the act was written.
 *
 * @returns what is to be carried out now; undefined where another act was first.
 */
async function commit(
  portal: Portal,
  wish: Wish,
  { application }: LoadedApplication,
  step: ApplicationTransition,
): Promise<readonly Followed[] | undefined> {
  const contact = await portal.accounts.contact(application.createdBy);
  try {
    const ids = await portal.applications.commit({
      ...step,
      before: application,
      event: { ...step.event, by: wish.by },
      company: contact?.company ?? '',
      mails: actMails(step.after, step.event, contact?.email, portal.origin),
      provisioning: provisioningOf(portal, application, step.after),
      ...(wish.settles === undefined ? {} : { settles: wish.settles }),
    });
    return ids?.map((entryId) => ({ entryId }));
  } catch (error) {
    const found = await portal.applications.load(wish.applicationId).catch(() => undefined);
    const isWritten = found?.timeline.some(
      ({ at, act, actor }) =>
        at === step.after.updatedAt && act === step.event.act && actor.name === wish.by.name,
    );
    if (found === undefined || isWritten !== true) throw error;
    return found.pending;
  }
}

type Followed = Pick<PendingEntry, 'entryId'>;

/**
 * Carries out what a written act has left to do, and answers with what the application is then.
 *
 * @param isAwaited whether the act is done only when the environments have confirmed it.
 */
async function afterwards(
  portal: Portal,
  { applicationId, by }: Wish,
  followed: readonly Followed[],
  isAwaited: boolean,
): Promise<Carried> {
  // The act is written; what fails now is carried out by the upkeep.
  await portal.outbox.carryOut(followed.map(({ entryId }) => entryId)).catch(() => undefined);
  const left = await portal.applications.load(applicationId).catch(() => undefined);
  if (!isAwaited) return left === undefined ? savedUnread : { loaded: left };
  if (left === undefined) return { problem: 'act_pending' };
  const isLeft = left.pending.some(({ entryId }) => followed.some((it) => it.entryId === entryId));
  if (!isLeft) return { loaded: left };
  return { problem: 'act_pending', current: applicationView(left, by.kind) };
}

/** The act is written; what the application is by now could not be read. */
export const savedUnread: PortalProblem = {
  problem: 'unavailable',
  detail: 'What you sent was saved. It could not be read again: load the page anew in a moment.',
};

/** An application as its team may see it; undefined for any other, as for one that does not exist. */
export async function find(
  portal: Pick<Portal, 'applications'>,
  { applicationId, teamId }: Pick<Wish, 'applicationId' | 'teamId'>,
): Promise<LoadedApplication | undefined> {
  if (!applicationIdForm.test(applicationId)) return undefined;
  const loaded = await portal.applications.load(applicationId);
  return teamId === undefined || loaded?.application.teamId === teamId ? loaded : undefined;
}

const applicationIdForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function stale(loaded: LoadedApplication, { by, changed }: Wish): PortalProblem {
  return {
    problem: 'stale_version',
    current: applicationView(loaded, by.kind),
    changed: changed?.(loaded.application) ?? [],
    state: loaded.application.state,
    allowed: allowedActs(loaded.application, by.kind),
  };
}

/** The environments whose client is another one after the act. */
export function provisioningOf(
  portal: Portal,
  before: Application | undefined,
  after: Application,
): readonly Provisioning[] {
  return environments.flatMap((environment) => {
    const terms = termsOf(portal, environment);
    const now = desiredClient(after, environment, terms);
    const then = before === undefined ? undefined : desiredClient(before, environment, terms);
    if (now === undefined || isSame(now, then)) return [];
    const resume = now.state === 'active' && then?.state !== 'active';
    return [{ applicationId: after.applicationId, environment, resume }];
  });
}
