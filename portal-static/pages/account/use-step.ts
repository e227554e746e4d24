import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { AccountView, NextStep } from '../../../lambdas/portal/api/views.ts';
import { homeOf, useSession } from '../../app/session.tsx';

/** Returns the account if its next step is one of these; otherwise opens the page of its next step. */
export function useStep(...steps: readonly NextStep[]): AccountView | undefined {
  const { account } = useSession();
  const { route } = useLocation();
  const done = account !== undefined && !steps.includes(account.nextStep);
  useEffect(() => {
    if (done) route(homeOf(account), true);
  }, [done]);
  return done ? undefined : account;
}
