/** Determines, by an application's grant type, the sandbox calls that show that a product was tested. */

import { fhirRoutes } from '../../catalog/fhir/fhir-routes.ts';
import type { Interface } from '../../catalog/interface-families.ts';
import { callersOf, type PortalGrantType } from './asked-for-calls.ts';

/** Path of the client credentials grant on the token host. Source: docs/service.md S5.4. */
const machineTokenRoute = '/token/v2';

/**
 * Lists the gateway paths, as the access log has them, whose successful call shows that a product was tested: the product's routes that the
 * application has credentials for. If a back-end service has credentials for none of them (Patient Access), the token endpoint counts
 * instead. Empty: no call is required.
 */
export function evidenceRoutes(product: Interface, grantType: PortalGrantType): readonly string[] {
  const callable = fhirRoutes.filter(
    ({ interface: name, access }) => name === product && callersOf[grantType].some((each) => each === access),
  );
  if (callable.length > 0) return [...new Set(callable.map(({ path, gatewayPath = path }) => gatewayPath))];
  return grantType === 'client_credentials' ? [machineTokenRoute] : [];
}
