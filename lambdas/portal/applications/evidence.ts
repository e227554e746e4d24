/** Finds sandbox calls in the access log: an application is approved only after it has called each product. */

import { fhirRoutes } from '../../catalog/fhir/fhir-routes.ts';
import type { Interface } from '../../catalog/interfaces.ts';
import { type LineOfBusiness, parseLineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { LoggedCall } from '../../clients/provisioning-contract.ts';
import type { ApplicationConfiguration } from '../api/applications.ts';
import type { CallView, Evidence } from '../api/views.ts';

/** Path of the client credentials grant on the token host. Source: service description, "Endpoints". */
const machineTokenRoute = '/token/v2';

/**
 * The routes whose successful call shows that a product was tested. A service (client credentials) has no member, so its token is what it
 * can be seen to get; the others are seen by any call for a member's data, or where a product has none, by any call of it.
 */
const proofs: Readonly<
  Record<ApplicationConfiguration['grantType'], (product: Interface) => readonly string[]>
> = {
  authorization_code: (product) => {
    const data = routesOf(product).filter(({ access }) => access === 'member');
    return (data.length > 0 ? data : routesOf(product)).map(({ path }) => path);
  },
  client_credentials: (product) => [machineTokenRoute, ...routesOf(product).map(({ path }) => path)],
};

function routesOf(product: Interface) {
  return fhirRoutes.filter((route) => route.interface === product);
}

/**
 * Whether the gateway can tell whose a product's calls are: it knows an application by its key, and a product all of whose routes are
 * public is called without one. Where it can't, no evidence is asked for. An application with members can't call the routes of back-end services.
 */
export function isSeen(product: Interface, grantType: ApplicationConfiguration['grantType']): boolean {
  return (
    grantType === 'client_credentials' ||
    routesOf(product).some(({ access }) => access === 'member' || access === 'key')
  );
}

/** The products whose sandbox call is asked for and hasn't been seen. */
export function untestedProducts(
  configuration: ApplicationConfiguration,
  evidence: readonly Evidence[],
): readonly Interface[] {
  return configuration.products.filter(
    (product) =>
      isSeen(product, configuration.grantType) && !evidence.some((seen) => seen.product === product),
  );
}

/** Finds, in a log of sandbox calls, the oldest success of each product that has no evidence yet. */
export function evidenceIn(
  calls: readonly LoggedCall[],
  configuration: ApplicationConfiguration,
  products: readonly Interface[],
): readonly Evidence[] {
  const successes = calls
    .filter(({ status }) => status >= 200 && status < 300)
    .sort((one, other) => one.time - other.time);
  return products.flatMap((product) => {
    const routes = proofs[configuration.grantType](product);
    const call = successes.find(({ route }) => routes.includes(route));
    if (call === undefined) return [];
    const { time, route, requestId } = call;
    // A token is for every line of business of the application; the first one is shown.
    const lob = lobOfHost(call.host) ?? configuration.linesOfBusiness[0];
    return lob === undefined ? [] : [{ product, lob, at: new Date(time).toISOString(), route, requestId }];
  });
}

/** The LOB a host serves, by its first label (`dsnp.api.example.org`). */
export function lobOfHost(host: string): LineOfBusiness | undefined {
  const [label = '', kind] = host.split('.');
  return kind === 'api' ? parseLineOfBusiness(label) : undefined;
}

export function callView({
  time,
  host,
  method,
  route,
  status,
  responseType,
  reason,
  requestId,
  latencyMs,
}: LoggedCall): CallView {
  const lob = lobOfHost(host);
  return {
    at: new Date(time).toISOString(),
    host,
    ...(lob === undefined ? {} : { lob }),
    method,
    route,
    status,
    ...(responseType === undefined ? {} : { responseType }),
    ...(reason === undefined ? {} : { reason }),
    requestId,
    ...(latencyMs === undefined ? {} : { latencyMs }),
  };
}
