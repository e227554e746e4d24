/** Makes the transaction of an application's act. */

import type { Condition, Write } from '../../platform/table/table.ts';
import type { OperatorActView } from '../api/operator-views.ts';
import type { ApplicationSummary, TimelineEvent } from '../api/views.ts';
import { awaitedDecision, isEnded, originOf } from '../applications/allowed-acts.ts';
import { type Application, awaitedConfiguration } from '../applications/application.ts';
import type { ActCommit, QueuedItem } from '../applications/application-ports.ts';
import { applicationSummary } from '../applications/application-view.ts';
import { appealedOperator } from '../applications/other-operator.ts';
import { portalLimits } from '../catalog/limits.ts';
import { operatorActWrite } from './operator-acts.ts';
import {
  applicationEventKey,
  portalApplicationKey,
  queueKey,
  stateListKey,
  teamApplicationKey,
  teamKey,
  teamMemberKey,
} from './portal-table-keys.ts';

const isNew: Condition = { expression: 'attribute_not_exists(pk)' };
const isThere: Condition = { expression: 'attribute_exists(pk)' };

/** Makes the writes of an act, except for its draft and its outbox entries: application, lists, the team's count, queue, timeline. */
export function actWrites(commit: ActCommit, eventId: string): readonly Write[] {
  const { before, after, event } = commit;
  const { applicationId, teamId, updatedAt } = after;
  const summary = applicationSummary(after);
  const { by, ...act } = event;
  const told: TimelineEvent = {
    eventId,
    at: updatedAt,
    actor: { kind: by.kind, name: by.name },
    ...act,
    state: after.state,
  };
  return [
    { put: { ...portalApplicationKey(applicationId), ...after }, condition: originCondition(commit) },
    { put: { ...teamApplicationKey(teamId, applicationId), ...summary } },
    ...(before === undefined || before.state === after.state
      ? []
      : [{ delete: stateListKey('APPLICATION', before.state, applicationId) }]),
    { put: { ...stateListKey('APPLICATION', after.state, applicationId), ...summary } },
    {
      put: { ...applicationEventKey(applicationId, updatedAt, eventId), ...told, by: by.accountId },
      condition: isNew,
    },
    ...(by.kind === 'operator' ? [operatorActWrite(by.accountId, eventId, actOf(summary, told))] : []),
    ...countWrites(commit),
    ...queueWrites(commit),
  ];
}

/** Makes the act of an operator on an application from the event of its timeline. */
export function actOf(
  { applicationId: id, name }: Pick<ApplicationSummary, 'applicationId' | 'name'>,
  { at, act, criterion, words }: TimelineEvent,
): OperatorActView {
  return {
    ...{ at, kind: 'application', id, name, act },
    ...(criterion !== undefined && { criterion }),
    ...(words !== undefined && { words }),
  };
}

/** Counts a team's applications that have not ended, so that only one of two concurrent registrations gets the team's last place. */
function countWrites({ before, after, event }: ActCommit): readonly Write[] {
  const key = teamKey(after.teamId);
  if (before === undefined) {
    const update = {
      key,
      expression: 'ADD applications :one',
      condition: 'attribute_not_exists(applications) OR applications < :most',
      values: { ':one': 1, ':most': portalLimits.applicationsPerTeam },
    };
    // A registration fails if its author has left the team meanwhile, because nobody would maintain the application.
    return [{ update }, { check: teamMemberKey(after.teamId, event.by.accountId), condition: isThere }];
  }
  if (isEnded(before.state) || !isEnded(after.state)) return [];
  const update = {
    key,
    expression: 'ADD applications :less',
    // The team exists as long as its application, because the last member of a team with applications cannot leave.
    condition: 'attribute_exists(pk)',
    values: { ':less': -1 },
  };
  return [{ update }];
}

/** The condition: the version that the act was decided on, in a state that the tables allow. */
function originCondition({ act, before }: ActCommit): Condition {
  if (before === undefined) return isNew;
  const { states, changeStates = [] } = originOf(act);
  const places = (name: string, values: readonly string[]) => values.map((_, at) => `:${name}${at}`);
  const bound = (name: string, values: readonly string[]) =>
    Object.fromEntries(values.map((value, at) => [`:${name}${at}`, value]));
  const changes =
    changeStates.length === 0 ? '' : ` AND changeState IN (${places('change', changeStates).join(', ')})`;
  return {
    expression: `#version = :version AND #state IN (${places('from', states).join(', ')})${changes}`,
    names: { '#version': 'version', '#state': 'state' },
    values: { ':version': before.version, ...bound('from', states), ...bound('change', changeStates) },
  };
}

/** Keeps the queue's entries equal to the applications and changes that wait for an operator. */
function queueWrites({ before, after, company }: ActCommit): readonly Write[] {
  const now = queued(after, company);
  const then = before === undefined ? undefined : queued(before, company);
  const key = (item: QueuedItem) => queueKey(item.kind, item.since, item.id);
  return [
    ...(then === undefined || (now !== undefined && key(now).sk === key(then).sk)
      ? []
      : [{ delete: key(then) }]),
    ...(now === undefined ? [] : [{ put: { ...key(now), ...now } }]),
  ];
}

function queued(application: Application, company: string): QueuedItem | undefined {
  const kind = awaitedDecision(application);
  const { awaitingSince: since, verdict, appealed, firstApproval } = application;
  if (kind === undefined || since === undefined) return undefined;
  const rejectedBy = appealedOperator(application);
  return {
    kind,
    id: application.applicationId,
    name: applicationSummary(application).name,
    company,
    since,
    products: awaitedConfiguration(application).products,
    ...(verdict !== undefined && { verdict }),
    ...(kind === 'application' && appealed && { appeal: true }),
    ...(rejectedBy !== undefined && { rejectedBy }),
    ...(firstApproval !== undefined && {
      approvedBy: firstApproval.name,
      approverId: firstApproval.accountId,
    }),
  };
}
