import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { decisionCriteria } from '../../../lambdas/portal/catalog/application-states.ts';
import { labelOf } from './fields-model.ts';
import { actWords } from './state-model.ts';

/** An event as the timeline shows it. */
export function entryOf(event: ApplicationView['timeline'][number]) {
  const { eventId, at, actor, act, criterion, field, words } = event;
  const title = `${actor.name} ${actWords[act]}`;
  if (words === undefined && criterion === undefined) return { id: eventId, at, title };
  return {
    id: eventId,
    at,
    title,
    words: (
      <>
        {criterion !== undefined && (
          <p>
            {decisionCriteria[criterion].name}
            {field !== undefined && ` (${labelOf(field)})`}
          </p>
        )}
        {words !== undefined && <p class="keep-lines">{words}</p>}
      </>
    ),
  };
}
