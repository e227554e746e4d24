import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type FhirOperation, type FhirRoute, fhirRoutes } from '../catalog/fhir-routes.ts';
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
    if (route === undefined) return methodNotAllowed(methodsOf(atPath));
    const handler = handlers[route.operation];
    return handler === undefined ? fhirRefusal('unknown-path') : await handler(event, route);
  };
}

/** The methods a path has: HEAD beside GET (RFC 9110 section 9.1), and the browser's question which there are. */
export function methodsOf(atPath: readonly Pick<FhirRoute, 'method'>[]): string[] {
  const methods = new Set(atPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return [...methods, 'OPTIONS'];
}
