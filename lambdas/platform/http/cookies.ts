import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * The cookies of a request by name (RFC 6265 section 4.2.1). A cookie that was sent twice is ignored: the browser of an honest member never
 * does that.
 */
export function cookiesOf(event: APIGatewayProxyEvent): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  const repeated = new Set<string>();
  for (const pair of cookieHeaders(event).join('; ').split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 1) continue;
    const name = pair.slice(0, equals).trim();
    if (cookies.has(name)) repeated.add(name);
    cookies.set(name, pair.slice(equals + 1).trim());
  }
  for (const name of repeated) cookies.delete(name);
  return cookies;
}

/** The values of the `Cookie` header. A browser may split it into several with HTTP/2. */
function cookieHeaders(event: APIGatewayProxyEvent): readonly string[] {
  for (const [name, values] of Object.entries(event.multiValueHeaders ?? {})) {
    if (name.toLowerCase() === 'cookie' && values !== undefined) return values;
  }
  for (const [name, value] of Object.entries(event.headers ?? {})) {
    if (name.toLowerCase() === 'cookie' && value !== undefined) return [value];
  }
  return [];
}
