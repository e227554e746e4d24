/**
 * Dispatches FHIR requests to handlers by the table `lambdas/catalog/fhir/fhir-routes.ts`, and answers 404 and 405 with an
 * OperationOutcome.
 */

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
 * Dispatches the requests of one interface by the table of FHIR routes. API Gateway's resources are made from the same table, but a request
 * may match no route nevertheless: it gets an OperationOutcome with 404 or 405.
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
  // Operations on a type: API Gateway matches their names with `{id}`.
  const named = new Map(
    rows.flatMap(({ path, route: { gatewayPath } }) =>
      gatewayPath === undefined ? [] : [[gatewayPath.replace('{id}', path.split('/').at(-1) ?? ''), path]],
    ),
  );
  return async (event) => {
    const id = event.pathParameters?.id?.replace(/^%24/, '$');
    const asked = id === undefined ? undefined : named.get(event.resource.replace('{id}', id));
    const proxied = proxiedPath(event);
    // Dispatches by the resource that API Gateway matched, because the authorizer decides by it too. A template as the path matches itself.
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

/** The path of a request that API Gateway matched with `{proxy+}`, without a trailing slash and with `$` for `%24`. */
function proxiedPath({ resource, pathParameters }: APIGatewayProxyEvent): string | undefined {
  if (!resource.endsWith('/{proxy+}')) return undefined;
  return resource
    .replace('{proxy+}', pathParameters?.proxy ?? '')
    .replace(/\/$/, '')
    .replace('/%24', '/$');
}
