import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-cloudwatch-logs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAccessLog } from '../../lambdas/storage/access-log.ts';

const logs = mockClient(CloudWatchLogsClient);
const day = 86_400_000;
const now = 30 * day;
const log = createAccessLog(new CloudWatchLogsClient({ region: 'us-east-1' }), ['lob', 'token']);

function event(time: number, more: Record<string, string> = {}) {
  const message = JSON.stringify({
    time: String(time),
    requestId: `r${time}`,
    host: 'dsnp.api.example.org',
    method: 'GET',
    route: '/Patient/{id}',
    status: '200',
    responseType: '-',
    reason: '-',
    latencyMs: '12',
    ...more,
  });
  return { timestamp: time, message };
}

beforeEach(() => {
  logs.reset();
  logs.on(FilterLogEventsCommand).resolves({ events: [] });
});

const query = { clientId: 'client-1', from: now - 14 * day, to: now, limit: 2 };

describe('the gateway’s access log', () => {
  it('merges the hosts’ groups, newest first, and leaves dashes out', async () => {
    logs
      .on(FilterLogEventsCommand, { logGroupName: 'lob' })
      .resolves({ events: [event(now - 5), event(now - 1, { status: '429', responseType: 'THROTTLED' })] })
      .on(FilterLogEventsCommand, { logGroupName: 'token' })
      .resolves({ events: [event(now - 3)] });
    const { calls, more } = await log.calls(query);
    expect(calls).toEqual([
      expect.objectContaining({ time: now - 1, status: 429, responseType: 'THROTTLED', latencyMs: 12 }),
      expect.objectContaining({ time: now - 3, status: 200 }),
    ]);
    expect(calls[1]).not.toHaveProperty('responseType');
    expect(calls[1]).not.toHaveProperty('reason');
    expect(more).toBe(true);
  });

  it('asks for one client, up to but not including the end', async () => {
    await log.calls(query);
    const input = logs.commandCalls(FilterLogEventsCommand)[0]?.args[0].input;
    expect(input).toMatchObject({ filterPattern: '{ $.clientId = "client-1" }', endTime: now - 1 });
  });

  it('goes on after a call, also within its millisecond', async () => {
    const at = (time: number, requestId: string) => event(time, { requestId });
    logs.on(FilterLogEventsCommand, { logGroupName: 'lob' }).resolves({
      events: [at(now - 9, 'z'), at(now - 8, 'a'), at(now - 8, 'B'), at(now - 8, 'c')],
    });
    const { calls, more } = await log.calls({ ...query, before: { time: now - 8, requestId: 'c' } });
    expect(calls.map(({ requestId }) => requestId)).toEqual(['a', 'B']);
    expect(more).toBe(true);
    const ends = logs.commandCalls(FilterLogEventsCommand).map(({ args }) => args[0].input.endTime);
    expect([...new Set(ends)]).toEqual([now - 8]);
    const rest = await log.calls({ ...query, before: { time: now - 8, requestId: 'B' } });
    expect(rest.calls.map(({ requestId }) => requestId)).toEqual(['z']);
  });

  it('asks nothing after a call that is older than the range', async () => {
    const { from } = query;
    expect(await log.calls({ ...query, before: { time: from - 1, requestId: 'old' } })).toEqual({
      calls: [],
      more: false,
    });
    expect(logs.commandCalls(FilterLogEventsCommand)).toHaveLength(0);
  });

  it('looks further back only while too little was found', async () => {
    await log.calls(query);
    const starts = logs.commandCalls(FilterLogEventsCommand).map(({ args }) => args[0].input.startTime);
    expect([...new Set(starts)]).toEqual([
      now - 15 * 60_000,
      now - 6 * 3_600_000,
      now - 3 * day,
      now - 14 * day,
    ]);
    logs.resetHistory();
    logs.on(FilterLogEventsCommand).resolves({ events: [event(now - 1), event(now - 2), event(now - 3)] });
    await log.calls(query);
    expect(logs.commandCalls(FilterLogEventsCommand)).toHaveLength(2);
  });

  it('reads on where a page ends, also an empty one', async () => {
    logs
      .on(FilterLogEventsCommand, { logGroupName: 'lob' })
      .resolves({ events: [], nextToken: 'more' })
      .on(FilterLogEventsCommand, { logGroupName: 'lob', nextToken: 'more' })
      .resolves({ events: [event(now - 1)] });
    const { calls, more } = await log.calls(query);
    expect(calls).toHaveLength(1);
    expect(more).toBe(false);
  });

  it('passes over a line that is none of ours, and a group nothing was written to', async () => {
    logs
      .on(FilterLogEventsCommand, { logGroupName: 'lob' })
      .resolves({ events: [{ message: 'not JSON' }, { message: '{"time":"x"}' }, event(now - 1)] })
      .on(FilterLogEventsCommand, { logGroupName: 'token' })
      .rejects(new ResourceNotFoundException({ message: 'no such group', $metadata: {} }));
    expect((await log.calls(query)).calls).toHaveLength(1);
  });

  it('finds the newest call of each key, and looks further back for those not yet found only', async () => {
    const at = (key: string, time: number) => event(time, { apiKeyId: key });
    logs
      .on(FilterLogEventsCommand, { logGroupName: 'lob', startTime: now - 15 * 60_000 })
      .resolves({ events: [at('busy', now - 9), at('busy', now - 5)] })
      .on(FilterLogEventsCommand, { logGroupName: 'token', startTime: now - 15 * 60_000 })
      .resolves({ events: [at('busy', now - 7)] })
      .on(FilterLogEventsCommand, { logGroupName: 'token', startTime: now - 3 * day })
      .resolves({ events: [at('quiet', now - 2 * day)] });
    const { from, to } = query;
    const found = await log.lastCalls({ apiKeyIds: ['busy', 'quiet', 'unused'], from, to });
    expect([...(found ?? [])]).toEqual([
      ['busy', now - 5],
      ['quiet', now - 2 * day],
    ]);
    const patterns = logs.commandCalls(FilterLogEventsCommand).map(({ args }) => args[0].input.filterPattern);
    expect([...new Set(patterns)]).toEqual([
      '{ $.apiKeyId = "busy" || $.apiKeyId = "quiet" || $.apiKeyId = "unused" }',
      '{ $.apiKeyId = "quiet" || $.apiKeyId = "unused" }',
      '{ $.apiKeyId = "unused" }',
    ]);
  });

  it('asks nothing for no key', async () => {
    const { from, to } = query;
    expect(await log.lastCalls({ apiKeyIds: [], from, to })).toEqual(new Map());
    expect(logs.commandCalls(FilterLogEventsCommand)).toHaveLength(0);
  });

  it('knows no last call where the log refuses, and waits three seconds at most', async () => {
    const { from, to } = query;
    logs.on(FilterLogEventsCommand).rejects(new Error('throttled'));
    expect(await log.lastCalls({ apiKeyIds: ['busy'], from, to })).toBeUndefined();
    const sent: readonly unknown[] = logs.commandCalls(FilterLogEventsCommand)[0]?.args ?? [];
    expect(sent[1]).toMatchObject({ abortSignal: expect.any(AbortSignal) });
  });

  it('throws what it can’t explain', async () => {
    logs.on(FilterLogEventsCommand).rejects(new Error('access denied'));
    await expect(log.calls(query)).rejects.toThrow('access denied');
  });
});
