import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledgeLogPolicy } from './cdk-nag-findings.ts';

const policy = 'service-role/AmazonAPIGatewayPushToCloudWatchLogs';

/**
 * The role API Gateway writes access logs with: a setting of the whole account and Region, without which no stage with
 * a log can be made. It stays when a stack goes, since other environments of the account may log by it.
 */
export function createGatewayLogRole(scope: Construct): void {
  const role = new Role(scope, 'GatewayLogRole', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policy)],
  });
  acknowledgeLogPolicy(role, policy);
  role.applyRemovalPolicy(RemovalPolicy.RETAIN);
  const account = new CfnAccount(scope, 'GatewayAccount', { cloudWatchRoleArn: role.roleArn });
  account.applyRemovalPolicy(RemovalPolicy.RETAIN);
}
