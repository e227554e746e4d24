import {
  type CloudWatchLogsClient,
  type FilteredLogEvent,
  FilterLogEventsCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod/mini';
import type { AccessLog } from '../applications/ports.ts';
import type { CallPosition, LoggedCall } from '../applications/provisioning-contract.ts';

/** API Gateway writes `-` for what a call doesn't have. */
const optionalText = z.pipe(
  z.optional(z.string()),
  z.transform((text) => (text === undefined || text === '-' ? undefined : text)),
);
const wholeNumber = z.pipe(
  z.coerce.number(),
  z.transform((value) => value),
);

/** A line of the access log, as `lib/host-api.ts` words it. */
const line = z.object({
  time: wholeNumber,
  requestId: z.string(),
  host: z.string(),
  method: z.string(),
  route: z.string(),
  status: wholeNumber,
  responseType: optionalText,
  apiKeyId: optionalText,
  reason: optionalText,
  latencyMs: optionalText,
});

type Line = z.infer<typeof line>;

/**
 * How far back each look goes, in milliseconds: `FilterLogEvents` answers oldest first, so the newest are looked for in short
 * times before long ones.
 */
const looks = [15 * 60_000, 6 * 3_600_000, 3 * 86_400_000, Number.POSITIVE_INFINITY];

/** Pages of one look at one log group; an application that fills more in one is shown its newest of these. */
const mostPages = 10;

/**
 * The gateway's access log in CloudWatch Logs, one group a host.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
 */
export function createAccessLog(client: CloudWatchLogsClient, logGroups: readonly string[]): AccessLog {
  return {
    async calls({ clientId, from, to, before, limit }) {
      let found: readonly LoggedCall[] = [];
      const filterPattern = `{ $.clientId = "${clientId}" }`;
      // Of the cursor's own millisecond there may be more.
      const end = before === undefined ? to : Math.min(to, before.time + 1);
      if (end <= from) return { calls: [], more: false };
      for (const since of looksBack(from, end)) {
        const lines = await linesOf(client, logGroups, { filterPattern, from: since, to: end });
        found = lines
          .map(callOf)
          .filter((call) => before === undefined || newestFirst(before, call) < 0)
          .sort(newestFirst);
        if (found.length > limit) break;
      }
      return { calls: found.slice(0, limit), more: found.length > limit };
    },
    async lastCalls({ apiKeyIds, from, to }) {
      const last = new Map<string, number>();
      const abortSignal = AbortSignal.timeout(lastCallsPatienceMs);
      try {
        for (const since of looksBack(from, to)) {
          const wanted = apiKeyIds.filter((id) => !last.has(id));
          if (wanted.length === 0) break;
          const filterPattern = `{ ${wanted.map((id) => `$.apiKeyId = "${id}"`).join(' || ')} }`;
          const look = { filterPattern, from: since, to, abortSignal };
          for (const { apiKeyId, time } of await linesOf(client, logGroups, look)) {
            if (apiKeyId !== undefined) last.set(apiKeyId, Math.max(time, last.get(apiKeyId) ?? 0));
          }
        }
      } catch {
        return undefined;
      }
      return last;
    },
  };
}

/** Who views credentials waits no longer for a log that only says when they were last used. */
const lastCallsPatienceMs = 3_000;

/** Where each look begins; the last at `from`. */
function looksBack(from: number, to: number): readonly number[] {
  return [...new Set(looks.map((back) => Math.max(from, to - back)))];
}

/** The order of the list. Request ids are compared by code unit, the same wherever this runs. */
function newestFirst(one: CallPosition, other: CallPosition): number {
  if (one.time !== other.time) return other.time - one.time;
  if (one.requestId === other.requestId) return 0;
  return one.requestId > other.requestId ? -1 : 1;
}

interface Look {
  readonly filterPattern: string;
  /** Inclusive, `to` exclusive; milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly abortSignal?: AbortSignal;
}

async function linesOf(
  client: CloudWatchLogsClient,
  logGroups: readonly string[],
  look: Look,
): Promise<readonly Line[]> {
  return (await Promise.all(logGroups.map((group) => linesIn(client, group, look)))).flat();
}

async function linesIn(
  client: CloudWatchLogsClient,
  logGroupName: string,
  { filterPattern, from, to, abortSignal }: Look,
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await client
      .send(
        new FilterLogEventsCommand({
          logGroupName,
          startTime: from,
          // Inclusive at AWS, exclusive here.
          endTime: to - 1,
          filterPattern,
          ...(nextToken === undefined ? {} : { nextToken }),
        }),
        abortSignal === undefined ? {} : { abortSignal },
      )
      .catch((error: unknown) => {
        // A group nothing was written to yet may not be there.
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      });
    lines.push(...(answer?.events ?? []).flatMap(lineOf));
    nextToken = answer?.nextToken;
    if (nextToken === undefined) break;
  }
  return lines;
}

function lineOf({ message }: FilteredLogEvent): readonly Line[] {
  const parsed = z.safeParse(line, jsonOf(message ?? ''));
  return parsed.success ? [parsed.data] : [];
}

function callOf({ responseType, reason, latencyMs, apiKeyId: _, ...call }: Line): LoggedCall {
  const milliseconds = latencyMs === undefined ? Number.NaN : Number(latencyMs);
  return {
    ...call,
    ...(responseType === undefined ? {} : { responseType }),
    ...(reason === undefined ? {} : { reason }),
    ...(Number.isFinite(milliseconds) ? { latencyMs: milliseconds } : {}),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
