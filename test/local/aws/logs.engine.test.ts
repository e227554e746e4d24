import {
  CloudWatchLogsClient,
  DescribeMetricFiltersCommand,
  FilterLogEventsCommand,
  type FilterLogEventsCommandInput,
  PutLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, allow, assembly, region, resource, role } from './declarations.ts';
import { type Started, started } from './started.ts';

const arnOf = (name: string) => `arn:aws:logs:${region}:${account}:log-group:${name}`;
const group = (name: string) =>
  resource('AWS::Logs::LogGroup', name, {}, { physicalId: name, arn: `${arnOf(name)}:*` });

describe('CloudWatch Logs FilterLogEvents', () => {
  let endpoint: Started;
  let client: CloudWatchLogsClient;
  const start = Date.now() - 60_000;
  beforeAll(async () => {
    endpoint = await started({
      assembly: assembly(
        role(
          allow('logs:FilterLogEvents', `${arnOf('access')}:*`),
          // A log group's ARN without the part after its name allows nothing: a common mistake, which is refused here as in AWS.
          allow('logs:FilterLogEvents', arnOf('other')),
          allow('logs:FilterLogEvents', `${arnOf('outside')}:*`),
        ),
        group('access'),
        group('other'),
        group('busy'),
        { ...group('outside'), account: '999999999999' },
      ),
    });
    client = new CloudWatchLogsClient(endpoint.asOperator);
    for (let count = 0; count < 5; count += 1) {
      const message = JSON.stringify({ status: count === 3 ? '429' : '200', key: `k${count % 2}` });
      endpoint.writeLog('access', start + count * 1_000, message);
    }
  });
  afterAll(() => endpoint.stopAndForget());

  const filter = async (input: FilterLogEventsCommandInput, as = client) =>
    await as.send(new FilterLogEventsCommand(input));

  it('gives the events of a time that match', async () => {
    const { events } = await filter({
      logGroupName: 'access',
      startTime: start + 1_000,
      endTime: start + 3_000,
      filterPattern: '{ $.key = "k1" }',
    });
    expect(events?.map(({ timestamp }) => timestamp)).toEqual([start + 1_000, start + 3_000]);
    expect(JSON.parse(events?.[1]?.message ?? '')).toEqual({ status: '429', key: 'k1' });
  });

  it('gives them page by page', async () => {
    const seen: (string | undefined)[] = [];
    let nextToken: string | undefined;
    do {
      const page = await filter({
        logGroupIdentifier: arnOf('access'),
        limit: 2,
        ...(nextToken === undefined ? {} : { nextToken }),
      });
      seen.push(...(page.events ?? []).map(({ eventId }) => eventId));
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
    expect(seen).toEqual(['1', '2', '3', '4', '5']);
  });

  it('gives the newest first where that is asked for, page by page, in the direction of the token', async () => {
    const newestFirst = { logGroupName: 'access', startTime: start, startFromHead: false, limit: 2 };
    const seen: (string | undefined)[] = [];
    let page = await filter(newestFirst);
    for (;;) {
      seen.push(...(page.events ?? []).map(({ eventId }) => eventId));
      if (page.nextToken === undefined) break;
      // The token decides the direction of the next page, whatever `startFromHead` is.
      page = await filter({ ...newestFirst, startFromHead: seen.length < 3, nextToken: page.nextToken });
    }
    expect(seen).toEqual(['5', '4', '3', '2', '1']);
  });

  it('may give an empty page, and a token for what follows', async () => {
    for (let count = 0; count < 1_500; count += 1)
      endpoint.writeLog('busy', start + count, JSON.stringify({ key: 'k' }));
    endpoint.writeLog('busy', start + 1_500, JSON.stringify({ key: 'wanted' }));
    const wanted = { logGroupName: 'busy', filterPattern: '{ $.key = "wanted" }' };
    const { events, nextToken } = await filter(wanted);
    expect(events).toEqual([]);
    const next = await filter({ ...wanted, ...(nextToken === undefined ? {} : { nextToken }) });
    expect([next.events?.length, next.nextToken]).toEqual([1, undefined]);
  });

  it('is there for roles that may, on the group they may', async () => {
    const reader = new CloudWatchLogsClient(endpoint.asFunction);
    expect((await filter({ logGroupName: 'access' }, reader)).events).toHaveLength(5);
    await expect(filter({ logGroupName: 'outside' }, reader)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    await expect(filter({ logGroupName: 'other' }, reader)).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });

  it.each<[string, FilterLogEventsCommandInput, string]>([
    ['an unknown group', { logGroupName: 'nobody' }, 'ResourceNotFoundException'],
    ['no group', {}, 'InvalidParameterException'],
    [
      'a group by two names',
      { logGroupName: 'access', logGroupIdentifier: 'access' },
      'InvalidParameterException',
    ],
    ['a limit beyond 10,000', { logGroupName: 'access', limit: 10_001 }, 'InvalidParameterException'],
    [
      'newest first without a beginning',
      { logGroupName: 'access', startFromHead: false },
      'InvalidParameterException',
    ],
    [
      'newest first from before 2024',
      { logGroupName: 'access', startFromHead: false, startTime: Date.UTC(2024, 0, 1) - 1 },
      'InvalidParameterException',
    ],
    ['a token nobody gave', { logGroupName: 'access', nextToken: 'x' }, 'InvalidParameterException'],
    [
      'a pattern not known here',
      { logGroupName: 'access', filterPattern: 'ERROR' },
      'UnknownOperationException',
    ],
    ['streams', { logGroupName: 'access', logStreamNames: ['a'] }, 'UnknownOperationException'],
  ])('refuses %s', async (_what, input, name) => {
    await expect(filter(input)).rejects.toMatchObject({ name });
  });

  it('refuses other operations', async () => {
    await expect(client.send(new DescribeMetricFiltersCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

describe('CloudWatch Logs PutLogEvents', () => {
  let endpoint: Started;
  const stream = (name: string, LogGroupName: string) =>
    resource('AWS::Logs::LogStream', name, { LogGroupName }, { physicalId: name });
  beforeAll(async () => {
    endpoint = await started({
      assembly: assembly(
        role(allow('logs:PutLogEvents', `${arnOf('heads')}:log-stream:main`)),
        group('heads'),
        group('other'),
        stream('main', 'heads'),
        stream('second', 'heads'),
      ),
    });
  });
  afterAll(() => endpoint.stopAndForget());

  const put = async (logStreamName: string, times: readonly number[], logGroupName = 'heads') =>
    await new CloudWatchLogsClient(endpoint.asFunction).send(
      new PutLogEventsCommand({
        logGroupName,
        logStreamName,
        logEvents: times.map((timestamp) => ({ timestamp, message: `at ${timestamp}` })),
      }),
    );
  const messages = async () => {
    const all = new FilterLogEventsCommand({ logGroupName: 'heads' });
    const { events } = await new CloudWatchLogsClient(endpoint.asOperator).send(all);
    return events?.map(({ message }) => message);
  };

  it('adds events to a stream of the templates, for a role that may', async () => {
    const now = Date.now();
    await put('main', [now, now + 1]);
    expect(await messages()).toEqual([`at ${now}`, `at ${now + 1}`]);
    await expect(put('second', [now])).rejects.toThrow('logs:PutLogEvents');
    await expect(put('main', [now], 'other')).rejects.toThrow('logs:PutLogEvents');
    await expect(put('main', [now + 1, now])).rejects.toThrow('chronological');
  });

  it('says which it did not take: too old, and too far ahead', async () => {
    const [now, day] = [Date.now(), 86_400_000];
    const { rejectedLogEventsInfo } = await put('main', [now - 15 * day, now + 2, now + day]);
    expect(rejectedLogEventsInfo).toEqual({ tooOldLogEventEndIndex: 1, tooNewLogEventStartIndex: 2 });
    expect(await messages()).toContain(`at ${now + 2}`);
    expect(await messages()).not.toContain(`at ${now + day}`);
  });
});
