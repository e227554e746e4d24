/** Shows a page to signed-in developers or operators only. */

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Page } from '../app/page.tsx';
import type { PageRoute } from '../app/page-route.ts';
import { signInPath } from '../app/return-path.ts';
import { homeOf, type SessionState, stepPages, useSession } from '../app/session.tsx';
import { ProblemAlert } from '../components/alert.tsx';
import { Progress } from '../components/progress.tsx';

/** The path to which a visitor who may not see a page is redirected. */
function elsewhere(access: PageRoute['access'], state: SessionState, url: string): string | undefined {
  if (access === 'public' || state.kind === 'unknown' || state.kind === 'failed') return undefined;
  if (state.kind === 'signed_out') return signInPath(url);
  const { account } = state;
  if (access !== 'pending' && account.nextStep !== 'none') return stepPages[account.nextStep];
  if ((access === 'operator' || access === 'developer') && account.role !== access) return homeOf(account);
  return undefined;
}

/** Shows a page to visitors with the required access, and redirects others. */
export function Gate(props: { readonly access: PageRoute['access']; readonly children: ComponentChildren }) {
  const { state, refresh } = useSession();
  const { url, route } = useLocation();
  const target = elsewhere(props.access, state, url);
  useEffect(() => {
    if (target !== undefined) route(target, true);
  }, [target]);
  if (props.access === 'public') return <>{props.children}</>;
  if (state.kind === 'failed') {
    return (
      <Page title="We could not open this page">
        <ProblemAlert problem={state.problem} retry={() => void refresh()} />
      </Page>
    );
  }
  if (state.kind === 'unknown' || target !== undefined) return <Progress words="Loading the page…" />;
  return <>{props.children}</>;
}
