/** Adapter of the table port over the AWS SDK's document client. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import {
  attemptTimeoutMs,
  CallFailed,
  type DynamoDbOperation,
  type RetryTiming,
  type Send,
} from './dynamodb-call.ts';
import { createDynamoDbTable, type ItemCodec } from './dynamodb-table.ts';
import type { Item, Table } from './table.ts';

/**
 * Creates the port over the AWS SDK's document client, for functions that have the SDK in their bundle anyway. Region,
 * credentials and endpoint (`AWS_ENDPOINT_URL_DYNAMODB`) are the SDK's own, from the function's environment.
 */
export function createSdkTable(options: {
  readonly tableName: string;
  readonly client?: DynamoDBClient;
  readonly patience?: RetryTiming;
}): Table {
  // One attempt a call: how often is decided in one place for both adapters (`callWithRetries`).
  const client = options.client ?? new DynamoDBClient({ maxAttempts: 1 });
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  return createDynamoDbTable({ ...options, codec: asIs, send: sendBySdk(documents) });
}

/** The document client converts values itself. */
const asIs: ItemCodec = { encode: (item) => item, decode: (sent) => sent as Item };

/** The requests are built in the API's own shape, which is the commands' input. */
const commands: Readonly<Record<DynamoDbOperation, (input: never) => object>> = {
  GetItem: (input) => new GetCommand(input),
  BatchGetItem: (input) => new BatchGetCommand(input),
  Query: (input) => new QueryCommand(input),
  PutItem: (input) => new PutCommand(input),
  UpdateItem: (input) => new UpdateCommand(input),
  TransactWriteItems: (input) => new TransactWriteCommand(input),
};

function sendBySdk(client: DynamoDBDocumentClient): Send {
  return async (operation, input) => {
    try {
      const answer = await client.send(commands[operation](input as never) as GetCommand, {
        abortSignal: AbortSignal.timeout(attemptTimeoutMs),
      });
      return { ...answer };
    } catch (error) {
      throw callFailed(error);
    }
  };
}

interface SdkError {
  readonly name?: string;
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/**
 * An error of the connection has Node's `code`, whatever status came before a body was cut short. Another one with an error's
 * status is DynamoDB's. One of the time limit or of a good answer cut short is no answer; the rest is a defect.
 */
function callFailed(error: unknown): unknown {
  const { name = 'Error', code, $metadata, CancellationReasons = [] } = error as SdkError;
  const status = $metadata?.httpStatusCode;
  if (typeof code !== 'string' && status !== undefined && status >= 400) {
    const reasons = CancellationReasons.map((reason) => reason.Code ?? 'None');
    return new CallFailed(name, status, reasons, error);
  }
  const unanswered =
    status !== undefined || typeof code === 'string' || name === 'TimeoutError' || name === 'AbortError';
  return unanswered ? new CallFailed('NoAnswer', 0, [], error) : error;
}
