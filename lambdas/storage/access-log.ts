import {
  type CloudWatchLogsClient,
  type FilteredLogEvent,
  FilterLogEventsCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod/mini';
import type { AccessLog } from '../applications/ports.ts';
import type { LoggedCall } from '../applications/provisioning-contract.ts';

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
  reason: optionalText,
  latencyMs: optionalText,
});

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
    async calls({ clientId, from, to, limit }) {
      let found: readonly LoggedCall[] = [];
      for (const back of looks) {
        const since = Math.max(from, to - back);
        const groups = await Promise.all(
          logGroups.map((group) => callsOf(client, group, { clientId, from: since, to })),
        );
        found = groups.flat().sort((a, b) => b.time - a.time || b.requestId.localeCompare(a.requestId));
        if (found.length > limit || since === from) break;
      }
      return { calls: found.slice(0, limit), more: found.length > limit };
    },
  };
}

async function callsOf(
  client: CloudWatchLogsClient,
  logGroupName: string,
  { clientId, from, to }: { readonly clientId: string; readonly from: number; readonly to: number },
): Promise<LoggedCall[]> {
  const calls: LoggedCall[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await client
      .send(
        new FilterLogEventsCommand({
          logGroupName,
          startTime: from,
          // Inclusive at AWS, exclusive here.
          endTime: to - 1,
          filterPattern: `{ $.clientId = "${clientId}" }`,
          ...(nextToken === undefined ? {} : { nextToken }),
        }),
      )
      .catch((error: unknown) => {
        // A group nothing was written to yet may not be there.
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      });
    calls.push(...(answer?.events ?? []).flatMap(callOf));
    nextToken = answer?.nextToken;
    if (nextToken === undefined) break;
  }
  return calls;
}

function callOf({ message }: FilteredLogEvent): LoggedCall[] {
  const parsed = z.safeParse(line, jsonOf(message ?? ''));
  if (!parsed.success) return [];
  const { responseType, reason, latencyMs, ...call } = parsed.data;
  const milliseconds = latencyMs === undefined ? Number.NaN : Number(latencyMs);
  return [
    {
      ...call,
      ...(responseType === undefined ? {} : { responseType }),
      ...(reason === undefined ? {} : { reason }),
      ...(Number.isFinite(milliseconds) ? { latencyMs: milliseconds } : {}),
    },
  ];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
