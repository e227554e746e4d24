/** Creates the services that the token endpoints of members and of machines share. */

import type { TokenIssuer } from '../catalog/oauth/token-issuer.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { createFetchDocument } from '../platform/runtime/guarded-fetch.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { createIssuerRates } from '../platform/table/rate-store.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createAssertionSignatures } from './signing/assertion-signatures.ts';
import { createIssuerSecrets } from './signing/issuer-secrets.ts';
import { createRemoteKeySets } from './signing/remote-key-sets.ts';
import { createSecretSigningKeys } from './signing/secret-signing-keys.ts';
import { createAuthorizationAuditTrail } from './store/authorization-audit-trail.ts';
import { createClientReader } from './store/client-reader.ts';
import { createPublishedKeys } from './store/jwks-store.ts';
import { createSecretUses } from './store/secret-uses.ts';
import { createUsedAssertions } from './store/used-assertions.ts';
import { createClientAssertions } from './token/client-assertion.ts';

export interface TokenServerSettings {
  readonly tableName: string;
  readonly authOrigin: string;
  readonly tokenOrigin: string;
  readonly apiOriginTemplate: string;
  readonly signingSecrets: Parameters<typeof createIssuerSecrets>[0];
  readonly tokenRequestsPerMinute: number;
}

export function composeTokenServer(settings: TokenServerSettings) {
  const { authOrigin, tokenOrigin, apiOriginTemplate } = settings;
  const table = createSignedTable({ tableName: settings.tableName });
  const signatures = createAssertionSignatures(
    createRemoteKeySets({ fetchDocument: createFetchDocument(), now: systemClock }),
  );
  return {
    table,
    server: {
      origins: { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate },
      clients: createClientReader(table),
      audit: createAuthorizationAuditTrail(table),
      signingKeys: createSecretSigningKeys({
        readSecret: createIssuerSecrets(settings.signingSecrets),
        isPublished: createPublishedKeys(table),
        now: systemClock,
      }),
      digests,
      random: systemRandom,
      now: systemClock,
    },
    ratesOf: createIssuerRates(table, settings.tokenRequestsPerMinute),
    secretUsesOf: createSecretUses(table, systemClock),
    /** Verifies client assertions whose `aud` is one of the audiences. */
    assertionsOf: (issuer: TokenIssuer, audiences: readonly string[]) =>
      createClientAssertions({
        audiences,
        signatures,
        used: createUsedAssertions(table, issuer),
        now: systemClock,
      }),
  };
}
