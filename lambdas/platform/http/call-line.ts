/** Log lines of calls to the authorization and token endpoints, in the form of API Gateway's access log. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { requestIds } from './pipeline.ts';

export interface CallLine {
  /**
   * Notes the registered application that the request names, whether or not it authenticates. The last note counts.
   *
   * @param secretId ID of the secret that authenticated it
   */
  noteCaller(caller: { readonly clientId: string; readonly secretId?: string | undefined }): void;
  /** Writes the line, with the response's status. */
  write(outcome: {
    /** `token_answered`, `authorize_refused`. */
    readonly code: string;
    readonly status: number;
    readonly lob?: string;
    /** Reason of a refusal, more specific than its error code. Its level is `warn` whatever the status: some are redirects. */
    readonly reason?: string;
    /** Registered or required value, and the sent one, where the reason alone does not tell. */
    readonly expected?: string;
    readonly received?: string;
    /** @default the gateway's resource */
    readonly route?: string;
  }): void;
}

/**
 * Begins the line of a call whose application only the function behind API Gateway knows: the token endpoints have no authorizer, or one
 * that does not see the client's credentials. The line has the fields of the access log (`lib/constructs/access-log-format.ts`) with the
 * same names and, like there, as text; so the portal's log of calls reads both alike, and joins them by `requestId`. It has no token, no
 * secret, no code and no address, and a client ID only if it is registered.
 *
 * @param now milliseconds since 1970.
 */
export function createCallLine(
  event: APIGatewayProxyEvent,
  print: (line: string) => void = console.log,
  now: () => number = Date.now,
): CallLine {
  const { domainName, requestTimeEpoch } = event.requestContext;
  let noted: Parameters<CallLine['noteCaller']>[0] | undefined;
  return {
    noteCaller(caller) {
      noted = caller;
    },
    write({ code, status, lob, reason, expected, received, route = event.resource }) {
      print(
        JSON.stringify({
          time: String(requestTimeEpoch),
          level: status < 400 && reason === undefined ? 'info' : 'warn',
          code,
          ...requestIds(event),
          host: domainName,
          method: event.httpMethod,
          route,
          status: String(status),
          lob,
          clientId: noted?.clientId,
          secretId: noted?.secretId,
          reason,
          expected,
          received,
          latencyMs: String(now() - requestTimeEpoch),
        }),
      );
    },
  };
}
