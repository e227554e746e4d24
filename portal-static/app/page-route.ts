import type { ComponentType } from 'preact';

/**
 * A view of the application page. Its code is loaded when it is opened. Visitors without the required `access` are redirected to the
 * sign-in page or to the next step of their account.
 */
export interface PageRoute {
  /** Path in preact-iso's pattern: `/applications/:applicationId`. */
  readonly path: string;
  /** The visitors who may open the view. `pending`: with any session; `account`: with an active account; `developer` and
   * `operator`: with an active account of that role. */
  readonly access: 'public' | 'pending' | 'account' | 'developer' | 'operator';
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}
