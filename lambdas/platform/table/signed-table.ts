/** Adapter of the table port that signs its requests itself, for functions on the path of a data or token request. */

import { type AttributeMap, fromAttributeMap, toAttributeMap } from './attribute-values.ts';
import type { DynamoDbOperation, RetryTiming, Send } from './dynamodb-call.ts';
import { createDynamoDbTable } from './dynamodb-table.ts';
import { dynamoDb } from './request-signature.ts';
import { createSignedCalls, type ServiceAccess, serviceAccess } from './signed-calls.ts';
import type { Table } from './table.ts';

/**
 * Creates the table port over signed requests (Signature Version 4), for functions on the path of a data request. A call with the SDK takes
 * several times the CPU, and the SDK adds half a megabyte to the bundle (figures in docs/access-patterns.md).
 */
export function createSignedTable(options: {
  readonly tableName: string;
  readonly access?: ServiceAccess;
  readonly patience?: RetryTiming;
}): Table {
  const codec = { encode: toAttributeMap, decode: (sent: object) => fromAttributeMap(sent as AttributeMap) };
  return createDynamoDbTable({ ...options, codec, send: signedSend(options.access) });
}

/**
 * Reads DynamoDB's endpoint and credentials.
 *
 * @throws Error with the names of missing variables.
 */
export function dynamoDbAccess(source: Readonly<Record<string, string | undefined>>): ServiceAccess {
  return serviceAccess(dynamoDb, 'AWS_ENDPOINT_URL_DYNAMODB', source);
}

/** Sends DynamoDB calls outside of the port. */
export function signedSend(
  access: ServiceAccess = dynamoDbAccess(process.env),
): Send<DynamoDbOperation | 'Scan'> {
  return createSignedCalls(dynamoDb, access);
}
