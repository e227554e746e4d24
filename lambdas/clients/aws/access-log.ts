/** Lists an application's recent calls from API Gateway's access logs in CloudWatch Logs. */

import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { CallPosition, LoggedCall } from '../provisioning/provisioning-contract.ts';
import type { AccessLog } from '../provisioning/provisioning-ports.ts';
import { type LogPage, newestLines } from './access-log-lines.ts';

type Line = LogPage['lines'][number];

/**
 * Lengths of the periods that are searched, in milliseconds before now; each search begins where the last one ended. Most hosts have no
 * recent call, so a longer period is searched only if the shorter ones had too few calls.
 */
const looks = [15 * 60_000, 6 * 3_600_000, 3 * 86_400_000, Number.POSITIVE_INFINITY];

/** Maximum milliseconds between a call and its log line: the line is written after the response, which takes up to 29 seconds. */
const loggedLateMs = 60_000;

/** Maximum milliseconds of a search for calls; the function and its callers have ten seconds. */
const callsPatienceMs = 5_000;
/** Maximum milliseconds of a search for last uses, which View Credentials waits for. */
const lastCallsPatienceMs = 3_000;

/** Lines on a page: a little more than the calls of the largest response, which may all be of one host. */
const linesAtOnce = 250;

/** Sorts before every request ID: the cursor of a page that continues from a time instead of a call. */
const beforeEveryId = '-';

/** Reads API Gateway's access logs in CloudWatch Logs, one log group per host, from the newest line backwards. */
export function createAccessLog(client: CloudWatchLogsClient, logGroups: readonly string[]): AccessLog {
  return {
    async calls({ clientId, from, to, before, limit }) {
      // More calls may have the same millisecond as the cursor.
      const end = before === undefined ? to : Math.min(to, before.time + 1);
      const wanted = (call: CallPosition) =>
        call.time >= from && call.time < end && (before === undefined || newestFirst(before, call) < 0);
      const filterPattern = `{ $.clientId = "${clientId}" }`;
      const patience = AbortSignal.timeout(callsPatienceMs);
      const lines: Line[] = [];
      for (const span of spansBack(from, end)) {
        const look = { ...span, filterPattern, pageSize: linesAtOnce, patience };
        const own = (read: readonly Line[], backTo: number) =>
          read.filter((line) => line.time >= backTo && wanted(line)).length > limit;
        const found = await Promise.all(logGroups.map((group) => newestLines(client, group, look, own)));
        lines.push(...found.flatMap((each) => each.lines));
        // Only calls since the time from which every log group has been read are listed; earlier ones belong to the next page. A line is
        // logged after its call began, so `time` is safe to compare.
        const backTo = Math.max(span.from, ...found.map((each) => each.backTo));
        const calls = lines.filter((line) => line.time >= backTo && wanted(line)).sort(newestFirst);
        if (calls.length > limit) return page(calls.slice(0, limit), calls[limit - 1]);
        if (!found.some(({ cutShort }) => cutShort)) continue;
        if (backTo >= end) throw new Error('the access log does not answer in time');
        return page(calls, { time: backTo, requestId: beforeEveryId });
      }
      return page(lines.filter(wanted).sort(newestFirst));
    },
    async lastCalls({ apiKeyIds, from, to }) {
      const last = new Map<string, number>();
      const patience = AbortSignal.timeout(lastCallsPatienceMs);
      try {
        for (const span of spansBack(from, to)) {
          const keys = apiKeyIds.filter((id) => !last.has(id));
          if (keys.length === 0) break;
          const newest = logGroups.map((group) => newestOfEach(client, group, keys, { ...span, patience }));
          for (const { apiKeyId = '', time } of (await Promise.all(newest)).flat()) {
            last.set(apiKeyId, Math.max(time, last.get(apiKeyId) ?? 0));
          }
        }
      } catch {
        return undefined;
      }
      return last;
    },
  };
}

function page(lines: readonly Line[], next?: CallPosition): Awaited<ReturnType<AccessLog['calls']>> {
  const calls = lines.map(callOf);
  return next === undefined ? { calls } : { calls, next: { time: next.time, requestId: next.requestId } };
}

interface Span {
  readonly from: number;
  /** End of the period, exclusive. */
  readonly to: number;
}

/** Periods to search, newest first. The first one extends past the end, for calls that were logged late. */
function spansBack(from: number, end: number): readonly Span[] {
  const begins = [...new Set(looks.map((back) => Math.max(from, end - back)))].filter((at) => at < end);
  return begins.map((begin, at) => ({ from: begin, to: begins[at - 1] ?? end + loggedLateMs }));
}

/**
 * Finds the newest line of each key in a log group. A key that was found is excluded from the next search, so that a busy key does not hide
 * the others.
 */
async function newestOfEach(
  client: CloudWatchLogsClient,
  group: string,
  apiKeyIds: readonly string[],
  look: Span & { readonly patience: AbortSignal },
): Promise<readonly Line[]> {
  const newest: Line[] = [];
  let { to } = look;
  for (let wanted = apiKeyIds; wanted.length > 0; ) {
    const filterPattern = `{ ${wanted.map((id) => `$.apiKeyId = "${id}"`).join(' || ')} }`;
    const any = (read: readonly Line[]) => read.length > 0;
    const { lines, cutShort } = await newestLines(
      client,
      group,
      { ...look, to, filterPattern, pageSize: 1 },
      any,
    );
    if (cutShort) throw new Error('the access log does not answer in time');
    const [line] = lines;
    if (line === undefined) break;
    newest.push(line);
    wanted = wanted.filter((id) => id !== line.apiKeyId);
    to = line.loggedAt + 1;
  }
  return newest;
}

/** Compares calls for the order of the list. Request IDs are compared by code unit, independent of a locale. */
function newestFirst(one: CallPosition, other: CallPosition): number {
  if (one.time !== other.time) return other.time - one.time;
  if (one.requestId === other.requestId) return 0;
  return one.requestId > other.requestId ? -1 : 1;
}

function callOf({
  responseType,
  reason,
  latencyMs,
  apiKeyId: _key,
  loggedAt: _loggedAt,
  ...call
}: Line): LoggedCall {
  const milliseconds = latencyMs === undefined ? Number.NaN : Number(latencyMs);
  return {
    ...call,
    ...(responseType === undefined ? {} : { responseType }),
    ...(reason === undefined ? {} : { reason }),
    ...(Number.isFinite(milliseconds) ? { latencyMs: milliseconds } : {}),
  };
}
