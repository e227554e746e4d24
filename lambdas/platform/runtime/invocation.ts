/** Entry point of functions that are invoked directly, without HTTP. */

import { systemClock } from './clock.ts';
import { beginInvocation } from './invocation-deadline.ts';
import { consoleLog, type Log } from './log.ts';

/** Handler of a function that is invoked directly: takes a payload, returns an answer. */
export type DirectInvocation<Answer> = (payload: unknown, context?: InvocationContext) => Promise<Answer>;

interface InvocationContext {
  readonly awsRequestId?: string;
  readonly getRemainingTimeInMillis?: () => number;
}

/**
 * Hides defects from the caller: Lambda returns the message and stack of a thrown error, so an error with a constant message and no stack
 * is thrown instead. The log line has the request ID and the error's name.
 */
export function guardInvocation<Answer>(
  name: string,
  carryOut: (payload: unknown) => Promise<Answer>,
  log: Log = consoleLog,
): DirectInvocation<Answer> {
  return async (payload, context) => {
    beginInvocation(context?.getRemainingTimeInMillis?.(), systemClock());
    try {
      return await carryOut(payload);
    } catch (error) {
      const requestId = context?.awsRequestId;
      log('error', 'defect', {
        route: name,
        errorName: error instanceof Error ? error.name : 'Error',
        ...(requestId === undefined ? {} : { requestId }),
      });
      const defect = new Error(`${name} could not be carried out; repeating the same request is safe`);
      defect.stack = '';
      throw defect;
    }
  };
}
