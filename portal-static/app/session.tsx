/** The session of the signed-in account, as a Preact context for the pages. */

import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { AccountView, NextStep } from '../../lambdas/portal/api/views.ts';
import { call } from '../api/portal-client.ts';
import type { Problem } from '../api/problem.ts';
import { mayBeSignedIn } from '../api/signed-in.ts';

/** The signed-in account as the API returned it. `unknown`: no response yet; `failed`: the request failed. */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'signed_in'; readonly account: AccountView }
  | { readonly kind: 'failed'; readonly problem: Problem };

export interface Session {
  readonly state: SessionState;
  readonly account: AccountView | undefined;
  /** Requests the account again. Resolves to the new `state`. */
  refresh(): Promise<SessionState>;
  /** Replaces the account by a newer one that another call returned. */
  adopt(account: AccountView): void;
  /** Sets the state to `signed_out` after the session has ended. */
  forget(): void;
}

const unknownSession: Session = {
  state: { kind: 'unknown' },
  account: undefined,
  refresh: () => Promise.resolve({ kind: 'unknown' }),
  adopt: () => {},
  forget: () => {},
};
const SessionContext = createContext<Session>(unknownSession);
export const useSession = () => useContext(SessionContext);

async function readSession(): Promise<SessionState> {
  // Without the marker cookie there is no session: no request is sent, so that the console of a visitor shows no failed request.
  if (!mayBeSignedIn()) return { kind: 'signed_out' };
  const outcome = await call('GET /api/account');
  if (outcome.ok) return { kind: 'signed_in', account: outcome.value };
  return outcome.problem.code === 'signed_out'
    ? { kind: 'signed_out' }
    : { kind: 'failed', problem: outcome.problem };
}

export function SessionProvider(props: { readonly children: ComponentChildren }) {
  const [state, setState] = useState<SessionState>({ kind: 'unknown' });
  const refresh = useCallback(async () => {
    const next = await readSession();
    setState(next);
    return next;
  }, []);
  useEffect(() => {
    void refresh();
  }, [refresh]);
  const session = useMemo<Session>(
    () => ({
      state,
      account: state.kind === 'signed_in' ? state.account : undefined,
      refresh,
      adopt: (account) => setState({ kind: 'signed_in', account }),
      forget: () => setState({ kind: 'signed_out' }),
    }),
    [state, refresh],
  );
  return <SessionContext.Provider value={session}>{props.children}</SessionContext.Provider>;
}

/** The page of an account's next step, or the start page of a complete account. */
export const stepPages: Readonly<Record<NextStep, string>> = {
  verify_email: '/verify-email',
  verify_phone: '/verify-phone',
  accept_terms: '/terms-of-use',
  await_verification: '/await-verification',
  none: '/applications',
};

export function homeOf(account: AccountView): string {
  if (account.nextStep !== 'none') return stepPages[account.nextStep];
  return account.role === 'operator' ? '/operations' : '/applications';
}
