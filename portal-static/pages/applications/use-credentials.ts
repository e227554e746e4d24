/** Hook: reads an application's credentials after the password was confirmed. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import type { CredentialsView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import type { Problem } from '../../api/problem.ts';
import { useSession } from '../../app/session.tsx';
import { areSecretsOpen } from './credentials-model.ts';

/** State of the credentials of one environment. `asking`: loading; `password`: the password must be entered first; `shown`; `refused`. */
export type CredentialsState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'password' }
  | { readonly kind: 'shown'; readonly credentials: CredentialsView }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Reads credentials if the session may show secrets, and asks for the password otherwise, so that no request is sent that would be refused.
 * Credentials are kept in this page's memory only.
 *
 * @param clientId empty while there is no client; undefined where the page does not know.
 */
export function useCredentials(
  applicationId: string,
  environment: Environment,
  clientId?: string,
): { readonly state: CredentialsState; read(): Promise<void> } {
  const { account } = useSession();
  const latest = useRef(account);
  latest.current = account;
  const [state, setState] = useState<CredentialsState>({ kind: 'asking' });
  const turn = useRef(0);
  const read = async () => {
    turn.current += 1;
    const mine = turn.current;
    // Without a client there are no secrets: the request is sent, because the response says what is missing.
    if (clientId !== '' && !areSecretsOpen(latest.current, Date.now())) {
      setState({ kind: 'password' });
      return;
    }
    const outcome = await call('POST /api/applications/{applicationId}/credentials/{environment}', {
      path: { applicationId, environment },
      body: {},
    });
    // A later read has begun, because the client was created meanwhile, so this response is discarded.
    if (mine !== turn.current) return;
    if (outcome.ok) setState({ kind: 'shown', credentials: outcome.value });
    else if (outcome.problem.code === 'password_needed') setState({ kind: 'password' });
    else setState({ kind: 'refused', problem: outcome.problem });
  };
  useEffect(() => void read(), [applicationId, environment, clientId]);
  return { state, read };
}
