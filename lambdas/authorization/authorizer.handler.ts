/** Handler of `authorizer`: API Gateway's Lambda authorizer of a LOB's host. Checks the access token and the subscription key. */

import { fhirBase, machineIssuer, memberIssuer } from '../catalog/addresses.ts';
import { publicMeteringKey } from '../catalog/fhir/directory-access.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createAccessTokens } from './authorizer/access-tokens.ts';
import { createAuthorizer } from './authorizer/authorizer.ts';
import { createMeteredApplications } from './authorizer/metered-application.ts';
import { createSubscriptionKeys } from './authorizer/subscription-key.ts';
import { createVerificationKeys } from './authorizer/verification-keys.ts';
import { createJwksStore } from './store/jwks-store.ts';

const settings = readEnvironment([
  'tableName',
  'environment',
  'lineOfBusiness',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
  'resourceId',
  'subscriptionKey',
  'directoryAccess',
]);
const { tableName, environment, lineOfBusiness, authOrigin, tokenOrigin, apiOriginTemplate, resourceId } =
  settings;
const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };
const table = createSignedTable({ tableName });
const jwks = createJwksStore(table);
const now = systemClock;

/**
 * Authorizes calls to a LOB's host. Called by API Gateway before the functions. Reads subscription keys, applications and public keys;
 * reads no member's data and no grant.
 */
export const handler = createAuthorizer({
  subscriptionKeys: createSubscriptionKeys({ table, issuer: lineOfBusiness, now }),
  accessTokens: createAccessTokens({
    lob: lineOfBusiness,
    environment,
    now,
    member: {
      issuer: memberIssuer(origins, lineOfBusiness),
      audience: fhirBase(origins, lineOfBusiness, 'patient-access'),
      keys: createVerificationKeys({ readJwks: () => jwks.read(lineOfBusiness), now }),
    },
    machine: {
      issuer: machineIssuer(origins),
      audience: resourceId,
      keys: createVerificationKeys({ readJwks: () => jwks.read('M2M'), now }),
    },
  }),
  ...(settings.subscriptionKey === 'optional' && {
    applications: createMeteredApplications(table, lineOfBusiness),
  }),
  ...(settings.directoryAccess === 'public' && { publicMeteringKey: publicMeteringKey(environment) }),
  log: consoleLog,
});
