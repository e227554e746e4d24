import type { PortalProblem, PortalRequest } from '../portal-api/exchange.ts';
import type { OperatorAccountView } from '../portal-api/views.ts';
import { operatorAccountView } from './account-decisions.ts';
import { openSecrets } from './own-account.ts';
import type { DeveloperServices } from './ports.ts';

type DeskServices = Pick<
  DeveloperServices,
  'accounts' | 'limits' | 'directory' | 'sessions' | 'random' | 'sha256Hex' | 'now'
>;

/** The accounts, as the functions of applications and operators need them. */
export function createAccountDesk(services: DeskServices) {
  return {
    /** Where mails about an account's applications go, and whose they are. */
    async contact(
      accountId: string,
    ): Promise<{ readonly email: string; readonly company: string } | undefined> {
      const account = await services.accounts.find(accountId);
      return account === undefined ? undefined : { email: account.email, company: account.company };
    },
    /** As an operator sees it. */
    async view(accountId: string): Promise<OperatorAccountView | undefined> {
      const account = await services.accounts.find(accountId);
      return account === undefined || account.decoy
        ? undefined
        : await operatorAccountView(services, account);
    },
    /** The password once more. @returns the cookie of the session under its new secret. */
    async passwordAgain(
      request: PortalRequest<unknown>,
      password: string,
    ): Promise<PortalProblem | { readonly cookies: readonly string[] }> {
      return await openSecrets(services, request, password);
    },
  };
}
