import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  ResourceNotFoundException,
  ThrottlingException,
} from '@aws-sdk/client-cloudwatch-logs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createCallLog } from '../../../lambdas/clients/aws/call-log.ts';
import type {
  CallFilter,
  CallPosition,
} from '../../../lambdas/clients/provisioning/provisioning-contract.ts';
import { mockClient } from '../../support/client-doubles.ts';
import { answerWith, event, type LoggedEvent } from '../../support/logged-events.ts';

const logs = mockClient(CloudWatchLogsClient);
const day = 86_400_000;
const now = Date.UTC(2026, 10, 20);
const late = 60_000;
const log = createCallLog(new CloudWatchLogsClient({ region: 'us-east-1' }), [
  { logGroup: 'lob', lob: 'DSNP' },
  { logGroup: 'token' },
]);

beforeEach(() => {
  logs.reset();
  answerWith(logs, {});
});

const query = { clientId: 'client-1', from: now - 14 * day, to: now, limit: 2 };
const sent = () => logs.commandCalls(FilterLogEventsCommand).map(({ args }) => args[0].input);
const everySecond = (count: number, more: Record<string, string> = {}): LoggedEvent[] =>
  Array.from({ length: count }, (_, at) => event(now - 1 - at * 1_000, more));

describe('the calls of the gateway’s access log', () => {
  it('are merged of the hosts’ groups, newest first, and leave dashes out', async () => {
    answerWith(logs, {
      lob: [event(now - 5), event(now - 1, { status: '429', responseType: 'THROTTLED' })],
      token: [event(now - 3)],
    });
    const { calls, next } = await log.calls(query);
    expect(calls).toEqual([
      expect.objectContaining({ time: now - 1, status: 429, responseType: 'THROTTLED', latencyMs: 12 }),
      expect.objectContaining({ time: now - 3, status: 200 }),
    ]);
    for (const name of ['responseType', 'reason', 'apiKeyId', 'loggedAt'])
      expect(calls[1]).not.toHaveProperty(name);
    expect(next).toEqual({ time: now - 3, requestId: `r${now - 3}` });
  });

  it('are the newest, however many there are', async () => {
    answerWith(logs, { lob: everySecond(50_000), token: everySecond(30_000, { requestId: 'a' }) });
    const seen: number[] = [];
    let before: CallPosition | undefined;
    for (let page = 0; page < 3; page += 1) {
      const answer = await log.calls({ ...query, limit: 200, ...(before && { before }) });
      seen.push(...answer.calls.map(({ time }) => time));
      before = answer.next;
    }
    expect(seen).toHaveLength(600);
    expect(seen).toEqual(Array.from({ length: 600 }, (_, at) => now - 1 - Math.floor(at / 2) * 1_000));
    expect(sent().length).toBeLessThan(20);
  });

  it('are found behind another application’s, over pages that have none', async () => {
    answerWith(logs, { lob: [...everySecond(800, { clientId: 'busy' }), event(now - 799_500)] }, 100);
    const { calls, next } = await log.calls(query);
    expect(calls.map(({ time }) => time)).toEqual([now - 799_500]);
    expect(next).toBeUndefined();
  });

  it('are asked for of one client, newest first, and of a minute after the end for what is logged late', async () => {
    await log.calls(query);
    expect(sent()[0]).toMatchObject({
      filterPattern: '{ $.clientId = "client-1" }',
      startFromHead: false,
      endTime: now - 1 + late,
    });
  });

  it('stand by when they came in, not by when they were logged', async () => {
    answerWith(logs, {
      lob: [event(now - 9_000, {}, 8_500), event(now - 2_000, {}, 10), event(now, {}, 20)],
    });
    const first = await log.calls({ ...query, limit: 1 });
    expect(first.calls.map(({ time }) => time)).toEqual([now - 2_000]);
    const rest = await log.calls({ ...query, limit: 1, ...(first.next && { before: first.next }) });
    expect(rest.calls.map(({ time }) => time)).toEqual([now - 9_000]);
    expect(rest.next).toBeUndefined();
  });

  it('go on after a call, also within its millisecond', async () => {
    const at = (time: number, requestId: string) => event(time, { requestId });
    answerWith(logs, {
      lob: [at(now - 9, 'z'), at(now - 8, 'a'), at(now - 8, 'B'), at(now - 8, 'c'), at(now - 7, 'y')],
    });
    const { calls, next } = await log.calls({ ...query, before: { time: now - 8, requestId: 'c' } });
    expect(calls.map(({ requestId }) => requestId)).toEqual(['a', 'B']);
    expect(next).toEqual({ time: now - 8, requestId: 'B' });
    const rest = await log.calls({ ...query, before: { time: now - 8, requestId: 'B' } });
    expect(rest.calls.map(({ requestId }) => requestId)).toEqual(['z']);
  });

  it('are none after a call that is older than the range, and nothing is asked', async () => {
    const { from } = query;
    expect(await log.calls({ ...query, before: { time: from - 1, requestId: 'old' } })).toEqual({
      calls: [],
    });
    expect(sent()).toHaveLength(0);
  });

  it('are looked for further back only while too few were found, and no time twice', async () => {
    await log.calls(query);
    const spans = sent()
      .filter(({ logGroupName }) => logGroupName === 'lob')
      .map(({ startTime, endTime }) => [startTime, (endTime ?? 0) + 1]);
    const begins = [now - 15 * 60_000, now - 6 * 3_600_000, now - 3 * day, now - 14 * day];
    expect(spans).toEqual(begins.map((begin, at) => [begin, begins[at - 1] ?? now + late]));
    logs.resetHistory();
    answerWith(logs, { lob: [event(now - 1), event(now - 2), event(now - 3)] });
    await log.calls(query);
    expect(sent()).toHaveLength(2);
  });

  it('are not asked for from before CloudWatch Logs answers newest first', async () => {
    await log.calls({ ...query, from: 0 });
    expect(Math.min(...sent().map(({ startTime = 0 }) => startTime))).toBe(Date.UTC(2024, 0, 1));
  });

  it('pass over a line that is none of ours, and a group nothing was written to', async () => {
    logs
      .on(FilterLogEventsCommand, { logGroupName: 'lob' })
      .resolves({
        events: [event(now - 1), { timestamp: now - 2, message: 'not JSON' }, { message: '{"time":"x"}' }],
      })
      .on(FilterLogEventsCommand, { logGroupName: 'token' })
      .rejects(new ResourceNotFoundException({ message: 'no such group', $metadata: {} }));
    expect((await log.calls({ ...query, from: now - 1_000 })).calls).toHaveLength(1);
  });

  const throttled = new ThrottlingException({ message: 'Rate exceeded', $metadata: {} });

  it('are those there is time for, where the log is busy, and the next page goes on from there', async () => {
    answerWith(logs, { lob: [event(now - 1), event(now - 20 * 60_000), event(now - 2 * day)] });
    logs
      .on(FilterLogEventsCommand, { logGroupName: 'token', endTime: now - 6 * 3_600_000 - 1 })
      .rejects(throttled);
    const first = await log.calls({ ...query, limit: 10 });
    expect(first.calls.map(({ time }) => time)).toEqual([now - 1, now - 20 * 60_000]);
    expect(first.next).toEqual({ time: now - 6 * 3_600_000, requestId: '-' });
    const rest = await log.calls({ ...query, limit: 10, ...(first.next && { before: first.next }) });
    expect(rest).toEqual({ calls: [expect.objectContaining({ time: now - 2 * day })] });
  });

  it('are not shown from beyond what another host’s log was read back to', async () => {
    answerWith(logs, { lob: [event(now - 1), event(now - 5)] });
    logs
      .on(FilterLogEventsCommand, { logGroupName: 'token' })
      .resolvesOnce({ events: [event(now - 3)], nextToken: 'more' })
      .rejects(throttled);
    const { calls, next } = await log.calls({ ...query, limit: 10 });
    expect(calls.map(({ time }) => time)).toEqual([now - 1]);
    expect(next).toEqual({ time: now - 2, requestId: '-' });
  });

  it('take five seconds at most', async () => {
    vi.useFakeTimers();
    const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), ms);
      return controller.signal;
    });
    try {
      logs.on(FilterLogEventsCommand).callsFake(async () => {
        await new Promise((resolve) => setTimeout(resolve, 5_001));
        throw Object.assign(new Error('aborted'), { name: 'AbortError' });
      });
      const answer = expect(log.calls(query)).rejects.toThrow('does not answer in time');
      await vi.advanceTimersByTimeAsync(5_001);
      await answer;
      expect(patience).toHaveBeenCalledWith(5_000);
    } finally {
      patience.mockRestore();
      vi.useRealTimers();
    }
  });

  it('are not hidden behind what can’t be explained', async () => {
    logs.on(FilterLogEventsCommand).rejects(new Error('access denied'));
    await expect(log.calls(query)).rejects.toThrow('access denied');
  });
});

