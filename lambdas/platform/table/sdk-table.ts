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
 * Creates the table port over the AWS SDK's document client, for functions that have the SDK in their bundle anyway. The SDK gets Region,
 * credentials and endpoint (`AWS_ENDPOINT_URL_DYNAMODB`) from the function's environment.
 */
export function createSdkTable(options: {
  readonly tableName: string;
  readonly client?: DynamoDBClient;
  readonly patience?: RetryTiming;
}): Table {
  // The SDK makes one attempt, because `callWithRetries` repeats calls for both adapters.
  const client = options.client ?? new DynamoDBClient({ maxAttempts: 1 });
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  return createDynamoDbTable({ ...options, codec: asIs, send: sendBySdk(documents) });
}

/** The document client converts values by itself. */
const asIs: ItemCodec = { encode: (item) => item, decode: (sent) => sent as Item };

/** Commands by operation. Their inputs have the shape of the API's requests. */
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
 * Converts an error of the SDK. An error with Node's `code` is a failed connection, even if a status arrived before the body was cut short.
 * Another error with an error status is DynamoDB's. A timeout, or a successful response cut short, counts as no answer. Any other error is
 * a defect.
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
