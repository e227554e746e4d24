/** Root component of the portal's single-page application. */

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { portalApplicationPaths } from '../../lambdas/portal/catalog/application-paths.ts';
import { whenRefused } from '../api/portal-client.ts';
import '../app/kernel.ts';
import { Announcer } from '../app/announcer.tsx';
import { NotLoadedPage } from '../app/page.tsx';
import type { PageRoute } from '../app/page-route.ts';
import { readReturnPath, signInPath } from '../app/return-path.ts';
import { SessionProvider, useSession } from '../app/session.tsx';
import { developerNavigation, operatorNavigation, publicNavigation } from '../app/site.ts';
import { RouteProgress } from '../components/progress.tsx';
import { routes } from './all-page-routes.ts';
import { Frame, SignInLinks } from './frame.tsx';
import { Gate } from './gate.tsx';
import { NotSignedOut, useSignOut } from './sign-out.tsx';

/** Paths that the application page handles. The browser opens links to other paths as documents. */
const applicationPaths = new RegExp(`^(?:${portalApplicationPaths.join('|')})(?:[/?#]|$)`);

const views = routes.map((page) => ({ path: page.path, component: gated(page) }));

const NotFound = lazy(() => import('./not-found.tsx'));

function gated(page: PageRoute): ComponentType {
  const View = lazy(() => page.load().catch(() => ({ default: NotLoadedPage })));
  return () => (
    <Gate access={page.access}>
      <View />
    </Gate>
  );
}

export function PortalRoot() {
  return (
    <LocationProvider scope={applicationPaths}>
      <SessionProvider>
        <Announcer>
          <Shell />
        </Announcer>
      </SessionProvider>
    </LocationProvider>
  );
}

function Shell() {
  const [loading, setLoading] = useState(false);
  const { path, url, route } = useLocation();
  const { account, state, forget, refresh } = useSession();
  const signingOut = useSignOut();
  useEffect(() => {
    whenRefused((code) => {
      // The next step of the account was taken elsewhere, e.g. in another tab: the page of the present one follows.
      if (code === 'account_state') void refresh();
      if (code !== 'signed_out') return;
      forget();
      // `Gate` redirects a visitor without a session to the sign-in page; a session that ends while a page is open is redirected here.
      if (state.kind === 'signed_in') route(signInPath(url), true);
    });
  }, [state.kind, url]);
  return (
    <Frame
      path={path}
      navigation={navigationFor(account)}
      account={<AccountMenu signOut={signingOut.signOut} />}
    >
      <NotSignedOut {...signingOut} />
      <RouteProgress loading={loading} />
      <Router onLoadStart={() => setLoading(true)} onLoadEnd={() => setLoading(false)}>
        {views.map((view) => (
          <Route key={view.path} path={view.path} component={view.component} />
        ))}
        <Route default component={NotFound} />
      </Router>
    </Frame>
  );
}

function navigationFor(account: ReturnType<typeof useSession>['account']) {
  if (account === undefined || account.nextStep !== 'none') return publicNavigation;
  const own = account.role === 'operator' ? operatorNavigation : developerNavigation;
  return [...own, ...publicNavigation];
}

function AccountMenu(props: { readonly signOut: () => void }) {
  const { account, state } = useSession();
  const { query } = useLocation();
  if (state.kind === 'unknown') return null;
  if (account === undefined) return readReturnPath(query) === undefined ? <SignInLinks /> : null;
  return (
    <ul class="header__actions">
      {account.nextStep === 'none' && (
        <li>
          <a href="/account" class="header__person" title={`${account.firstName} ${account.lastName}`}>
            <span class="usa-sr-only">Your account: </span>
            {account.firstName} {account.lastName}
          </a>
        </li>
      )}
      <li>
        <button type="button" class="usa-button usa-button--unstyled" onClick={props.signOut}>
          Sign out
        </button>
      </li>
    </ul>
  );
}
