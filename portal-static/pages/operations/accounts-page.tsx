import { useLocation } from 'preact-iso/router';
import {
  type AccountState,
  accountStateNames,
  accountStates,
  developerTypes,
} from '../../../lambdas/portal/catalog/account-states.ts';
import { call } from '../../api/portal-client.ts';
import { DataTable, Time } from '../../components/display.tsx';
import { Loaded, useRemote } from '../applications/remote.tsx';
import { Console, FilterSelect } from './console.tsx';
import { accountStateLabel } from './decision-model.ts';

/** Developer accounts in one state. */
export default function OperatorAccountsPage() {
  const { query, path, route } = useLocation();
  const state: AccountState = accountStateNames.find((one) => one === query.state) ?? 'pending_verification';
  const accounts = useRemote(() => call('GET /api/operations/accounts', { query: { state } }), state);
  return (
    <Console title="Accounts by state" path={path} lead={accountStates[state]}>
      <div class="filter">
        <FilterSelect
          label="State"
          value={state}
          options={accountStateNames.map((value) => ({ value, label: accountStateLabel(value) }))}
          onChoose={(chosen) => route(`${path}?state=${chosen}`, true)}
        />
      </div>
      <Loaded remote={accounts} words="Loading accounts…">
        {(value) => (
          <DataTable
            caption={accountStateLabel(state)}
            columns={['Name', 'E-mail', 'Company', 'Type', 'Signed up']}
            rows={value.accounts.map((one) => ({
              key: one.accountId,
              cells: [
                <a key="name" href={`/operations/accounts/${one.accountId}`}>
                  {one.firstName} {one.lastName}
                </a>,
                one.email,
                one.company,
                one.developerType === undefined ? 'Operator' : developerTypes[one.developerType].name,
                <Time key="at" at={one.createdAt} />,
              ],
            }))}
            empty="There are no accounts in this state."
          />
        )}
      </Loaded>
    </Console>
  );
}
