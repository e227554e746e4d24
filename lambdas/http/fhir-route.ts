import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type FhirOperation, type FhirRoute, fhirRoutes, methodsOf } from '../catalog/fhir-routes.ts';
import type { Interface } from '../catalog/interfaces.ts';
import { fhirRefusal, methodNotAllowed } from './operation-outcome.ts';

export type FhirHandler = (
  event: APIGatewayProxyEvent,
  route: FhirRoute,
) => APIGatewayProxyResult | Promise<APIGatewayProxyResult>;

/**
 * Finds what an interface's function shall do in the table of routes. A gateway made from the same table asks for nothing
 * else; where it does, the answer is the host's own.
 */
export function dispatchFhir(
  name: Interface,
  handlers: Readonly<Partial<Record<FhirOperation, FhirHandler>>>,
): (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult> {
  const routes = fhirRoutes.filter((route) => route.interface === name);
  return async (event) => {
    const atPath = routes.filter((route) => route.path === event.resource);
    if (atPath.length === 0) return fhirRefusal('unknown-path');
    // R4, http.html, "Support for HEAD": as GET, and the gateway leaves the body out.
    const method = event.httpMethod === 'HEAD' ? 'GET' : event.httpMethod;
    const route = atPath.find((each) => each.method === method);
    if (route === undefined) return methodNotAllowed([...methodsOf(atPath), 'OPTIONS']);
    const handler = handlers[route.operation];
    return handler === undefined ? fhirRefusal('unknown-path') : await handler(event, route);
  };
}
