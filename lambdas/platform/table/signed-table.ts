/** Adapter of the table port that signs its requests itself, for functions that a data request or token waits for. */

import { type AttributeMap, fromAttributeMap, toAttributeMap } from './attribute-values.ts';
import type { DynamoDbOperation, RetryTiming, Send } from './dynamodb-call.ts';
import { createDynamoDbTable } from './dynamodb-table.ts';
import { dynamoDb } from './request-signature.ts';
import { createSignedCalls, type ServiceAccess, serviceAccess } from './signed-calls.ts';
import type { Table } from './table.ts';

/**
 * The port by requests signed by hand (Signature Version 4), for the functions a data request waits for: an SDK call
 * costs them several times the CPU, and the SDK half a megabyte of bundle (docs/access-patterns.md has the figures).
 */
export function createSignedTable(options: {
  readonly tableName: string;
  readonly access?: ServiceAccess;
  readonly patience?: RetryTiming;
}): Table {
  const codec = { encode: toAttributeMap, decode: (sent: object) => fromAttributeMap(sent as AttributeMap) };
  return createDynamoDbTable({ ...options, codec, send: signedSend(options.access) });
}

/** @throws Error naming the variables that are missing. */
export function dynamoDbAccess(source: Readonly<Record<string, string | undefined>>): ServiceAccess {
  return serviceAccess(dynamoDb, 'AWS_ENDPOINT_URL_DYNAMODB', source);
}

/** One way of sending a call, for what is no part of the port. */
export function signedSend(
  access: ServiceAccess = dynamoDbAccess(process.env),
): Send<DynamoDbOperation | 'Scan'> {
  return createSignedCalls(dynamoDb, access);
}
