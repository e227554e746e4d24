/** Writes and reads the heads of the seal chain in their log group. */

import {
  type CloudWatchLogsClient,
  FilterLogEventsCommand,
  PutLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod/mini';
import { type TokenIssuer, tokenIssuers } from '../../catalog/oauth/token-issuer.ts';
import type { HeadReader } from '../trail/audit-ports.ts';
import type { Head } from '../trail/seal.ts';

/** The log group that anchors the heads: nobody but the sealing function writes to, and nobody deletes from. */
export interface HeadLog {
  readonly logGroupName: string;
  readonly logStreamName: string;
}

const anchored = z.object({
  heads: z.partialRecord(z.enum(tokenIssuers), z.object({ sequence: z.int(), digest: z.string() })),
});

/** The heads of one run as one event of the log. */
export function createHeadWriter(client: CloudWatchLogsClient, log: HeadLog) {
  return {
    /**
     * @param timeMs milliseconds since 1970.
     * @throws Error where CloudWatch Logs takes the call and not the event.
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
    async between(authority, fromMs, untilMs) {
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
        heads.push(...(page.events ?? []).flatMap(({ message }) => headIn(message ?? '', authority)));
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
      return heads;
    },
  };
}

/** Parses a head; any other text is skipped. */
function headIn(message: string, authority: TokenIssuer): readonly Head[] {
  try {
    const head = anchored.parse(JSON.parse(message)).heads[authority];
    return head === undefined ? [] : [head];
  } catch {
    return [];
  }
}
