import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  attemptTimeoutMs,
  CallFailed,
  type DynamoDbOperation,
  type Patience,
  type Send,
} from './dynamodb-call.ts';
import { createDynamoDbTable } from './dynamodb-table.ts';
import type { Table } from './table.ts';

/**
 * The port over the AWS SDK's client, for functions that have the SDK in their bundle anyway. Region, credentials and
 * endpoint (`AWS_ENDPOINT_URL_DYNAMODB`) are the SDK's own, from the function's environment.
 */
export function createSdkTable(options: {
  readonly tableName: string;
  readonly client?: DynamoDBClient;
  readonly patience?: Patience;
}): Table {
  // One attempt a call: how often is decided in one place for both adapters (`attempt`).
  const client = options.client ?? new DynamoDBClient({ maxAttempts: 1 });
  return createDynamoDbTable({ ...options, send: sendBySdk(client) });
}

/** The requests are built in the API's own shape, which is the commands' input. */
const commands: Readonly<Record<DynamoDbOperation, (input: never) => object>> = {
  GetItem: (input) => new GetItemCommand(input),
  BatchGetItem: (input) => new BatchGetItemCommand(input),
  Query: (input) => new QueryCommand(input),
  PutItem: (input) => new PutItemCommand(input),
  UpdateItem: (input) => new UpdateItemCommand(input),
  TransactWriteItems: (input) => new TransactWriteItemsCommand(input),
};

function sendBySdk(client: DynamoDBClient): Send {
  return async (operation, input) => {
    try {
      const answer = await client.send(commands[operation](input as never) as GetItemCommand, {
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
