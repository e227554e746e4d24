/** Local CloudWatch Logs: the operations `FilterLogEvents` and `PutLogEvents`. */

import * as z from 'zod/mini';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import { AwsError } from '../protocol/aws-error.ts';
import { operation, type Service } from '../protocol/service.ts';
import { compileLogFilter } from './log-filter.ts';
import type { LogEvent, LogStore } from './log-store.ts';

const time = z.optional(z.int().check(z.minimum(0)));
const filterLogEvents = z.strictObject({
  logGroupName: z.optional(z.string().check(z.minLength(1), z.maxLength(512))),
  logGroupIdentifier: z.optional(z.string().check(z.minLength(1), z.maxLength(2048))),
  startTime: time,
  endTime: time,
  filterPattern: z.optional(z.string().check(z.maxLength(1024))),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
  nextToken: z.optional(z.string()),
  startFromHead: z.optional(z.boolean()),
});
type FilterLogEvents = z.infer<typeof filterLogEvents>;

const putLogEvents = z.strictObject({
  logGroupName: z.string().check(z.minLength(1), z.maxLength(512)),
  logStreamName: z.string().check(z.minLength(1), z.maxLength(512)),
  logEvents: z
    .array(
      z.strictObject({
        timestamp: z.int().check(z.minimum(0)),
        message: z.string().check(z.minLength(1), z.maxLength(262_144)),
      }),
    )
    .check(z.minLength(1), z.maxLength(10_000)),
});

/** PutLogEvents refuses events more than two hours ahead, or older than two weeks. */
const aheadMs = 2 * 3_600_000;
const oldestMs = 14 * 86_400_000;

/**
 * FilterLogEvents for the log groups of the templates, each read as one stream, and PutLogEvents into the streams of the templates. There
 * is no delete operation: events are removed by age and number only (`log-store.ts`).
 */
export function logs(assembly: Assembly, store: LogStore, now: () => number): Service {
  const groups = assembly.ofType('AWS::Logs::LogGroup');
  const streams = assembly.ofType('AWS::Logs::LogStream');

  function groupOf({
    logGroupName,
    logGroupIdentifier,
  }: Pick<FilterLogEvents, 'logGroupName' | 'logGroupIdentifier'>): Resource {
    if ((logGroupName === undefined) === (logGroupIdentifier === undefined)) {
      throw new AwsError(
        'InvalidParameterException',
        'Exactly one of logGroupName and logGroupIdentifier must be specified.',
      );
    }
    const wanted = logGroupName ?? logGroupIdentifier;
    const found = groups.find(
      (group) => group.physicalId === wanted || (logGroupIdentifier !== undefined && arnOf(group) === wanted),
    );
    if (found !== undefined) return found;
    throw notFound();
  }

  return {
    operations: {
      FilterLogEvents: operation(
        filterLogEvents,
        {
          action: 'logs:FilterLogEvents',
          // Policies must name the streams of a group: `…:log-group:<name>:*`.
          resource: (input) => `${arnOf(groupOf(input))}:log-stream:`,
          run(input, caller) {
            const group = groupOf(input);
            // A group of another account does not exist for the caller, whatever its policies say.
            if (caller.everyAccount !== true && caller.account !== group.account) throw notFound();
            const matches = compileLogFilter(input.filterPattern ?? '');
            const { startTime = 0, endTime = Number.POSITIVE_INFINITY } = input;
            const direction = directionOf(input);
            const within = store
              .read(group.physicalId)
              .filter(({ timestamp }) => timestamp >= startTime && timestamp <= endTime);
            return pageOf(direction === 'newest' ? within.reverse() : within, matches, {
              ...input,
              direction,
            });
          },
        },
        'InvalidParameterException',
      ),
      PutLogEvents: operation(
        putLogEvents,
        {
          action: 'logs:PutLogEvents',
          resource: (input) => `${arnOf(groupOf(input))}:log-stream:${input.logStreamName}`,
          run({ logEvents, ...input }) {
            const group = groupOf(input);
            const isThere = streams.some(
              ({ physicalId, properties }) =>
                physicalId === input.logStreamName && properties.LogGroupName === group.physicalId,
            );
            if (!isThere)
              throw new AwsError('ResourceNotFoundException', 'The specified log stream does not exist.');
            const times = logEvents.map(({ timestamp }) => timestamp);
            if (times.some((timestamp, at) => timestamp < (times[at - 1] ?? 0))) {
              throw new AwsError(
                'InvalidParameterException',
                'Log events in a single PutLogEvents request must be in chronological order.',
              );
            }
            const tooOld = times.filter((timestamp) => timestamp < now() - oldestMs).length;
            const tooNew = times.findIndex((timestamp) => timestamp > now() + aheadMs);
            for (const { timestamp, message } of logEvents.slice(tooOld, tooNew < 0 ? undefined : tooNew)) {
              store.write(group.physicalId, timestamp, message);
            }
            const rejected = {
              ...(tooOld > 0 && { tooOldLogEventEndIndex: tooOld }),
              ...(tooNew >= 0 && { tooNewLogEventStartIndex: tooNew }),
            };
            return Object.keys(rejected).length === 0 ? {} : { rejectedLogEventsInfo: rejected };
          },
        },
        'InvalidParameterException',
      ),
    },
  };
}

