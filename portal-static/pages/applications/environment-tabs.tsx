/** Tabs that choose between sandbox and production. */

import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { Tabs } from '../../components/display.tsx';

interface EnvironmentTabsProps {
  readonly view: ApplicationView;
  /** Text shown for production while the application is not promoted. */
  readonly notYet: string;
  /** Contents of the selected environment's tab. */
  readonly children: (environment: Environment) => ComponentChildren;
}

/** Tabs for sandbox and production. The URL holds the selected environment, so that it can be linked to. */
export function EnvironmentTabs({ view, notYet, children }: EnvironmentTabsProps) {
  const { query, path } = useLocation();
  const environment: Environment = query.environment === 'production' ? 'production' : 'sandbox';
  const production = `${path}?environment=production`;
  return (
    <>
      <Tabs
        label="Environment"
        path={environment === 'sandbox' ? path : production}
        tabs={[
          { href: path, text: 'Sandbox' },
          { href: production, text: 'Production' },
        ]}
      />
      {environment === 'production' && view.production === undefined ? (
        <p class="empty">{notYet}</p>
      ) : (
        children(environment)
      )}
    </>
  );
}
