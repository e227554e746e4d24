/** Verifies the seals of the audit trail against the stored events. */

import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import type { SealVerification } from './audit-ports.ts';
import { eventDigest } from './event-digest.ts';
import { type Leaf, type Seal, sealDigest, statementText } from './seal.ts';
import { type SealedPart, type SealPosition, sealedParts, sealedWindow } from './sealed-parts.ts';
import type { Finding, VerificationAnswer, VerificationRequest } from './verification-contract.ts';
import { settledMs, windowMs, windowShards, windowsBetween } from './windows.ts';

const lateMs = 60 * 60_000;
/** Maximum milliseconds without a seal: the hour between seals without events, and two failed runs. */
const unsealedMs = lateMs + settledMs + 3 * windowMs;
/** Maximum milliseconds that the newest seal may lack its anchor: two failed runs. */
const unanchoredMs = 3 * windowMs;
/** Milliseconds before now in which heads are read if there is no seal. A head then shows that seals were deleted. */
const headsLookBackMs = 24 * 60 * 60_000;
const sealsInPage = 25;
const mostEventsInPage = 5_000;

/**
 * Verifies the seals of an issuer: computes each hash tree again from the stored events and compares it with the seal. Works in pages, so
 * that periods and seals of any size can be verified.
 *
 * @throws the ports' errors.
 */
export async function verifySeals(
  verification: SealVerification,
  { issuer, ...position }: VerificationRequest,
): Promise<VerificationAnswer> {
  // Also reads the seal before the page, which the page's first seal must continue.
  const first = Math.max(1, position.sequence - 1);
  const read = await verification.seals.from(issuer, first, sealsInPage + 1);
  const before = read.find(({ sequence }) => sequence < position.sequence);
  const verified: Seal[] = [];
  const findings: Finding[] = [];
  let previous = before;
  let events = 0;
  let next: SealPosition | undefined;
  for (const seal of read) {
    if (seal === before) continue;
    if (events >= mostEventsInPage) next = { sequence: seal.sequence };
    if (next !== undefined) break;
    const from = seal.sequence === position.sequence ? position : { sequence: seal.sequence };
    const part = await verifySeal(verification, seal, previous, from, mostEventsInPage - events);
    // A gap before the page's first seal was reported on the previous page.
    findings.push(
      ...part.findings.filter(
        (finding) => finding.kind !== 'not_sealed' && finding.sequence >= position.sequence,
      ),
    );
    events += part.events;
    next = part.next;
    if (next !== undefined) break;
    verified.push(seal);
    previous = seal;
  }
  if (next === undefined && read.length > sealsInPage) next = { sequence: (previous?.sequence ?? 0) + 1 };
  const page = { issuer, before, verified, isEnd: next === undefined };
  // A replaced seal is reported once, though the anchored heads show it too.
  const found = new Set(
    findings.map((finding) => `${finding.kind} ${finding.kind !== 'not_sealed' && finding.sequence}`),
  );
  const isNew = (finding: Finding) =>
    finding.kind !== 'seal_replaced' ||
    !['seal_changed', 'seal_replaced'].some((kind) => found.has(`${kind} ${finding.sequence}`));
  findings.push(...(await compareWithHeads(verification, page)).filter(isNew));
  if (page.isEnd) findings.push(...sealedInTime(verification, previous));
  return {
    seals: verified.length,
    events,
    findings,
    ...(previous !== undefined && { until: previous.until }),
    ...(next !== undefined && { next }),
  };
}

/** Verifies about `mostEvents` events of a seal, from a position. At its beginning also verifies the seal itself. */
async function verifySeal(
  verification: SealVerification,
  seal: Seal,
  previous: Seal | undefined,
  from: SealPosition,
  mostEvents: number,
): Promise<{ readonly findings: readonly Finding[]; readonly events: number; readonly next?: SealPosition }> {
  const { sequence } = seal;
  const findings: Finding[] = [];
  // If the signature does not match, the rest of the seal is not compared.
  const isAuthentic = await verification.isSigned(statementText(seal), seal);
  if (from.list === undefined) {
    findings.push(...missingBetween(previous?.sequence ?? 0, sequence));
    if (!isAuthentic) findings.push({ kind: 'seal_changed', sequence });
    else
      findings.push(
        ...verifyStatement(verification, seal, previous),
        ...(await unlisted(verification, seal)),
      );
  }
  if (!isAuthentic) return { findings, events: 0 };
  let events = 0;
  let isListChanged = false;
  for await (const part of sealedParts(verification.seals, verification.sha256, seal, from)) {
    if (!part.isAsSealed && !isListChanged) findings.push({ kind: 'list_changed', sequence });
    isListChanged ||= !part.isAsSealed;
    findings.push(...(await verifyEvents(verification, seal, part)));
    events += part.leaves.length;
    if (events >= mostEvents && part.next !== undefined) return { findings, events, next: part.next };
  }
  return { findings, events };
}

function missingBetween(after: number, before: number): Finding[] {
  const findings: Finding[] = [];
  for (let sequence = after + 1; sequence < before; sequence += 1) {
    findings.push({ kind: 'seal_missing', sequence });
  }
  return findings;
}

