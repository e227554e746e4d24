import { RemovalPolicy, type Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  TableEncryptionV2,
  TableV2,
  type WarmThroughput,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';

/** Creates the table of an environment or the portal: on-demand, with point-in-time recovery, retained when its stack is deleted. */
export function createSingleTable(
  stack: Stack,
  encryptionKey: IKey,
  globalSecondaryIndexes: GlobalSecondaryIndexPropsV2[] = [],
  warmThroughput?: WarmThroughput,
): TableV2 {
  const warm = warmThroughput === undefined ? {} : { warmThroughput };
  return new TableV2(stack, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billing: Billing.onDemand(),
    encryption: TableEncryptionV2.customerManagedKey(encryptionKey),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: 'ttl',
    // A write to the table also waits for its index, so the index gets the same throughput.
    globalSecondaryIndexes: globalSecondaryIndexes.map((index) => ({ ...index, ...warm })),
    ...warm,
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
}
