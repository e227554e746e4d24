/** Table of the sandbox calls that show a product was tested, by the application's grant type. */

import { fhirRoutes } from '../../catalog/fhir/fhir-routes.ts';
import type { Interface, InterfaceCaller } from '../../catalog/fhir/interfaces.ts';

type GrantType = 'authorization_code' | 'client_credentials';

/** Credentials that an application of a grant type can get. */
const callers: Readonly<Record<GrantType, readonly InterfaceCaller[]>> = {
  authorization_code: ['member', 'key'],
  client_credentials: ['backend', 'key'],
};

/** Path of the client credentials grant on the token host. Source: docs/service.md S5.4. */
const machineTokenRoute = '/token/v2';

/**
 * The routes whose successful call shows that a product was tested, as the access log spells them: the gateway's resource paths. They are
 * the product's routes that the application has the credentials for. Of a product without such a route (Patient Access has none for a
 * back-end service) a service's own token is what can be seen. Empty: no call is asked for.
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
