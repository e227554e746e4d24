/** Functions that EventBridge calls on a schedule. */

import type { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

export interface ScheduledCall {
  readonly function: IFunction;
  readonly description: string;
  readonly every: Duration;
  /** `action` of the event. @default EventBridge's own event */
  readonly action?: string;
  /** Time after which a call that could not be made is given up. @default until the next one */
  readonly maxEventAge?: Duration;
  /** @default 2, as many as Lambda makes */
  readonly retryAttempts?: number;
}

/** Calls a function at a fixed rate. Source: "Schedule expressions", EventBridge user guide. */
export function callOnSchedule(scope: Construct, id: string, call: ScheduledCall): void {
  const { description, every, action, maxEventAge = every, retryAttempts = 2 } = call;
  const event = action === undefined ? {} : { event: RuleTargetInput.fromObject({ action }) };
  new Rule(scope, id, {
    description,
    schedule: Schedule.rate(every),
    targets: [new LambdaFunction(call.function, { ...event, retryAttempts, maxEventAge })],
  });
}
