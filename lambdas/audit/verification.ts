import { eventDigest } from './event-digest.ts';
import type { Verification } from './ports.ts';
import { type Leaf, rootOf, type Seal, sealDigest, statementText } from './seal.ts';
import type { Finding, VerificationAnswer, VerificationRequest } from './verification-contract.ts';
import { settledMs, windowMs, windowsBetween } from './windows.ts';

const lateMs = 60 * 60_000;
/** So long nothing may be sealed: a quiet authority's hour, and two runs that failed. */
const unsealedMs = lateMs + settledMs + 3 * windowMs;
const sealsInPage = 25;
const mostEventsInPage = 5_000;

/**
 * Computes anew what was sealed, and compares. A page at a time, so that years can be verified.
 *
 * @throws what the ports throw.
 */
export async function verifySeals(
  verification: Verification,
  { authority, sequence }: VerificationRequest,
): Promise<VerificationAnswer> {
  // The seal before the page is read with it: the first of the page follows it.
  const first = Math.max(1, sequence - 1);
  const seals = await verification.seals.from(authority, first, sealsInPage + 1);
  const findings: Finding[] = [];
  let previous: Seal | undefined;
  let verified = 0;
  let events = 0;
  for (const seal of seals) {
    if (seal.sequence >= sequence) {
      if (events >= mostEventsInPage) {
        return { ...summary(verified, events, findings, previous), next: seal.sequence };
      }
      findings.push(...(await verifySeal(verification, seal, previous, sequence)));
      verified += 1;
      events += seal.events;
    }
    previous = seal;
  }
  if (seals.length > sealsInPage) {
    return { ...summary(verified, events, findings, previous), next: (previous?.sequence ?? 0) + 1 };
  }
  const since = previous?.until;
  if (since === undefined || verification.now() - Date.parse(since) > unsealedMs) {
    findings.push({ kind: 'not_sealed', ...(since !== undefined && { since }) });
  }
  return summary(verified, events, findings, previous);
}

function summary(seals: number, events: number, findings: readonly Finding[], last: Seal | undefined) {
  return { seals, events, findings, ...(last !== undefined && { until: last.until }) };
}

async function verifySeal(
  verification: Verification,
  seal: Seal,
  previous: Seal | undefined,
  from: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { sequence } = seal;
  for (let missing = Math.max(from, (previous?.sequence ?? from - 1) + 1); missing < sequence; missing += 1) {
    findings.push({ kind: 'seal_missing', sequence: missing });
  }
  // What its MAC doesn't cover is worth no further look.
  if (!(await verification.authentic(statementText(seal), seal.mac))) {
    return [...findings, { kind: 'seal_changed', sequence }];
  }
  const adjacent = previous?.sequence === sequence - 1 || sequence === 1;
  const expected = previous === undefined ? '' : sealDigest(previous, verification.sha256);
  if (adjacent && (seal.previous !== expected || (previous !== undefined && previous.until !== seal.from))) {
    findings.push({ kind: 'seal_replaced', sequence });
  }
  if (Date.parse(seal.sealedAt) - Date.parse(seal.until) > lateMs) {
    findings.push({ kind: 'sealed_late', sequence, sealedAt: seal.sealedAt });
  }
  const leaves = await verification.seals.leaves(seal.authority, seal.root);
  if (leaves.length !== seal.events || rootOf(leaves, verification.sha256) !== seal.root) {
    findings.push({ kind: 'list_changed', sequence });
  }
  return [...findings, ...(await verifyEvents(verification, seal, leaves))];
}

/** Every sealed event against what is stored, and what is stored against the sealed ones. */
async function verifyEvents(
  { events, sha256 }: Verification,
  seal: Seal,
  leaves: readonly Leaf[],
): Promise<Finding[]> {
  const { sequence, authority } = seal;
  const stored = await events.read(leaves);
  const found = leaves.flatMap(({ pk, sk, digest }, at): Finding[] => {
    const event = stored[at];
    if (event === undefined) return [{ kind: 'event_missing', sequence, pk, sk }];
    return eventDigest(event, sha256) === digest ? [] : [{ kind: 'event_changed', sequence, pk, sk }];
  });
  const sealed = new Set(leaves.map(({ pk, sk }) => `${pk} ${sk}`));
  const starts = windowsBetween(Date.parse(seal.from), Date.parse(seal.until));
  const present = await Promise.all(starts.map((start) => events.inWindow(authority, start)));
  const added = present.flat().filter(({ pk, sk }) => !sealed.has(`${pk} ${sk}`));
  return [...found, ...added.map(({ pk, sk }): Finding => ({ kind: 'event_added', sequence, pk, sk }))];
}
