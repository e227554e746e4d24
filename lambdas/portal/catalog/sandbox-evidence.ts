/** Determines, by an application's grant type, the sandbox calls that show that a product was tested. */

import { fhirRoutes } from '../../catalog/fhir/fhir-routes.ts';
import type { Interface, InterfaceCaller } from '../../catalog/fhir/interfaces.ts';

type GrantType = 'authorization_code' | 'client_credentials';

/** Kinds of credentials that an application of each grant type can get. */
const callers: Readonly<Record<GrantType, readonly InterfaceCaller[]>> = {
  authorization_code: ['member', 'key'],
  client_credentials: ['backend', 'key'],
};

/** Path of the client credentials grant on the token host. Source: docs/service.md S5.4. */
const machineTokenRoute = '/token/v2';

/**
 * Lists the gateway paths, as the access log has them, whose successful call shows that a product was tested: the product's routes that the
 * application has credentials for. If a back-end service has credentials for none of them (Patient Access), the token endpoint counts
 * instead. Empty: no call is required.
 */
export function evidenceRoutes(product: Interface, grantType: GrantType): readonly string[] {
  const callable = fhirRoutes.filter(
    ({ interface: name, access }) => name === product && callers[grantType].some((each) => each === access),
  );
  if (callable.length > 0) return [...new Set(callable.map(({ path, gatewayPath = path }) => gatewayPath))];
  return grantType === 'client_credentials' ? [machineTokenRoute] : [];
}

/** Whether production requires a successful sandbox call of a product. */
export function isCallAskedFor(product: Interface, grantType: GrantType): boolean {
  return evidenceRoutes(product, grantType).length > 0;
}
