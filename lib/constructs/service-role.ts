/** Roles that services of AWS assume. */

import { Stack } from 'aws-cdk-lib';
import { type IManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** Service that assumes a role, by the name before `.amazonaws.com`. */
type AssumingService = 'apigateway' | 'backup' | 'codedeploy' | 'events' | 'lambda' | 's3' | 'states';

/**
 * Creates a role that a service may assume for resources of this account only: a service that acts for another customer's resource can't use
 * it (the confused deputy). AWS does not document whether API Gateway sends the account when it writes logs, so there the condition holds
 * where it does.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html#cross-service-confused-deputy-prevention
 */
export function createServiceRole(
  scope: Construct,
  id: string,
  service: AssumingService,
  managedPolicies: IManagedPolicy[] = [],
): Role {
  const operator = service === 'apigateway' ? 'StringEqualsIfExists' : 'StringEquals';
  return new Role(scope, id, {
    assumedBy: new ServicePrincipal(`${service}.amazonaws.com`, {
      conditions: { [operator]: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
    managedPolicies,
  });
}
