/** Invokes a function of each environment, and distinguishes an environment that is away from a defect of the deployment. */

import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { Environment } from '../../catalog/environments.ts';
import type { EnvironmentAway, EnvironmentInvoker } from '../applications/application-ports.ts';
import { environmentDeadlines } from '../catalog/environment-deadlines.ts';

const unavailable: EnvironmentAway = { kind: 'refusal', refusal: { code: 'environment_unavailable' } };
const failed: EnvironmentAway = {
  kind: 'refusal',
  refusal: { code: 'environment_unavailable', reached: true },
};

/**
 * Creates the invoker of a function of each environment (`provisioning`, `job-operations`). If the function cannot be reached, is
 * throttled, does not answer in time or fails, the answer is `environment_unavailable`, and the request can be repeated safely. `reached`
 * is set if the function failed: the environment was reached, so another request may well succeed.
 *
 * @param functions environment → name or ARN.
 * @throws Error where the portal may not invoke the function, which is a defect of the deployment.
 */
export function createEnvironmentInvoker<Request, Answer>(
  client: LambdaClient,
  functions: Readonly<Record<Environment, string>>,
): EnvironmentInvoker<Request, Answer> {
  return {
    async send(environment, request) {
      const command = new InvokeCommand({
        FunctionName: functions[environment],
        Payload: Buffer.from(JSON.stringify(request)),
      });
      try {
        const answer = await client.send(command, {
          abortSignal: AbortSignal.timeout(environmentDeadlines.answerMs),
        });
        if (answer.FunctionError !== undefined || answer.Payload === undefined) return failed;
        return JSON.parse(Buffer.from(answer.Payload).toString('utf8')) as Answer;
      } catch (error) {
        if ((error as { name?: string }).name === 'AccessDeniedException') throw error;
        return unavailable;
      }
    },
  };
}
