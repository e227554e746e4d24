/** Local API Gateway: paths of its control plane API. */

import { parseJson } from '../protocol/protocol.ts';
import type { RestRequest, RestRoute } from '../protocol/rest-routes.ts';

/** Routes of API Gateway's control plane. Source: "API Gateway Version 1 API reference". */
const routes = [
  ['CreateApiKey', 'POST', '/apikeys'],
  ['GetApiKeys', 'GET', '/apikeys'],
  ['GetApiKey', 'GET', '/apikeys/{apiKey}'],
  ['UpdateApiKey', 'PATCH', '/apikeys/{apiKey}'],
  ['DeleteApiKey', 'DELETE', '/apikeys/{apiKey}'],
  ['CreateUsagePlanKey', 'POST', '/usageplans/{usagePlanId}/keys'],
  ['DeleteUsagePlanKey', 'DELETE', '/usageplans/{usagePlanId}/keys/{keyId}'],
  ['GetUsage', 'GET', '/usageplans/{usagePlanId}/usage'],
] as const;

export const apiGatewayRoutes: readonly RestRoute[] = routes.map(([operation, method, path]) => ({
  operation,
  method,
  path,
  input: inputOf,
}));

function inputOf({ path, query, body }: RestRequest): unknown {
  return { ...Object.fromEntries(query), ...(parseJson(body) as object), ...path };
}