function notFound(): AwsError {
  return new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
}

/** A log group's ARN without the `:*` that CloudFormation's attribute ends with. */
function arnOf({ arn }: Resource): string {
  return arn.replace(/:\*$/, '');
}

/** Time since which FilterLogEvents can return the newest events first. */
const newestFirstSince = Date.UTC(2024, 0, 1);

const tokenForm = /^(newest|oldest)\.(\d+)$/;

/** The direction of a page. A token continues in its own direction, whatever the request's other parameters. */
function directionOf({ startTime = 0, startFromHead = true, nextToken }: FilterLogEvents): Direction {
  if (!startFromHead && startTime < newestFirstSince) {
    throw new AwsError(
      'InvalidParameterException',
      'startFromHead false is supported only when startTime is on or after Jan 1, 2024 00:00:00 UTC.',
    );
  }
  if (nextToken === undefined) return startFromHead ? 'oldest' : 'newest';
  const [, direction] = tokenForm.exec(nextToken) ?? [];
  if (direction === undefined) throw invalidToken();
  return direction as Direction;
}

type Direction = 'newest' | 'oldest';

function invalidToken(): AwsError {
  return new AwsError('InvalidParameterException', 'The specified nextToken is invalid.');
}

/**
 * Most events that are examined for a page. CloudWatch Logs documents no number, but says that a response "can return empty results while
 * there are more log events available through the token". A caller that stopped at an empty page would fail here too, and not only with a
 * large group in AWS.
 */
const lookedAt = 1_000;

function pageOf(
  events: readonly LogEvent[],
  matches: (message: string) => boolean,
  { limit = 10_000, nextToken, direction }: FilterLogEvents & { readonly direction: Direction },
): unknown {
  const after = events.findIndex(({ id }) => tokenOf(direction, id) === nextToken);
  if (nextToken !== undefined && after < 0) throw invalidToken();
  const found: LogEvent[] = [];
  let last: LogEvent | undefined;
  for (const event of events.slice(after + 1, after + 1 + lookedAt)) {
    if (found.length === limit) break;
    last = event;
    if (matches(event.message)) found.push(event);
  }
  return {
    events: found.map(({ id, timestamp, message }) => ({
      logStreamName: 'local',
      timestamp,
      message,
      ingestionTime: timestamp,
      eventId: String(id),
    })),
    searchedLogStreams: [],
    ...(last === undefined || last === events.at(-1) ? {} : { nextToken: tokenOf(direction, last.id) }),
  };
}

function tokenOf(direction: Direction, id: number): string {
  return `${direction}.${id}`;
}
