/** Local API Gateway: selects the resource and method of a call. */

import type { Method, Node } from './rest-api.ts';

export interface Route {
  readonly method: Method;
  /** Path parameters, percent-decoded; null if the route has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

/** The methods that `ANY` stands for ("Set up an HTTP method in API Gateway"). */
const supportedMethods = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/**
 * Finds the method of a request in the tree of resources. At each level a static segment comes before `{parameter}`, and that before
 * `{greedy+}`. The search does not backtrack: "when a proxy resource has non-proxy siblings, the sibling resources are excluded from the
 * representation of the proxy resource", with everything below them and whatever their methods. A trailing slash is ignored. `/ping` and
 * `/sping` belong to API Gateway itself. Routers of libraries, and the service's own table (`lambdas/platform/kernel/find-route.ts`),
 * search differently, so none of them is used.
 *
 * @returns undefined if nothing matches, which is `MISSING_AUTHENTICATION_TOKEN`.
 * @see
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-method-settings-method-request.html#api-gateway-proxy-resource
 */
export function findRoute(root: Node, httpMethod: string, path: string): Route | undefined {
  if (path === '/ping' || path === '/sping') return undefined;
  if (!supportedMethods.has(httpMethod)) return undefined;
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  return search(root, httpMethod, segments, {});
}

function search(
  node: Node,
  httpMethod: string,
  segments: readonly string[],
  parameters: Readonly<Record<string, string>>,
): Route | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    const method = node.methods.get(httpMethod) ?? node.methods.get('ANY');
    if (method === undefined) return undefined;
    return { method, pathParameters: Object.keys(parameters).length === 0 ? null : parameters };
  }
  const child = bySpecificity(node.children).find((one) => takes(one, segment));
  return child === undefined ? undefined : searchChild(child, httpMethod, segment, rest, parameters);
}

/** Whether a resource matches a segment; a parameter does not match an empty segment. */
function takes(child: Node, segment: string): boolean {
  return child.segment.startsWith('{') ? segment !== '' : child.segment === segment;
}

function searchChild(
  child: Node,
  httpMethod: string,
  segment: string,
  rest: readonly string[],
  parameters: Readonly<Record<string, string>>,
): Route | undefined {
  const name = /^\{([^}+]+)(\+?)\}$/.exec(child.segment);
  if (name === null) return search(child, httpMethod, rest, parameters);
  const [, parameter = '', greedy] = name;
  const value = decodeURIComponent(greedy === '+' ? [segment, ...rest].join('/') : segment);
  return search(child, httpMethod, greedy === '+' ? [] : rest, { ...parameters, [parameter]: value });
}

function bySpecificity(children: readonly Node[]): readonly Node[] {
  const rank = ({ segment }: Node) => (segment.endsWith('+}') ? 2 : segment.startsWith('{') ? 1 : 0);
  return children.toSorted((left, right) => rank(left) - rank(right));
}