describe('the calls of a filter', () => {
  const refused = event(now - 2, { requestId: 'refused', status: '401', reason: 'token_expired' });
  const read = event(now - 1, { requestId: 'read', route: '/extfhirpatientaccess/v1/Patient/{id}' });
  const token = event(now - 3, {
    requestId: 'token',
    host: 'auth.example.org',
    route: '/fhir-oauth2/pub/{lob}/token',
    lob: 'MAPD',
    level: 'info',
  });
  const redirected = event(now - 4, {
    requestId: 'redirected',
    host: 'auth.example.org',
    route: '/fhir-oauth2/sec/{lob}/authorize',
    lob: 'MAPD',
    status: '303',
    level: 'warn',
    reason: 'invalid_scope',
    expected: 'a scope',
    received: 'scope=x',
  });

  it.each<[CallFilter, readonly string[]]>([
    [{}, ['read', 'refused', 'token', 'redirected']],
    [{ outcome: 'refused' }, ['refused', 'redirected']],
    [{ outcome: 'succeeded' }, ['read', 'token']],
    [{ status: 401 }, ['refused']],
    [{ path: 'v1/Patient/{id}' }, ['read']],
    [{ path: 'v1/patient' }, []],
    [{ requestId: 'token' }, ['token']],
    [{ lob: 'DSNP' }, ['read', 'refused']],
    [{ lob: 'MAPD' }, ['token', 'redirected']],
    [{ path: '/authorize', outcome: 'succeeded' }, []],
    [{ lob: 'MHBE' }, []],
    [{ lob: 'DSNP', outcome: 'refused', status: 403 }, []],
  ])('%j are %j', async (filter, requestIds) => {
    answerWith(logs, { lob: [refused, read], token: [redirected, token] });
    const { calls } = await log.calls({ ...query, limit: 10, filter });
    expect(calls.map(({ requestId }) => requestId)).toEqual(requestIds);
  });

  it('are not looked for in the log of a host of another line of business', async () => {
    await log.calls({ ...query, filter: { lob: 'MAPD' } });
    expect(new Set(sent().map(({ logGroupName }) => logGroupName))).toEqual(new Set(['token']));
  });
});

