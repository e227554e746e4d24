/** Page of the operators' console that lists applications, each with a link to its own page, where an operator acts on it. */

import { useLocation } from 'preact-iso/router';
import {
  type ApplicationState,
  applicationStates,
} from '../../../lambdas/portal/catalog/application-states.ts';
import { call } from '../../api/portal-client.ts';
import { DataTable, Time } from '../../components/display.tsx';
import { Loaded, useRemote } from '../applications/remote.tsx';
import { stateWords } from '../applications/state-model.ts';
import { StateTags } from '../applications/state-tags.tsx';
import { Console, FilterSelect } from './console.tsx';
import { listedStates } from './decision-model.ts';

/** Every team's applications in one state, or one team's in all of them. */
export default function OperatorApplicationsPage() {
  const { query, path, route } = useLocation();
  const state: ApplicationState =
    listedStates.find((one) => one === query.state) ?? 'awaiting_operator_approval';
  const { team } = query;
  const asked = team === undefined ? { state } : { team };
  const applications = useRemote(
    () => call('GET /api/operations/applications', { query: asked }),
    team ?? state,
  );
  return (
    <Console
      title={team === undefined ? 'Applications by state' : 'Applications of a team'}
      path={path}
      lead={
        team === undefined ? applicationStates[state] : 'Applications in all states, latest change first.'
      }
    >
      {team === undefined && (
        <div class="filter">
          <FilterSelect
            label="State"
            value={state}
            options={listedStates.map((value) => ({ value, label: stateWords[value].name }))}
            onChoose={(chosen) => route(`${path}?state=${chosen}`, true)}
          />
        </div>
      )}
      <Loaded remote={applications} words="Loading applications…">
        {(value) => (
          <DataTable
            caption={team === undefined ? stateWords[state].name : 'Applications of the team'}
            columns={['Name', 'State', 'Attested', 'Changed']}
            rows={value.applications.map((one) => ({
              key: one.applicationId,
              cells: [
                <a key="name" href={`/operations/applications/${one.applicationId}`} dir="auto">
                  {one.name}
                </a>,
                <StateTags key="state" view={one} />,
                one.attested ? 'Yes' : 'No',
                <Time key="at" at={one.updatedAt} />,
              ],
            }))}
            empty={
              team === undefined
                ? 'There are no applications in this state.'
                : 'The team has no applications.'
            }
          />
        )}
      </Loaded>
    </Console>
  );
}