function verifyStatement({ sha256 }: SealVerification, seal: Seal, previous: Seal | undefined): Finding[] {
  const { sequence, sealedAt } = seal;
  const findings: Finding[] = [];
  const adjacent = previous?.sequence === sequence - 1 || sequence === 1;
  const expected = previous === undefined ? '' : sealDigest(previous, sha256);
  if (adjacent && (seal.previous !== expected || (previous !== undefined && previous.until !== seal.from))) {
    findings.push({ kind: 'seal_replaced', sequence });
  }
  if (Date.parse(sealedAt) - Date.parse(seal.until) > lateMs) {
    findings.push({ kind: 'sealed_late', sequence, sealedAt });
  }
  return findings;
}

/** Finds events in the index, in windows and shards for which the seal has no list. */
async function unlisted({ events }: SealVerification, seal: Seal): Promise<Finding[]> {
  const { authority: issuer, sequence, lists } = seal;
  const findings: Finding[] = [];
  for (const startMs of windowsBetween(Date.parse(seal.from), Date.parse(seal.until))) {
    const listed = startMs === sealedWindow(seal) ? lists.map(({ shard }) => shard) : [];
    const empty = windowShards.filter((shard) => !listed.includes(shard));
    const present = await Promise.all(empty.map((shard) => events.between({ issuer, startMs, shard })));
    findings.push(...present.flat().map((leaf) => added(sequence, leaf)));
  }
  return findings;
}

/** Compares the events in a part of a list with the stored events, and with the index. */
async function verifyEvents(
  { events, sha256 }: SealVerification,
  { sequence }: Seal,
  { shard, leaves, before, isFirst, isLast }: SealedPart,
): Promise<Finding[]> {
  if (leaves.length === 0) return [];
  const stored = await events.read(leaves);
  const found = leaves.flatMap(({ pk, sk, digest }, at): Finding[] => {
    const event = stored[at];
    if (event === undefined) return [{ kind: 'event_missing', sequence, pk, sk }];
    return eventDigest(event, sha256) === digest ? [] : [{ kind: 'event_changed', sequence, pk, sk }];
  });
  const from = before?.sk ?? (isFirst ? undefined : leaves[0]?.sk);
  const present = await events.between(shard, from, isLast ? undefined : leaves.at(-1)?.sk);
  const sealed = new Set(
    [...leaves, ...(before === undefined ? [] : [before])].map(({ pk, sk }) => `${pk} ${sk}`),
  );
  const unsealed = present.filter(({ pk, sk }) => !sealed.has(`${pk} ${sk}`));
  return [...found, ...unsealed.map((leaf) => added(sequence, leaf))];
}

function added(sequence: number, { pk, sk }: Leaf): Finding {
  return { kind: 'event_added', sequence, pk, sk };
}

/**
 * Compares the page's seals with the anchored heads. On the last page also looks for seals that are missing at the end, and for the anchor
 * of the newest.
 */
async function compareWithHeads(
  { heads, sha256, now }: SealVerification,
  page: {
    readonly issuer: TokenIssuer;
    readonly before: Seal | undefined;
    readonly verified: readonly Seal[];
    readonly isEnd: boolean;
  },
): Promise<Finding[]> {
  const { issuer, before, verified, isEnd } = page;
  const last = verified.at(-1) ?? before;
  if (!isEnd && verified.length === 0) return [];
  const since = timeOf(before ?? verified[0]) ?? now() - headsLookBackMs;
  const until = isEnd ? now() : (timeOf(last) ?? now()) + unanchoredMs;
  const anchored = await heads.between(issuer, since, until);
  const digests = new Map(verified.map((seal) => [seal.sequence, sealDigest(seal, sha256)]));
  const replaced = new Set(
    anchored.flatMap(({ sequence, digest }) => {
      const actual = digests.get(sequence);
      return actual === undefined || actual === digest ? [] : [sequence];
    }),
  );
  const findings = [...replaced].map((sequence): Finding => ({ kind: 'seal_replaced', sequence }));
  if (!isEnd) return findings;
  const newest = Math.max(0, ...anchored.map(({ sequence }) => sequence));
  findings.push(...missingBetween(last?.sequence ?? 0, newest + 1));
  const sealedMs = timeOf(last);
  const isAnchored = anchored.some(({ sequence }) => sequence === last?.sequence);
  if (last !== undefined && !isAnchored && now() - (sealedMs ?? 0) > unanchoredMs) {
    findings.push({ kind: 'not_anchored', sequence: last.sequence });
  }
  return findings;
}

function timeOf(seal: Seal | undefined): number | undefined {
  const time = Date.parse(seal?.sealedAt ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function sealedInTime({ now }: SealVerification, last: Seal | undefined): Finding[] {
  const since = last?.until;
  if (since !== undefined && now() - Date.parse(since) <= unsealedMs) return [];
  return [{ kind: 'not_sealed', ...(since !== undefined && { since }) }];
}
