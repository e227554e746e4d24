/** Constructs of Lambda authorizers: one for calls with certain headers, and one for all calls. */

import { Duration } from 'aws-cdk-lib';
import { IdentitySource, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/**
 * The header with an application's subscription key. Its name is part of the service description; API Gateway can't read an API key from
 * it.
 */
export const subscriptionKeyHeader = 'x-api-subscription-key';

/** Seconds for which API Gateway may reuse a policy. The functions themselves check everything that must take effect sooner. */
const cacheSeconds = 30;

/**
 * Creates a REQUEST authorizer that is called for every request. It needs no header, so there is no key by which a policy could be cached.
 */
export function openAuthorizer(scope: Construct, id: string, handler: IFunction): RequestAuthorizer {
  return new RequestAuthorizer(scope, id, {
    handler,
    identitySources: [],
    resultsCacheTtl: Duration.seconds(0),
  });
}

/** Creates a REQUEST authorizer that needs these headers: API Gateway itself responds 401 if one is missing. */
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
