/** Writes and reads the heads (newest seals) of the seal chains in their log group. */

import {
  type CloudWatchLogsClient,
  FilterLogEventsCommand,
  PutLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod/mini';
import { type TokenIssuer, tokenIssuers } from '../../catalog/oauth/token-issuer.ts';
import type { HeadReader } from '../trail/audit-ports.ts';
import type { Head } from '../trail/seal.ts';

/** The log group that anchors the heads. Only the sealing function writes to it, and no function may delete from it. */
export interface HeadLog {
  readonly logGroupName: string;
  readonly logStreamName: string;
}

const anchored = z.object({
  heads: z.partialRecord(z.enum(tokenIssuers), z.object({ sequence: z.int(), digest: z.string() })),
});

/** Creates the writer of heads: one log event has the heads of one run. */
export function createHeadWriter(client: CloudWatchLogsClient, log: HeadLog) {
  return {
    /**
     * Writes the heads of a run.
     *
     * @param timeMs milliseconds since 1970.
     * @throws Error if CloudWatch Logs rejects the event.
     */
    async anchor(heads: Readonly<Partial<Record<TokenIssuer, Head>>>, timeMs: number): Promise<void> {
      const message = JSON.stringify({ heads } satisfies z.infer<typeof anchored>);
      const { rejectedLogEventsInfo } = await client.send(
        new PutLogEventsCommand({ ...log, logEvents: [{ timestamp: timeMs, message }] }),
      );
      if (rejectedLogEventsInfo !== undefined) throw new Error('CloudWatch Logs rejected the heads');
    },
  };
}

export function createHeadReader(client: CloudWatchLogsClient, logGroupName: string): HeadReader {
  return {
    async between(issuer, fromMs, untilMs) {
      const heads: Head[] = [];
      let nextToken: string | undefined;
      do {
        const page = await client.send(
          new FilterLogEventsCommand({
            logGroupName,
            startTime: fromMs,
            endTime: untilMs,
            ...(nextToken !== undefined && { nextToken }),
          }),
        );
        heads.push(...(page.events ?? []).flatMap(({ message }) => headIn(message ?? '', issuer)));
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
      return heads;
    },
  };
}

/** Parses an issuer's head in a log event. Empty if there is none. */
function headIn(message: string, issuer: TokenIssuer): readonly Head[] {
  try {
    const head = anchored.parse(JSON.parse(message)).heads[issuer];
    return head === undefined ? [] : [head];
  } catch {
    return [];
  }
}
