/** Values of the setting `directoryAccess`. API Gateway applies it (`lib/environment/lob-stack.ts`), the function checks it. */

import type { Environment } from '../environments.ts';

/**
 * Credentials of a call to the Provider Directory; a bearer token is never required. `subscription`: a subscription key, as in every other
 * call (docs/service.md S6.4). `public`: none, as 42 CFR 422.120, 431.70 and 457.760 and clients of Plan-Net expect; a key that is sent
 * meters its application.
 */
export const directoryAccesses = ['subscription', 'public'] as const;
export type DirectoryAccess = (typeof directoryAccesses)[number];

/** Value of the API Gateway key that meters calls without a subscription key, if the directory is public. It grants no access. */
export function publicMeteringKey(environment: Environment): string {
  return `provider-directory-without-key-${environment}`;
}
