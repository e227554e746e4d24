import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledgeLogPolicy } from './cdk-nag-findings.ts';
import { createServiceRole } from './service-role.ts';

const policy = 'service-role/AmazonAPIGatewayPushToCloudWatchLogs';

/**
 * Creates the role with which API Gateway writes access logs. It is a setting of the whole account and Region, without which no stage with
 * an access log can be created. It is retained when the stack is deleted, because other environments of the account may use it.
 */
export function createGatewayLogRole(scope: Construct): void {
  const role = createServiceRole(scope, 'GatewayLogRole', 'apigateway', [
    ManagedPolicy.fromAwsManagedPolicyName(policy),
  ]);
  acknowledgeLogPolicy(role, policy);
  role.applyRemovalPolicy(RemovalPolicy.RETAIN);
  const account = new CfnAccount(scope, 'GatewayAccount', { cloudWatchRoleArn: role.roleArn });
  account.applyRemovalPolicy(RemovalPolicy.RETAIN);
}
