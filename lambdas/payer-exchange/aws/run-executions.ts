/** Starts executions of the state machine of runs. */

import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { BeginRunsDependencies } from '../runs/begin-runs.ts';

/** @param stateMachineArn ARN of the state machine of runs */
export function createRunExecutions(
  client: SFNClient,
  stateMachineArn: string,
): BeginRunsDependencies['start'] {
  return async ({ lob, runId }) => {
    try {
      await client.send(
        new StartExecutionCommand({ stateMachineArn, name: runId, input: JSON.stringify({ lob, runId }) }),
      );
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  };
}
