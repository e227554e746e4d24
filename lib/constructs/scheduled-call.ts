/** Functions that EventBridge calls on a schedule. */

import type { Duration } from 'aws-cdk-lib';
import { type CfnRule, Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';

export interface ScheduledCall {
  readonly function: IFunction;
  /** Description of the schedule: what the calls are for. */
  readonly description: string;
  readonly every: Duration;
  /**
   * `action` of the event that the function gets.
   *
   * @default EventBridge's own event
   */
  readonly action?: string;
  /**
   * Time after which an undelivered call is dropped.
   *
   * @default until the next call
   */
  readonly maxEventAge?: Duration;
  /**
   * Number of retries.
   *
   * @default 2, like Lambda's own
   */
  readonly retryAttempts?: number;
  /** Gets alarms on calls that can't be delivered, wait too long or are dropped. */
  readonly alarms: Alarms;
}

/** Calls a function at a fixed rate. Source: "Schedule expressions", EventBridge user guide. */
export function callOnSchedule(scope: Construct, id: string, call: ScheduledCall): void {
  const { description, every, action, maxEventAge = every, retryAttempts = 2, alarms } = call;
  const event = action === undefined ? {} : { event: RuleTargetInput.fromObject({ action }) };
  const rule = new Rule(scope, id, {
    description,
    schedule: Schedule.rate(every),
    targets: [new LambdaFunction(call.function, { ...event, retryAttempts, maxEventAge })],
  });
  alarms.deliveries(rule, rule.node.defaultChild as CfnRule, description);
  alarms.events(call.function);
}
