import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Alert } from '../../components/alert.tsx';
import { Time } from '../../components/display.tsx';
import { environmentsTouched, incidentsTouching } from './incident-model.ts';
import { useRemote } from './remote.tsx';

/** Alerts of the incidents and the maintenance that touch an application. Nothing is shown if the status can't be read. */
export function IncidentBanner({ view }: { readonly view: ApplicationView }) {
  const { value } = useRemote(() => call('GET /api/status'), 'status');
  return (
    <>
      {incidentsTouching(value?.incidents ?? [], view).map((incident) => {
        const { id, title, severity, state, startsAt, endsAt, updates } = incident;
        return (
          <Alert key={id} kind={severity === 'maintenance' ? 'info' : 'warning'} title={title}>
            <p>
              {state === 'scheduled' ? 'Scheduled' : 'Since'} <Time at={startsAt} />
              {endsAt !== undefined && (
                <>
                  {' '}
                  to <Time at={endsAt} />
                </>
              )}{' '}
              in {environmentsTouched(incident)}. {updates.at(-1)?.text}{' '}
              <a href={`/status#${id}`}>Read more on the status page</a>
            </p>
          </Alert>
        );
      })}
    </>
  );
}
