/** Builds API Gateway's gateway responses from a table. */

import { type GatewayResponseOptions, ResponseType } from 'aws-cdk-lib/aws-apigateway';
import {
  type GatewayResponseType,
  gatewayResponseTypes,
} from '../../../lambdas/catalog/gateway/gateway-response-types.ts';

/** Options of `AWS::ApiGateway::GatewayResponse`, by response type. */
export type GatewayResponseTable = Readonly<Record<GatewayResponseType, GatewayResponseOptions>>;

/** Text and status of one gateway response. */
export interface Wording {
  /** Status; absent to keep API Gateway's own. The two default responses stand for several statuses. */
  readonly status?: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes a host's table of gateway responses. Bodies are constant, except for `$context` variables. */
export function gatewayResponses(
  contentType: string,
  common: Readonly<Record<string, string>>,
  word: (type: GatewayResponseType) => Wording,
): GatewayResponseTable {
  const entries = gatewayResponseTypes.map((type) => {
    const { status, body, headers } = word(type);
    const responseHeaders = { 'Content-Type': contentType, ...common, ...headers };
    return [
      type,
      {
        type: ResponseType.of(type),
        ...(status === undefined ? {} : { statusCode: `${status}` }),
        responseHeaders: {
          ...Object.fromEntries(Object.entries(responseHeaders).map(([name, value]) => [name, `'${value}'`])),
          'X-Request-Id': 'context.requestId',
        },
        templates: { 'application/json': JSON.stringify(body) },
      },
    ];
  });
  return Object.fromEntries(entries);
}