describe('a call that the gateway and the function behind it logged', () => {
  const at = { requestId: 'both', route: '/token/v2' };
  const byGateway = event(now - 5, { ...at, status: '400', latencyMs: '31' }, 40);
  const byFunction = (more: Readonly<Record<string, string>>) =>
    event(now - 5, { ...at, status: '400', apiKeyId: '-', ...more }, 20);

  it('is one call, with what each knows of it', async () => {
    answerWith(logs, { lob: [byGateway], token: [byFunction({ reason: 'scope_unknown', lob: 'DSNP' })] });
    const { calls } = await log.calls(query);
    expect(calls).toEqual([
      expect.objectContaining({ requestId: 'both', reason: 'scope_unknown', lob: 'DSNP', status: 400 }),
    ]);
    expect(calls[0]).not.toHaveProperty('secretId');
  });

  it('counts once where a page ends', async () => {
    answerWith(logs, { lob: [event(now - 1), byGateway, event(now - 9)], token: [byFunction({})] });
    const first = await log.calls(query);
    expect(first.calls.map(({ time }) => time)).toEqual([now - 1, now - 5]);
    const rest = await log.calls({ ...query, ...(first.next && { before: first.next }) });
    expect(rest.calls.map(({ time }) => time)).toEqual([now - 9]);
  });

  it('tells the holder of another application’s code no more than the response did', async () => {
    answerWith(logs, { token: [byFunction({ reason: 'code_of_another_client' })] });
    expect((await log.calls(query)).calls[0]?.reason).toBe('code_unknown');
  });
});

