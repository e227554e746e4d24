/** Client of the Lambda function `activation`, which sends verification codes and sets passwords. */

import type { LambdaInvoke } from '../../platform/aws/lambda-invoke.ts';
import { StoreUnavailable } from '../../platform/table/table.ts';
import {
  type ActivationAnswer,
  activationAnswer,
  type CodeRequest,
  type PasswordRequest,
} from '../activation/activation-contract.ts';

/**
 * Invokes the function `activation`: asynchronously to send a code, synchronously to set a password.
 *
 * @throws StoreUnavailable
 */
export function createActivationFunction(invokeFunction: LambdaInvoke) {
  async function invoke(
    invocationType: 'Event' | 'RequestResponse',
    request: CodeRequest | PasswordRequest,
    milliseconds: number,
  ) {
    try {
      return await invokeFunction(invocationType, JSON.stringify(request), milliseconds);
    } catch (error) {
      throw new StoreUnavailable(error);
    }
  }
  return {
    async sendCode(request: CodeRequest): Promise<void> {
      await invoke('Event', request, 2_000);
    },
    async setPassword(request: PasswordRequest): Promise<ActivationAnswer> {
      const { payload, functionError } = await invoke('RequestResponse', request, 8_000);
      if (functionError !== undefined || payload === undefined) {
        throw new StoreUnavailable(new Error(`activation failed: ${functionError}`));
      }
      return activationAnswer.parse(JSON.parse(payload));
    },
  };
}
