/** Local EventBridge: calls functions by scheduled rules. */

import { randomUUID } from 'node:crypto';
import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../assembly/resources.ts';
import { mayInvoke } from '../aws/lambda/permissions.ts';
import type { PublishMetric } from '../cloudwatch/metrics.ts';
import { asynchronousInvocations } from '../lambda/asynchronous-invocations.ts';
import type { InvokeFunction } from '../lambda/invocation.ts';

/** The periodic call of a function by an EventBridge rule. */
interface ScheduledCall {
  readonly rule: Resource;
  readonly functionArn: string;
  readonly periodMs: number;
  /** Payload as JSON text; undefined to send EventBridge's own event. */
  readonly input: string | undefined;
}

interface Target {
  readonly Arn?: unknown;
  readonly Input?: unknown;
  readonly InputPath?: unknown;
  readonly InputTransformer?: unknown;
}

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/**
 * Calls functions at the rates of EventBridge rules, until it is stopped. As in AWS the first call follows one period after the start, and
 * functions are invoked asynchronously, so that a failed call is retried.
 *
 * @returns a function that ends the calls.
 * @throws AssemblyError for a rule that could not work because there is no permission to invoke, or that is not supported here.
 */
export function startSchedules(deps: {
  readonly assembly: Assembly;
  readonly invoke: InvokeFunction;
  readonly log: (line: string) => void;
  readonly now?: () => number;
  readonly publish?: PublishMetric;
}): () => void {
  const { assembly, now = Date.now } = deps;
  // Lost events need no retry: each scheduled function continues what earlier calls left.
  const afterwards = 'and the next call of its schedule takes up the work';
  const events = asynchronousInvocations({ ...deps, afterwards });
  const timers = readSchedules(assembly).map(({ rule, functionArn, input, periodMs }) =>
    setInterval(() => events.send(functionArn, input ?? scheduledEvent(rule, now())), periodMs),
  );
  return () => {
    for (const timer of timers) clearInterval(timer);
    events.stop();
  };
}

export function readSchedules(assembly: Assembly): readonly ScheduledCall[] {
  return (
    assembly
      .ofType('AWS::Events::Rule')
      // Rules that only have an event pattern are handled in local/events.
      .filter(({ properties }) => properties.State !== 'DISABLED')
      .filter(
        ({ properties }) =>
          properties.ScheduleExpression !== undefined || properties.EventPattern === undefined,
      )
      .flatMap((rule) => {
        const periodMs = periodOf(rule);
        const targets = (rule.properties.Targets ?? []) as readonly Target[];
        return targets.map((target) => scheduledCall(assembly, rule, target, periodMs));
      })
  );
}

/** The period of a rule's rate expression; cron expressions and event patterns are not supported here. */
function periodOf(rule: Resource): number {
  const expression = String(rule.properties.ScheduleExpression);
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (count === undefined || unit === undefined || rule.properties.EventPattern !== undefined) {
    throw fault(rule, `the schedule ${expression} is not known on one machine`);
  }
  return Number(count) * unitMs[unit as keyof typeof unitMs];
}

function scheduledCall(assembly: Assembly, rule: Resource, target: Target, periodMs: number): ScheduledCall {
  const functionArn = String(target.Arn);
  if (assembly.byArn(functionArn)?.type !== 'AWS::Lambda::Function') {
    throw fault(rule, `its target ${functionArn} is no function of the templates`);
  }
  if (target.InputPath !== undefined || target.InputTransformer !== undefined) {
    throw fault(rule, 'InputPath and InputTransformer are not known on one machine');
  }
  if (!mayInvoke(assembly, 'events.amazonaws.com', functionArn, rule.arn)) {
    throw fault(
      rule,
      'EventBridge may not invoke its function: a Lambda permission for events.amazonaws.com is missing',
    );
  }
  return {
    rule,
    functionArn,
    periodMs,
    input: typeof target.Input === 'string' ? target.Input : undefined,
  };
}

/** EventBridge's own event. Source: EventBridge User Guide, "Scheduled event". */
function scheduledEvent({ arn, account, region }: Resource, now: number): string {
  return JSON.stringify({
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account,
    time: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
    region,
    resources: [arn],
    detail: {},
  });
}

function fault({ stack, logicalId }: Resource, what: string): AssemblyError {
  return new AssemblyError(`stack ${stack}: ${logicalId}: ${what}`);
}
