/** Dispatch of a FHIR request to the handler of its interaction, by the table `lambdas/catalog/fhir/fhir-routes.ts`; 404 and 405 as OperationOutcome. */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { FhirRefusal } from '../../catalog/fhir/fhir-refusals.ts';
import { type FhirOperation, type FhirRoute, fhirRoutes, methodsOf } from '../../catalog/fhir/fhir-routes.ts';
import type { Interface } from '../../catalog/fhir/interfaces.ts';
import { compileRoutes } from '../kernel/find-route.ts';
import { fhirRefusal, methodNotAllowed } from './operation-outcome.ts';

export type FhirHandler = (
  event: APIGatewayProxyEvent,
  route: FhirRoute,
) => APIGatewayProxyResult | Promise<APIGatewayProxyResult>;

/**
 * Dispatches the requests of one interface by the table of FHIR routes. The gateway is made from the same table; a request that matches no
 * route all the same gets an OperationOutcome with 404 or 405.
 */
export function dispatchFhir(
  name: Interface,
  handlers: Readonly<Partial<Record<FhirOperation, FhirHandler>>>,
  unknownPath: FhirRefusal = 'unknown-path',
): (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult> {
  const rows = fhirRoutes
    .filter((route) => route.interface === name)
    .flatMap((route) => methodsOf([route]).map((method) => ({ method, path: route.path, route })));
  const find = compileRoutes(rows);
  // An operation on a type stands where the gateway expects an ID.
  const named = new Map(
    rows.flatMap(({ path, route: { gatewayPath } }) =>
      gatewayPath === undefined ? [] : [[gatewayPath.replace('{id}', path.split('/').at(-1) ?? ''), path]],
    ),
  );
  return async (event) => {
    const id = event.pathParameters?.id?.replace(/^%24/, '$');
    const asked = id === undefined ? undefined : named.get(event.resource.replace('{id}', id));
    const proxied = proxiedPath(event);
    // The authorizer decides by the resource that API Gateway matched, so the dispatch does too. A template matches itself.
    const match = find(event.httpMethod, proxied ?? asked ?? event.resource);
    if (match.kind === 'not_found') return fhirRefusal(unknownPath);
    if (match.kind === 'method_not_allowed') return methodNotAllowed([...match.allowed, 'OPTIONS']);
    const { route } = match.route;
    const handler = handlers[route.operation];
    if (handler === undefined) return fhirRefusal(unknownPath);
    const params = proxied === undefined ? event.pathParameters : match.params;
    return await handler({ ...event, pathParameters: params }, route);
  };
}

/** The path of a request that API Gateway matched with `{proxy+}`; a slash at its end doesn't count, and `%24` is a `$`. */
function proxiedPath({ resource, pathParameters }: APIGatewayProxyEvent): string | undefined {
  if (!resource.endsWith('/{proxy+}')) return undefined;
  return resource
    .replace('{proxy+}', pathParameters?.proxy ?? '')
    .replace(/\/$/, '')
    .replace('/%24', '/$');
}
