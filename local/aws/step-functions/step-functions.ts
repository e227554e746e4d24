import * as z from 'zod/mini';
import { AwsError } from '../aws-error.ts';
import { operation, type Service } from '../service.ts';
import type { Executions } from './executions.ts';

const startExecution = z.strictObject({ stateMachineArn: z.string(), input: z._default(z.string(), '{}') });

/** Step Functions' StartExecution, of the state machines the templates declare. */
export function stepFunctions(executions: Executions): Service {
  return {
    operations: {
      StartExecution: operation(startExecution, {
        action: 'states:StartExecution',
        resource({ stateMachineArn }) {
          if (executions.has(stateMachineArn)) return stateMachineArn;
          throw new AwsError(
            'StateMachineDoesNotExist',
            `State Machine Does Not Exist: '${stateMachineArn}'`,
          );
        },
        run: ({ stateMachineArn, input }) => executions.start(stateMachineArn, input),
      }),
    },
  };
}
