/**
 * Handler of `machine-authorizer`: Lambda authorizer of the machine-to-machine token host, which API Gateway calls before `machine-token`.
 */

import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { authorizerResponse, logFailure, subscriptionKeyOf } from './authorizer/authorizer.ts';
import { createSubscriptionKeys } from './authorizer/subscription-key.ts';

const { tableName } = readEnvironment(['tableName']);
const verdictOn = createSubscriptionKeys({
  table: createSignedTable({ tableName }),
  issuer: 'M2M',
  now: systemClock,
});

/**
 * Authorizes calls to the machine-to-machine token host by the subscription key alone, as the caller has no token yet. Called by API
 * Gateway before `machine-token`. Reads subscription keys only.
 */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const key = subscriptionKeyOf(event);
  const { requestId } = event.requestContext;
  const verdict = await logFailure(consoleLog, requestId, verdictOn(key));
  if (verdict.kind === 'refusal') {
    consoleLog('warn', 'call_refused', { requestId, lob: 'M2M', reason: verdict.reason });
  }
  return authorizerResponse(event.methodArn, key, verdict, undefined);
}
