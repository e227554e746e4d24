/** Client of the environments' `provisioning` functions: sends a command on a client, and tells a failure that may pass from a defect. */

import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { Environment } from '../../catalog/environments.ts';
import type { EnvironmentAnswer, ProvisioningClient } from '../applications/application-ports.ts';
import { environmentDeadlines } from '../catalog/environment-deadlines.ts';

const unavailable: EnvironmentAnswer = { kind: 'refusal', refusal: { code: 'environment_unavailable' } };
const failed: EnvironmentAnswer = {
  kind: 'refusal',
  refusal: { code: 'environment_unavailable', reached: true },
};

/**
 * The environments' `provisioning` functions, invoked by name or ARN. A function that can't be reached, is throttled, doesn't answer in
 * time or ends with a defect is an environment that is away: every act is safe to repeat. Of a defect the answer says that the
 * environment was reached: another request may well succeed.
 *
 * @param functions environment → name or ARN.
 * @throws Error where the portal may not invoke the function: that is a defect of the deployment.
 */
export function createProvisioningClient(
  client: LambdaClient,
  functions: Readonly<Record<Environment, string>>,
): ProvisioningClient {
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
        return JSON.parse(Buffer.from(answer.Payload).toString('utf8')) as EnvironmentAnswer;
      } catch (error) {
        if ((error as { name?: string }).name === 'AccessDeniedException') throw error;
        return unavailable;
      }
    },
  };
}
