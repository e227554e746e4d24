/** CDK constructs of Lambda authorizers: of calls that have certain headers, and of every call. */

import { Duration } from 'aws-cdk-lib';
import { IdentitySource, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** Carries the application's key; the description's own name for it, which API Gateway can't read a key from. */
export const subscriptionKeyHeader = 'x-api-subscription-key';

/** Time API Gateway may reuse a policy. The function behind it checks whatever must take effect sooner. */
const cacheSeconds = 30;

/** A REQUEST authorizer that is asked about every call, whatever headers it has: there is nothing to keep a policy by. */
export function openAuthorizer(scope: Construct, id: string, handler: IFunction): RequestAuthorizer {
  return new RequestAuthorizer(scope, id, {
    handler,
    identitySources: [],
    resultsCacheTtl: Duration.seconds(0),
  });
}

/** A REQUEST authorizer that needs these headers: without one of them the gateway answers 401 by itself. */
export function requestAuthorizer(
  scope: Construct,
  id: string,
  handler: IFunction,
  headers: readonly string[],
): RequestAuthorizer {
  return new RequestAuthorizer(scope, id, {
    handler,
    identitySources: headers.map((name) => IdentitySource.header(name)),
    resultsCacheTtl: Duration.seconds(cacheSeconds),
  });
}
