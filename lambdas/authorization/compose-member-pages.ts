/** Creates the services that all functions of the member's pages share. */

import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createAccountAccess } from './store/account-access.ts';
import { createAuthorizationStore } from './store/authorization-store.ts';
import { createClientReader } from './store/client-reader.ts';
import { createSignInStore } from './store/sign-in-store.ts';
import { createSsoSessionStore } from './store/sso-session-store.ts';

export function composeMemberPages(settings: {
  readonly tableName: string;
  readonly authOrigin: string;
  readonly tokenOrigin: string;
  readonly apiOriginTemplate: string;
}) {
  const { authOrigin, tokenOrigin, apiOriginTemplate } = settings;
  const table = createSignedTable({ tableName: settings.tableName });
  return {
    table,
    access: createAccountAccess(table, systemClock),
    pages: {
      origins: { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate },
      clients: createClientReader(table),
      store: createAuthorizationStore(table),
      signIns: createSignInStore(table),
      ssoSessions: createSsoSessionStore(table),
      digests,
      random: systemRandom,
      now: systemClock,
    },
  };
}
