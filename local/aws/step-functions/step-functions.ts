/** Local Step Functions: the operations of its API. */

import * as z from 'zod/mini';
import { AwsError } from '../protocol/aws-error.ts';
import { operation, type Service } from '../protocol/service.ts';
import type { Executions } from './executions.ts';

const startExecution = z.strictObject({
  stateMachineArn: z.string(),
  input: z._default(z.string(), '{}'),
  name: z.optional(z.string().check(z.regex(/^[\w-]{1,80}$/))),
});

const describeExecution = z.strictObject({ executionArn: z.string() });

const stopExecution = z.strictObject({
  executionArn: z.string(),
  error: z.optional(z.string()),
  cause: z.optional(z.string()),
});

/** StartExecution, StopExecution and DescribeExecution, for the state machines of the templates. */
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
        run({ stateMachineArn, input, name }) {
          const started = executions.start(stateMachineArn, input, name);
          if (started !== undefined) return started;
          throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${name}'`);
        },
      }),
      StopExecution: operation(stopExecution, {
        action: 'states:StopExecution',
        resource: ({ executionArn }) => executionArn,
        run({ executionArn }) {
          if (executions.describe(executionArn) === undefined)
            throw new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
          executions.abort(executionArn);
          return { stopDate: Date.now() / 1_000 };
        },
      }),
      DescribeExecution: operation(describeExecution, {
        action: 'states:DescribeExecution',
        resource: ({ executionArn }) => executionArn,
        run({ executionArn }) {
          const found = executions.describe(executionArn);
          if (found !== undefined) return { executionArn, ...found };
          throw new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
        },
      }),
    },
  };
}
