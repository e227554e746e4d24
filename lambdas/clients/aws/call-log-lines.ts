/** Reads lines of the log of calls from CloudWatch Logs. */

import {
  type CloudWatchLogsClient,
  type FilteredLogEvent,
  FilterLogEventsCommand,
  type FilterLogEventsCommandOutput,
  ResourceNotFoundException,
} from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { jsonValue } from '../../platform/kernel/json-members.ts';

/** API Gateway writes `-` for a missing value. */
const optionalText = z.pipe(
  z.optional(z.string()),
  z.transform((text) => (text === undefined || text === '-' ? undefined : text)),
);
const wholeNumber = z.pipe(
  z.coerce.number(),
  z.transform((value) => value),
);

/** A line of an access log (`lib/constructs/access-log-format.ts`), or of a function behind the authorization host (`platform/http/call-line.ts`). */
const line = z.object({
  /** Time of the request, milliseconds since 1970. */
  time: wholeNumber,
  requestId: z.string(),
  host: z.string(),
  method: z.string(),
  route: z.string(),
  status: wholeNumber,
  responseType: optionalText,
  apiKeyId: optionalText,
  reason: optionalText,
  expected: z.optional(z.string()),
  received: z.optional(z.string()),
  /** LOB of a token endpoint. */
  lob: z.optional(z.enum(lineOfBusinessCodes)),
  /** ID of the secret that authenticated a token request. */
  secretId: z.optional(z.string()),
  latencyMs: optionalText,
});
type Line = z.infer<typeof line> & {
  /** Timestamp of the line in CloudWatch Logs, milliseconds since 1970; not before `time`. */
  readonly loggedAt: number;
};

/** A search in one log group. `from` and `to` are timestamps of lines, milliseconds since 1970. */
export interface Look {
  readonly filterPattern: string;
  readonly from: number;
  /** End of the period, exclusive. */
  readonly to: number;
  /** Maximum number of events on one page. */
  readonly pageSize: number;
  readonly patience: AbortSignal;
}

/** The newest lines of a log group. */
export interface LogPage {
  /** Log lines, newest first. */
  readonly lines: readonly Line[];
  /** Time from which `lines` is complete, milliseconds since 1970. */
  readonly backTo: number;
  /** Whether reading stopped before `enough` returned true, because the service was busy or the time was over. */
  readonly cutShort: boolean;
}

/** Earliest start time that CloudWatch Logs accepts with `startFromHead: false`. */
const oldestStart = Date.UTC(2024, 0, 1);

/**
 * Reads a log group backwards from its newest line, page by page, until `enough` returns true. An empty page may be followed by others.
 *
 * @param enough called after each page with the lines so far, and the time from which they are complete.
 * @throws every error except throttling and the time limit.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
 */
export async function newestLines(
  client: CloudWatchLogsClient,
  logGroupName: string,
  look: Look,
  enough: (lines: readonly Line[], backTo: number) => boolean,
): Promise<LogPage> {
  const lines: Line[] = [];
  let backTo = look.to;
  let nextToken: string | undefined;
  do {
    const page = await pageOf(client, logGroupName, look, nextToken);
    if (page.kind === 'cut_short') return { lines, backTo, cutShort: true };
    const events = page.events ?? [];
    lines.push(...events.flatMap(lineOf));
    // The next page may have more lines of the same millisecond, so the lines are complete only after it.
    backTo = (events.at(-1)?.timestamp ?? backTo - 1) + 1;
    nextToken = page.nextToken;
  } while (nextToken !== undefined && !enough(lines, backTo));
  return { lines, backTo: nextToken === undefined ? look.from : backTo, cutShort: false };
}

type EventPage =
  | ({ readonly kind: 'page' } & Pick<FilterLogEventsCommandOutput, 'events' | 'nextToken'>)
  | { readonly kind: 'cut_short' };

async function pageOf(
  client: CloudWatchLogsClient,
  logGroupName: string,
  { filterPattern, from, to, pageSize, patience }: Look,
  nextToken: string | undefined,
): Promise<EventPage> {
  const command = new FilterLogEventsCommand({
    logGroupName,
    startTime: Math.max(from, oldestStart),
    // `endTime` is inclusive, `to` exclusive.
    endTime: to - 1,
    filterPattern,
    limit: pageSize,
    startFromHead: false,
    ...(nextToken === undefined ? {} : { nextToken }),
  });
  try {
    const { events, nextToken } = await client.send(command, { abortSignal: patience });
    return { kind: 'page', events, nextToken };
  } catch (error) {
    // A log group may not exist before its first line.
    if (error instanceof ResourceNotFoundException) return { kind: 'page' };
    // Throttling is expected even after the SDK's own retries: CloudWatch Logs allows an account only few calls a second.
    const busy = error instanceof Error && error.name === 'ThrottlingException';
    if (busy || patience.aborted) return { kind: 'cut_short' };
    throw error;
  }
}

function lineOf({ message, timestamp }: FilteredLogEvent): readonly Line[] {
  const parsed = z.safeParse(line, jsonValue(message ?? ''));
  return parsed.success ? [{ ...parsed.data, loggedAt: timestamp ?? parsed.data.time }] : [];
}
