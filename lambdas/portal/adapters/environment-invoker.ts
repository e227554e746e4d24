/** Invokes a function of each environment, and tells a failure that may pass from a defect. */

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
 * A function of each environment (`provisioning`, `job-operations`), invoked by name or ARN. A function that can't be reached, is throttled, doesn't answer in
 * time or ends with a defect is an environment that is away: every act is safe to repeat. Of a defect the answer says that the
 * environment was reached: another request may well succeed.
 *
 * @param functions environment → name or ARN.
 * @throws Error where the portal may not invoke the function: that is a defect of the deployment.
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