describe('the last call with each key', () => {
  const { from, to } = query;
  const none = { apiKeyIds: [], secretIds: [] };

  it('is found in any host’s log, and looked for further back for those not yet found only', async () => {
    const at = (apiKeyId: string, time: number) => event(time, { apiKeyId });
    answerWith(logs, {
      lob: [at('busy', now - 9), at('busy', now - 5)],
      token: [at('busy', now - 7), at('quiet', now - 2 * day)],
    });
    const found = await log.lastCalls({ ...none, apiKeyIds: ['busy', 'quiet', 'unused'], from, to });
    expect([...(found ?? [])]).toEqual([
      ['busy', now - 5],
      ['quiet', now - 2 * day],
    ]);
    const further = sent().filter(({ startTime = now }) => startTime < now - 15 * 60_000);
    expect(further.map(({ filterPattern }) => filterPattern)).not.toContainEqual(
      expect.stringContaining('busy'),
    );
  });

  it('is found behind any number of another key’s', async () => {
    const quiet = event(now - 599_500, { apiKeyId: 'quiet' });
    answerWith(logs, { lob: [...everySecond(30_000, { apiKeyId: 'busy' }), quiet] });
    const found = await log.lastCalls({ ...none, apiKeyIds: ['busy', 'quiet'], from, to });
    expect([...(found ?? [])]).toEqual([
      ['busy', now - 1],
      ['quiet', now - 599_500],
    ]);
    expect(sent().length).toBeLessThan(5);
  });

  it('is found for a secret in the lines of the token functions', async () => {
    answerWith(logs, {
      lob: [event(now - 1, { apiKeyId: 'key' })],
      token: [event(now - 7, { secretId: 'older' }), event(now - 4, { secretId: 'newer', apiKeyId: '-' })],
    });
    const found = await log.lastCalls({
      apiKeyIds: ['key'],
      secretIds: ['newer', 'older', 'unused'],
      from,
      to,
    });
    expect(found).toEqual(
      new Map([
        ['key', now - 1],
        ['newer', now - 4],
        ['older', now - 7],
      ]),
    );
  });

  it('is asked for of no key not at all', async () => {
    expect(await log.lastCalls({ ...none, apiKeyIds: [], from, to })).toEqual(new Map());
    expect(sent()).toHaveLength(0);
  });

  it.each([
    ['refuses', new Error('refused')],
    ['is busy', new ThrottlingException({ message: 'Rate exceeded', $metadata: {} })],
  ])('is not known where the log %s', async (_what, error) => {
    logs.on(FilterLogEventsCommand).rejects(error);
    expect(await log.lastCalls({ ...none, apiKeyIds: ['busy'], from, to })).toBeUndefined();
    const options: readonly unknown[] = logs.commandCalls(FilterLogEventsCommand)[0]?.args ?? [];
    expect(options[1]).toMatchObject({ abortSignal: expect.any(AbortSignal) });
  });
});
