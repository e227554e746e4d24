/** Sends calls to AWS services that speak JSON, signed by our own code, for functions that a data request or a token waits for. */

import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { systemClock } from '../runtime/clock.ts';
import { attemptTimeoutMs, CallFailed, type Send } from './dynamodb-call.ts';
import { createRequestSignature, type JsonService, type SigningScope } from './request-signature.ts';

/** Endpoint and credentials of a service, as Lambda puts them into every function's environment. */
export interface ServiceAccess extends SigningScope {
  /** `http(s)://host[:port]`. */
  readonly endpoint: string;
}

/**
 * @param endpointVariable the variable that names another endpoint, as the AWS SDKs know it.
 * @throws Error naming the variables that are missing.
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

type Http = Pick<typeof import('node:http'), 'Agent' | 'request'>;

/** Sends a service's calls, over connections that are kept. */
export function createSignedCalls<Operation extends string>(
  service: JsonService,
  access: ServiceAccess,
): Send<Operation> {
  const { protocol, hostname, port, host } = new URL(access.endpoint);
  // Loaded as needed: TLS is part of the cold start only where it is used.
  const http: Http = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = new http.Agent({ keepAlive: true, scheduling: 'lifo' });
  const signed = createRequestSignature(service, access, host, systemClock);
  return async (operation, input) => {
    // Bytes once: they are counted, digested and sent.
    const body = Buffer.from(JSON.stringify(input));
    // As a list: of an object, Node checks and copies each header, a twentieth of a read's CPU.
    const headers = Object.entries(signed(operation, body)).flat();
    const request: RequestOptions = { agent, hostname, port, method: 'POST', path: '/', headers };
    const { status, text } = await exchange(http.request(request), body);
    if (status >= 300) throw refusal(status, text);
    return parsed(text) ?? failNoAnswer(status);
  };
}

function exchange(request: ClientRequest, body: Uint8Array): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => request.destroy(new Error('no answer in time')), attemptTimeoutMs);
    const fail = (cause: unknown) => {
      clearTimeout(timer);
      reject(new CallFailed('NoAnswer', 0, [], cause));
    };
    request.on('error', fail);
    request.on('response', (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    request.end(body);
  });
}

/** The exception is named in `__type`, after a `#`; a proxy's error page has none. `CancellationReasons` are DynamoDB's. */
function refusal(status: number, text: string): CallFailed {
  const body = parsed(text) ?? {};
  const code = String(body.__type ?? 'Unknown');
  const reasons = Array.isArray(body.CancellationReasons) ? body.CancellationReasons : [];
  return new CallFailed(
    code.slice(code.indexOf('#') + 1),
    status,
    reasons.map((reason: { readonly Code?: string }) => reason.Code ?? 'None'),
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function failNoAnswer(status: number): never {
  throw new CallFailed('NoAnswer', 0, [], new Error(`an answer with status ${status} that is no JSON`));
}
