/** Makes the transaction of an act on an application: state, event, mails and outbox entries. */

import { environments } from '../../catalog/environments.ts';
import { problem } from '../api/route-handler.ts';
import type { Actor, Application } from './application.ts';
import { actMails } from './application-mails.ts';
import type { ActCommit, CommandServices, Provisioning } from './application-ports.ts';
import type { ApplicationTransition } from './apply-act.ts';
import { isSame } from './difference.ts';
import { desiredClient, termsOf } from './registration.ts';

/**
 * Makes the writes of an act and of its consequences: event, mails and outbox entries.
 *
 * @param before absent for a registration.
 * @param ends the outbox entry or the draft that is deleted with the act.
 */
export async function actCommit(
  portal: Pick<CommandServices, 'accounts' | 'origin' | 'tiers' | 'addresses'>,
  by: Actor,
  before: Application | undefined,
  { act, after, event }: ApplicationTransition,
  ends: Pick<ActCommit, 'settles' | 'draft'>,
): Promise<ActCommit> {
  const contact = await portal.accounts.contact(after.createdBy);
  return {
    act,
    ...(before !== undefined && { before }),
    after,
    event: { ...event, by },
    company: contact?.company ?? '',
    mails: actMails(after, event, contact?.email, portal.origin),
    provisioning: provisioningOf(portal, before, after),
    ...ends,
  };
}

/** Lists the environments whose client must change after the act. */
function provisioningOf(
  portal: Pick<CommandServices, 'tiers' | 'addresses'>,
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

/** The problem of an act that was written, but whose application could not be loaded afterwards. */
export const savedUnread = problem('unavailable', {
  detail: 'Your change is saved, but the portal could not load it. Reload the page in a moment.',
});
