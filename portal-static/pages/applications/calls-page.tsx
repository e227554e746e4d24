/** Page of an application's recent calls and quota. */

import type { Environment } from '../../../lambdas/catalog/environments.ts';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { portalLimits } from '../../../lambdas/portal/catalog/limits.ts';
import { call } from '../../api/portal-client.ts';
import { ApplicationFrame } from './application-frame.tsx';
import { CallList } from './call-list.tsx';
import { EnvironmentTabs } from './environment-tabs.tsx';
import { Loaded, useRemote } from './remote.tsx';
import { Usage } from './usage.tsx';

/** Page with the log of calls and the usage of the quota. */
export default function CallsPage() {
  return (
    <ApplicationFrame
      title="Calls"
      lead={`Calls in the last ${portalLimits.callLogDays} days, token requests and refused authorization requests included. The log does not keep IDs, bodies or queries, except the parameter for which an authorization request was refused.`}
    >
      {(view) => (
        <EnvironmentTabs view={view} notYet="The application is not in production yet. There are no calls.">
          {(environment) => <Seen key={environment} view={view} environment={environment} />}
        </EnvironmentTabs>
      )}
    </ApplicationFrame>
  );
}

function Seen(props: { readonly view: ApplicationView; readonly environment: Environment }) {
  const path = { applicationId: props.view.applicationId, environment: props.environment };
  const usage = useRemote(
    () => call('GET /api/applications/{applicationId}/usage/{environment}', { path }),
    'usage',
  );
  return (
    <>
      <section aria-labelledby="log">
        <h2 id="log">Call log</h2>
        <CallList path={path} />
      </section>
      <section aria-labelledby="usage">
        <h2 id="usage">Usage and quota</h2>
        <Loaded remote={usage} words="Loading usage…">
          {(value) => <Usage usage={value} />}
        </Loaded>
      </section>
    </>
  );
}
