/** KMS keys of a stack. */

import { RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';

/** Creates a key that is retained when its stack is deleted, because data encrypted with it can't be read without it. */
export function createKey(stack: Stack, id: string, description: string): Key {
  return new Key(stack, id, { description, enableKeyRotation: true, removalPolicy: RemovalPolicy.RETAIN });
}

/** Creates the key of a stage's logs, which CloudWatch Logs may use for log groups of this account. */
export function createLogKey(stack: Stack): Key {
  const key = createKey(stack, 'LogKey', 'Logs');
  const logs = new ServicePrincipal(`logs.${stack.region}.amazonaws.com`, {
    conditions: {
      // The encryption context contains the log group's ARN, and with it the account. AWS does not document whether CloudWatch Logs sends
      // the source account too.
      ArnLike: { 'kms:EncryptionContext:aws:logs:arn': `arn:aws:logs:${stack.region}:${stack.account}:*` },
      StringEqualsIfExists: { 'aws:SourceAccount': stack.account },
    },
  });
  // @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
  key.grantEncryptDecrypt(logs);
  key.grant(logs, 'kms:DescribeKey');
  return key;
}
