import '../../app/kernel.ts';
import type { OperatorAccountView } from '../../../lambdas/portal/api/operator-views.ts';
import { developerTypes } from '../../../lambdas/portal/catalog/account-states.ts';
import { Facts } from '../../components/display.tsx';
import { signUpRows } from './account-model.ts';

/** Lists the values that a developer entered at sign-up. */
export function SignedUp({ account }: { readonly account: OperatorAccountView }) {
  return (
    <Facts
      facts={[
        [
          'Type',
          account.developerType === undefined ? 'Operator' : developerTypes[account.developerType].name,
        ],
        ['E-mail', account.email],
        ...signUpRows(account.signUp)
          .filter(({ label }) => label !== 'Developer type' && label !== 'E-mail')
          .map(({ label, value }) => [label, value] as const),
      ]}
    />
  );
}
