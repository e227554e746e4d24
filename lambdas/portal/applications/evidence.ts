/** Finds evidence in the access log: an application is approved only after it has called each of its products in the sandbox. */

import type { Interface } from '../../catalog/fhir/interfaces.ts';
import { type LineOfBusiness, parseLineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { LoggedCall } from '../../clients/provisioning/provisioning-contract.ts';
import type { ApplicationConfiguration } from '../api/applications.ts';
import type { CallView, Evidence } from '../api/views.ts';
import { isCallAskedFor } from '../catalog/asked-for-calls.ts';
import { evidenceRoutes } from '../catalog/sandbox-evidence.ts';

/** Lists the products for which production requires a sandbox call that is not in the evidence. */
export function untestedProducts(
  configuration: ApplicationConfiguration,
  evidence: readonly Evidence[],
): readonly Interface[] {
  return configuration.products.filter(
    (product) =>
      isCallAskedFor(product, configuration.grantType) && !evidence.some((seen) => seen.product === product),
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
    const routes = evidenceRoutes(product, configuration.grantType);
    const call = successes.find(({ route }) => routes.includes(route));
    if (call === undefined) return [];
    const { time, route, requestId } = call;
    // A token request has no LOB in its host and serves every LOB of the application; the first LOB is recorded.
    const lob = lobOfHost(call.host) ?? configuration.linesOfBusiness[0];
    return lob === undefined ? [] : [{ product, lob, at: new Date(time).toISOString(), route, requestId }];
  });
}

/** The LOB of a host, from its first label (`dsnp.api.example.org`); undefined for any other host. */
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
  expected,
  received,
  requestId,
  latencyMs,
  lob: ofToken,
}: LoggedCall): CallView {
  const lob = ofToken ?? lobOfHost(host);
  return {
    at: new Date(time).toISOString(),
    host,
    ...(lob === undefined ? {} : { lob }),
    method,
    route,
    status,
    ...(responseType === undefined ? {} : { responseType }),
    ...(reason === undefined ? {} : { reason }),
    ...(expected === undefined ? {} : { expected }),
    ...(received === undefined ? {} : { received }),
    requestId,
    ...(latencyMs === undefined ? {} : { latencyMs }),
  };
}
