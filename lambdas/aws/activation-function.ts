/** Client of the Lambda function `activation`, which sends verification codes and sets passwords. */

import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  type ActivationAnswer,
  activationAnswer,
  type CodeRequest,
  type PasswordRequest,
} from '../oauth/activation/activation-contract.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { StoreUnavailable } from '../table/table.ts';

/** Invokes the function `activation`: for codes without waiting for it, for a password with its answer. @throws StoreUnavailable */
export function createActivationFunction(
  functionName: string,
  client: LambdaClient = new LambdaClient({ retryStrategy: sdkRetries }),
) {
  async function invoke(
    InvocationType: 'Event' | 'RequestResponse',
    request: CodeRequest | PasswordRequest,
    milliseconds: number,
  ) {
    const Payload = Buffer.from(JSON.stringify(request));
    const command = new InvokeCommand({ FunctionName: functionName, InvocationType, Payload });
    try {
      return await client.send(command, { abortSignal: AbortSignal.timeout(milliseconds) });
    } catch (error) {
      throw new StoreUnavailable(error);
    }
  }
  return {
    async sendCode(request: CodeRequest): Promise<void> {
      await invoke('Event', request, 2_000);
    },
    async setPassword(request: PasswordRequest): Promise<ActivationAnswer> {
      const { Payload, FunctionError } = await invoke('RequestResponse', request, 8_000);
      if (FunctionError !== undefined || Payload === undefined) {
        throw new StoreUnavailable(new Error(`activation failed: ${FunctionError}`));
      }
      return activationAnswer.parse(JSON.parse(Buffer.from(Payload).toString('utf8')));
    },
  };
}
