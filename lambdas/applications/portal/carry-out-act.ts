import { environments } from '../../catalog/environments.ts';
import type { PortalProblem } from '../../portal-api/exchange.ts';
import type { Stepped } from './acts.ts';
import type { Actor, Application, LoadedApplication } from './application.ts';
import { actMails } from './application-mails.ts';
import { applicationView } from './application-view.ts';
import { isSame } from './difference.ts';
import { ensureClients, settleClient, termsOf } from './environment-client.ts';
import { allowedActs } from './lifecycle.ts';
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
 * can't be carried out now stays in the outbox.
 */
export async function carryOutAct(portal: Portal, wish: Wish): Promise<Carried> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const loaded = await find(portal, wish);
    if (loaded === undefined) return { problem: 'not_found' };
    const { application } = loaded;
    const stepped = await wish.decide(loaded, new Date(portal.now()).toISOString());
    if ('problem' in stepped && stepped.problem === 'state_conflict') return stepped;
    if (wish.version !== undefined && application.version !== wish.version) return stale(loaded, wish);
    if ('problem' in stepped) return stepped;
    if (wish.dryRun === true) return { loaded: { ...loaded, application: stepped.after } };
    if ((await ensureClients(portal, loaded)) !== 'done') return { problem: 'environment_unavailable' };

    const provisioning = provisioningOf(portal, application, stepped.after);
    const contact = await portal.accounts.contact(application.createdBy);
    const ids = await portal.applications.commit({
      ...stepped,
      before: application,
      event: { ...stepped.event, by: wish.by },
      company: contact?.company ?? '',
      mails: actMails(stepped.after, stepped.event, contact?.email, portal.origin),
      provisioning,
      ...(wish.settles === undefined ? {} : { settles: wish.settles }),
    });
    if (ids === undefined) continue;
    const isDone = await follow(portal, provisioning, ids, answeredWhenDone.includes(stepped.act));
    if (!isDone) return { problem: 'environment_unavailable' };
    const left = await portal.applications.load(wish.applicationId);
    return left === undefined ? { problem: 'not_found' } : { loaded: left };
  }
  return { problem: 'unavailable' };
}

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

/** Carries out what an act has written into the outbox. @returns false where it must be awaited and can't be done now. */
async function follow(
  portal: Portal,
  provisioning: readonly Provisioning[],
  ids: readonly string[],
  isAwaited: boolean,
): Promise<boolean> {
  if (isAwaited) {
    for (const { applicationId, environment, resume } of provisioning) {
      if ((await settleClient(portal, applicationId, environment, resume)) !== 'done') return false;
    }
  }
  // The act is done; what fails now is carried out by the upkeep.
  await portal.outbox.carryOut(ids).catch(() => undefined);
  return true;
}
