/** Sends signed calls to AWS services with JSON protocols without the AWS SDK, for functions on the path of a data or token request. */

import { isJsonObject, jsonEntries, jsonMember, jsonValue } from '../kernel/json-members.ts';
import { systemClock } from '../runtime/clock.ts';
import { attemptTimeoutMs, CallFailed, type Send } from './dynamodb-call.ts';
import { createConnections } from './http-connections.ts';
import { createRequestSignature, type JsonService, type SigningScope } from './request-signature.ts';

/** Endpoint and credentials of a service, from the environment variables that Lambda sets. */
export interface ServiceAccess extends SigningScope {
  /** `http(s)://host[:port]`. */
  readonly endpoint: string;
}

/**
 * Reads a service's endpoint and credentials.
 *
 * @param endpointVariable the variable with another endpoint, as the AWS SDKs read it.
 * @throws Error with the names of missing variables.
 */
export function serviceAccess(
  { signingName }: JsonService,
  endpointVariable: string,
  source: Readonly<Record<string, string | undefined>>,
): ServiceAccess {
  const {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  } = source;
  if (!region || !accessKeyId || !secretAccessKey) {
    throw new Error('AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are needed');
  }
  const endpoint = source[endpointVariable] || `https://${signingName}.${region}.amazonaws.com`;
  const sessionToken = source.AWS_SESSION_TOKEN;
  return { endpoint, region, accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

/** Sends a service's calls over persistent connections. */
export function createSignedCalls<Operation extends string>(
  service: JsonService,
  access: ServiceAccess,
): Send<Operation> {
  const endpoint = new URL(access.endpoint);
  const exchange = createConnections(endpoint);
  const signed = createRequestSignature(service, access, endpoint.host, systemClock);
  return async (operation, input) => {
    const body = JSON.stringify(input);
    const request = requestOf(signed(operation, body), body);
    const { status, text } = await exchange(request, attemptTimeoutMs).catch(failNoAnswer);
    if (status >= 300) throw refusal(status, text);
    const answer = jsonValue(text);
    return isJsonObject(answer)
      ? answer
      : failNoAnswer(new Error(`an answer with status ${status} that is no JSON`));
  };
}

function requestOf(headers: Readonly<Record<string, string>>, body: string): string {
  let head = 'POST / HTTP/1.1\r\n';
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  return `${head}\r\n${body}`;
}

/**
 * Parses an error response. `__type` has the exception's name after a `#`; the error page of a proxy has no `__type`. DynamoDB adds
 * `CancellationReasons`.
 */
function refusal(status: number, text: string): CallFailed {
  const body = jsonValue(text);
  const code = String(jsonMember(body, '__type') ?? 'Unknown');
  const reasons = jsonEntries(jsonMember(body, 'CancellationReasons'));
  return new CallFailed(
    code.slice(code.indexOf('#') + 1),
    status,
    reasons.map((reason) => String(jsonMember(reason, 'Code') ?? 'None')),
  );
}

function failNoAnswer(cause: unknown): never {
  throw new CallFailed('NoAnswer', 0, [], cause);
}
