/** Session of the signed-in developer, as the pages see it. */

import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { AccountView, NextStep } from '../../lambdas/portal/api/views.ts';
import { call } from '../api/portal-client.ts';
import type { Problem } from '../api/problem.ts';
import { mayBeSignedIn } from '../api/signed-in.ts';

/**
 * The signed-in account, as the API reports it. `unknown` until the first response; `failed` if there was none.
 */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'signed_in'; readonly account: AccountView }
  | { readonly kind: 'failed'; readonly problem: Problem };

export interface Session {
  readonly state: SessionState;
  readonly account: AccountView | undefined;
  /** Asks the API again; the answer is also what `state` becomes. */
  refresh(): Promise<SessionState>;
  /** Replaces the account that was read before by the one an act returned. */
  adopt(account: AccountView): void;
  /** The session has ended. */
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
  // Does not ask without the marker, so that a visitor's console has no refused calls.
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
