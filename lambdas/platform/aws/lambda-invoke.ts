/** Invokes Lambda functions through the AWS SDK. */

import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { sdkRetries } from '../runtime/sdk-retries.ts';

/**
 * Invokes one function.
 *
 * @returns the payload of the answer as text; undefined for an asynchronous invocation.
 */
export type LambdaInvoke = (
  invocationType: 'Event' | 'RequestResponse',
  payload: string,
  milliseconds: number,
) => Promise<{ readonly payload: string | undefined; readonly functionError: string | undefined }>;

export function createLambdaInvoke(functionName: string): LambdaInvoke {
  const client = new LambdaClient({ retryStrategy: sdkRetries });
  return async (InvocationType, payload, milliseconds) => {
    const command = new InvokeCommand({
      FunctionName: functionName,
      InvocationType,
      Payload: Buffer.from(payload),
    });
    const { Payload, FunctionError } = await client.send(command, {
      abortSignal: AbortSignal.timeout(milliseconds),
    });
    return { payload: Payload && Buffer.from(Payload).toString('utf8'), functionError: FunctionError };
  };
}
