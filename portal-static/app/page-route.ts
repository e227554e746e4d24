import type { ComponentType } from 'preact';

/**
 * A view of the application page. Its code is loaded when it is asked for. `access` says for whom it is: the others are led
 * to the sign-in page, or to the next step of their account.
 */
export interface PageRoute {
  /** Path in preact-iso's pattern: `/applications/:applicationId`. */
  readonly path: string;
  /** `pending` is for any session, `developer` for an active account, `operator` for operators. */
  readonly access: 'public' | 'pending' | 'developer' | 'operator';
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}
