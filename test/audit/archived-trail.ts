/** A sealed trail as files of the audit archive, made without a table: for tests and benchmarks of its verifier. */

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  archiveFiles,
  archiveKey,
  eventLine,
  partLine,
  sealLine,
} from '../../lambdas/audit/trail/archive-file.ts';
import type { SealSigner } from '../../lambdas/audit/trail/audit-ports.ts';
import { eventDigest } from '../../lambdas/audit/trail/event-digest.ts';
import {
  chainOf,
  type ListPart,
  type Seal,
  type SealedList,
  sealDigest,
  statementText,
} from '../../lambdas/audit/trail/seal.ts';
import { sealWindow, windowMs } from '../../lambdas/audit/trail/windows.ts';
import type { TokenIssuer } from '../../lambdas/catalog/oauth/token-issuer.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { auditKey } from '../../lambdas/platform/table/table-keys.ts';

const sha256 = digests.sha256Hex;
/** Events in one part of a list, as `audit-seal` divides them. */
const eventsInPart = 1_024;

/** One read of a claim by an application, as an item of the table without its digest. */
function eventAt(issuer: TokenIssuer, timeMs: number, clientId: string) {
  const [eventId, patientId] = [randomUUID(), randomUUID()];
  const time = new Date(timeMs).toISOString();
  return {
    ...auditKey(issuer, { patientId }, time, eventId),
    ...{ time, environment: 'production', lob: issuer, action: 'ExplanationOfBenefit.read' },
    ...{ outcome: 'disclosed', actor: clientId, clientId, grantId: randomUUID(), patientId },
    ...{ requestId: randomUUID(), resource: `ExplanationOfBenefit/${randomUUID()}` },
    sealWindow: sealWindow(issuer, time, eventId),
  };
}

/** Lists a window's events by shard and part, as `audit-seal` does. */
function listed(events: readonly ReturnType<typeof eventAt>[]) {
  const parts = new Map<string, ListPart>();
  const byKey = new Map(events.map((event) => [event.sk, event]));
  const lists: SealedList[] = [];
  const shards = Map.groupBy(events, ({ sealWindow: window }) => Number(window.split('#')[3]));
  for (const [shard, own] of [...shards].sort(([a], [b]) => a - b)) {
    const leaves = own
      .map((event) => ({ pk: event.pk, sk: event.sk, digest: eventDigest(event, sha256) }))
      .sort((a, b) => (a.sk < b.sk ? -1 : 1));
    let chain = '';
    let part = 0;
    for (; part * eventsInPart < leaves.length; part += 1) {
      const some = leaves.slice(part * eventsInPart, (part + 1) * eventsInPart);
      chain = chainOf(chain, some, sha256);
      parts.set(`${shard} ${part}`, { part, events: part * eventsInPart + some.length, chain, leaves: some });
    }
    lists.push({ shard, parts: part, events: leaves.length, chain });
  }
  return { lists, parts, byKey };
}

/**
 * Makes the files of a trail with a seal for each window.
 *
 * @param windows number of events in each window, from 2026-01-01 on
 * @param applications number of applications that read in turn: `app-1`, `app-2` …
 */
export async function* archivedTrail(
  signer: SealSigner,
  issuer: TokenIssuer,
  windows: Iterable<number>,
  applications = 1,
): AsyncGenerator<{ readonly key: string; readonly text: string }> {
  let previous: Seal | undefined;
  let from = Date.UTC(2026, 0, 1);
  for (const count of windows) {
    const events = Array.from({ length: count }, (_, at) =>
      eventAt(issuer, from + Math.floor((at / count) * windowMs), `app-${(at % applications) + 1}`),
    );
    const { lists, parts, byKey } = listed(events);
    const statement = {
      environment: 'production' as const,
      authority: issuer,
      sequence: (previous?.sequence ?? 0) + 1,
      ...{ from: new Date(from).toISOString(), until: new Date(from + windowMs).toISOString() },
      ...{ events: count, lists, previous: previous === undefined ? '' : sealDigest(previous, sha256) },
      ...{ sealedAt: new Date(from + windowMs + 150_000).toISOString(), keyId: signer.keyId },
    };
    const seal: Seal = { ...statement, signature: await signer.sign(statementText(statement)) };
    for (const file of archiveFiles(seal)) {
      const lines = [sealLine(seal, file)];
      for (const place of file.parts) {
        const part = parts.get(`${place.shard} ${place.part}`) as ListPart;
        lines.push(partLine(place, part));
        for (const leaf of part.leaves) lines.push(eventLine(leaf, byKey.get(leaf.sk)));
      }
      yield { key: archiveKey(seal, file), text: `${lines.join('\n')}\n` };
    }
    [previous, from] = [seal, from + windowMs];
  }
}

/** A directory with archive files, and changes as somebody with write access to it could make them. */
export function archiveDirectory(directory: string) {
  const path = (key: string) => join(directory, key);
  const store = {
    write(key: string, text: string, level = 6): void {
      mkdirSync(dirname(path(key)), { recursive: true });
      writeFileSync(path(key), gzipSync(text, { level }));
    },
    keys: () =>
      readdirSync(directory, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.gz'))
        .sort(),
    lines: (key: string) =>
      gunzipSync(readFileSync(path(key)))
        .toString('utf8')
        .trimEnd()
        .split('\n'),
    /** Changes the lines of a file. */
    edit: (key: string, change: (lines: string[]) => readonly string[]) =>
      store.write(key, `${change(store.lines(key)).join('\n')}\n`),
    remove: (key: string) => rmSync(path(key)),
    /** Cuts a file's last bytes. */
    cut: (key: string, bytes: number) =>
      writeFileSync(path(key), readFileSync(path(key)).subarray(0, -bytes)),
  };
  return store;
}
