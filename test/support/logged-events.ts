import { FilterLogEventsCommand, type FilterLogEventsCommandInput } from '@aws-sdk/client-cloudwatch-logs';
import type { AwsStub } from 'aws-sdk-client-mock';
import { compileLogFilter } from '../../local/aws/logs/log-filter.ts';

export interface LoggedEvent {
  readonly timestamp: number;
  readonly message: string;
}

/**
 * A line of API Gateway's access log.
 *
 * @param loggedAfterMs milliseconds between the request and its line
 */
export function event(
  time: number,
  more: Readonly<Record<string, string>> = {},
  loggedAfterMs = 0,
): LoggedEvent {
  const message = JSON.stringify({
    ...{ time: String(time), requestId: `r${time}`, host: 'dsnp.api.example.org', method: 'GET' },
    ...{ route: '/Patient/{id}', status: '200', responseType: '-', reason: '-', latencyMs: '12' },
    ...{ clientId: 'client-1', apiKeyId: 'key-1', ...more },
  });
  return { timestamp: time + loggedAfterMs, message };
}

/**
 * Answers FilterLogEvents from log groups in memory, newest first. Each page looks at a limited number of events, as in AWS, so a page may
 * be empty although more follow.
 */
export function answerWith(
  // biome-ignore lint/suspicious/noExplicitAny: the stub's own parameters
  stub: AwsStub<any, any, any>,
  groups: Readonly<Record<string, readonly LoggedEvent[]>>,
  lookedAt = 1_000,
): void {
  stub.on(FilterLogEventsCommand).callsFake((input: FilterLogEventsCommandInput) => {
    const { logGroupName = '', startTime = 0, endTime = 0, limit = 10_000, nextToken = '0' } = input;
    if (input.startFromHead !== false) throw new Error('not newest first');
    const meets = compileLogFilter(input.filterPattern ?? '');
    const matches = ({ message }: LoggedEvent) => meets(message);
    const within = (groups[logGroupName] ?? [])
      .filter(({ timestamp }) => timestamp >= startTime && timestamp <= endTime)
      .sort((one, other) => other.timestamp - one.timestamp);
    const found: LoggedEvent[] = [];
    let at = Number(nextToken);
    for (const last = at + lookedAt; at < within.length && at < last && found.length < limit; at += 1) {
      const each = within[at];
      if (each !== undefined && matches(each)) found.push(each);
    }
    return { events: found, ...(at < within.length && { nextToken: String(at) }) };
  });
}
