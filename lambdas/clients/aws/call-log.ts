/** Lists an application's recent calls from the log of calls in CloudWatch Logs. */

import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { shownReasons } from '../../catalog/oauth/token-refusals.ts';
import type { CallPosition, LoggedCall } from '../provisioning/provisioning-contract.ts';
import type { CallLog } from '../provisioning/provisioning-ports.ts';
import { type LogPage, newestLines } from './call-log-lines.ts';
import { callPattern, type LoggedHost, lastCallPattern } from './call-log-patterns.ts';

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

/** Reads the log groups of an environment's hosts and token functions in CloudWatch Logs, from the newest line backwards. */
export function createCallLog(client: CloudWatchLogsClient, hosts: readonly LoggedHost[]): CallLog {
  return {
    async calls({ clientId, from, to, before, filter = {}, limit }) {
      // More calls may have the same millisecond as the cursor.
      const end = before === undefined ? to : Math.min(to, before.time + 1);
      const wanted = (call: CallPosition) =>
        call.time >= from && call.time < end && (before === undefined || newestFirst(before, call) < 0);
      // A host of another LOB has no call of the one that is asked for.
      const asked = hosts.filter(
        ({ lob }) => filter.lob === undefined || lob === undefined || lob === filter.lob,
      );
      const patience = AbortSignal.timeout(callsPatienceMs);
      const lines: Line[] = [];
      for (const span of spansBack(from, end)) {
        const look = { ...span, pageSize: linesAtOnce, patience };
        const own = (read: readonly Line[], backTo: number) =>
          read.filter((line) => line.time >= backTo && wanted(line)).length > limit;
        const found = await Promise.all(
          asked.map((host) => {
            const filterPattern = callPattern(clientId, filter, host);
            return newestLines(client, host.logGroup, { ...look, filterPattern }, own);
          }),
        );
        lines.push(...found.flatMap((each) => each.lines));
        // Only calls since the time from which every log group has been read are listed; earlier ones belong to the next page. A line is
        // logged after its call began, so `time` is safe to compare.
        const backTo = Math.max(span.from, ...found.map((each) => each.backTo));
        const calls = joined(lines.filter((line) => line.time >= backTo && wanted(line)));
        if (calls.length > limit) return page(calls.slice(0, limit), calls[limit - 1]);
        if (!found.some(({ cutShort }) => cutShort)) continue;
        if (backTo >= end) throw new Error('the access log does not answer in time');
        return page(calls, { time: backTo, requestId: beforeEveryId });
      }
      return page(joined(lines.filter(wanted)));
    },
    async lastCalls({ apiKeyIds, secretIds, from, to }) {
      const last = new Map<string, number>();
      const patience = AbortSignal.timeout(lastCallsPatienceMs);
      try {
        for (const span of spansBack(from, to)) {
          const sought = {
            apiKeyIds: apiKeyIds.filter((id) => !last.has(id)),
            secretIds: secretIds.filter((id) => !last.has(id)),
          };
          if (sought.apiKeyIds.length + sought.secretIds.length === 0) break;
          const newest = hosts.map(({ logGroup }) =>
            newestOfEach(client, logGroup, sought, { ...span, patience }),
          );
          for (const line of (await Promise.all(newest)).flat()) {
            const id = credentialOf(line);
            last.set(id, Math.max(line.time, last.get(id) ?? 0));
          }
        }
      } catch {
        return undefined;
      }
      return last;
    },
  };
}

function page(lines: readonly Line[], next?: CallPosition): Awaited<ReturnType<CallLog['calls']>> {
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

/** Credentials whose last use is sought. */
interface Sought {
  readonly apiKeyIds: readonly string[];
  readonly secretIds: readonly string[];
}

/** ID of the credential that a line is about: a token function's line names the secret, a host's line the subscription key. */
function credentialOf({ secretId, apiKeyId = '' }: Line): string {
  return secretId ?? apiKeyId;
}

/**
 * Finds the newest line of each credential in a log group. One that was found is excluded from the next search, so that a busy key does not
 * hide the others.
 */
async function newestOfEach(
  client: CloudWatchLogsClient,
  group: string,
  sought: Sought,
  look: Span & { readonly patience: AbortSignal },
): Promise<readonly Line[]> {
  const newest: Line[] = [];
  let { to } = look;
  for (let { apiKeyIds, secretIds } = sought; apiKeyIds.length + secretIds.length > 0; ) {
    const filterPattern = lastCallPattern(apiKeyIds, secretIds);
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
    apiKeyIds = apiKeyIds.filter((id) => id !== line.apiKeyId);
    secretIds = secretIds.filter((id) => id !== line.secretId);
    to = line.loggedAt + 1;
  }
  return newest;
}

/**
 * Sorts lines and joins those of one call: the token host's access log knows the subscription key of a request, the function behind it why
 * it was refused.
 */
function joined(lines: readonly Line[]): readonly Line[] {
  const calls = new Map<string, Line>();
  for (const line of lines) {
    const call = `${line.time} ${line.requestId}`;
    const other = calls.get(call);
    calls.set(call, other === undefined ? line : { ...other, ...present(line) });
  }
  return [...calls.values()].sort(newestFirst);
}

/** The fields of a line that have a value. */
function present(line: Line): Partial<Line> {
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined));
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
  expected,
  received,
  latencyMs,
  lob,
  apiKeyId: _key,
  secretId: _secret,
  loggedAt: _loggedAt,
  ...call
}: Line): LoggedCall {
  const milliseconds = latencyMs === undefined ? Number.NaN : Number(latencyMs);
  return {
    ...call,
    ...(responseType === undefined ? {} : { responseType }),
    ...(lob === undefined ? {} : { lob }),
    ...(reason === undefined ? {} : { reason: shownReasons[reason] ?? reason }),
    ...(expected === undefined ? {} : { expected }),
    ...(received === undefined ? {} : { received }),
    ...(Number.isFinite(milliseconds) ? { latencyMs: milliseconds } : {}),
  };
}
