/** Seals the audit trail: writes the lists of each window's events, and a signed seal over them. */

import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import type { Sealing, WindowShard } from './audit-ports.ts';
import {
  chainOf,
  type Head,
  type ListPart,
  type Seal,
  type SealedList,
  sealDigest,
  statementText,
} from './seal.ts';
import { settledMs, windowMs, windowShards, windowStart } from './windows.ts';

/** Maximum milliseconds between seals. Without events a seal is written once an hour, to record that there were none. */
const longestQuietMs = 60 * 60_000;
/** Milliseconds before now at which the first seal of an environment begins: longer than the deployment of its stack takes. */
const firstLookBackMs = 30 * 60_000;
/** Maximum windows that one run seals; the next run seals the rest. */
const mostWindows = 300;
/** Leaves in one part of a list. A leaf has about 200 bytes, compressed about half of it; an item has at most 400 KB. */
const leavesInPart = 1_024;

export type SealingOutcome = 'sealed' | 'up to date' | Interruption['outcome'];

interface Listing {
  readonly kind: 'listed';
  readonly lists: readonly SealedList[];
}

/** Reason why a run ends early. The next run continues. */
interface Interruption {
  readonly kind: 'interruption';
  readonly outcome: 'sealed by another run' | 'out of time';
}

export interface SealingResult {
  readonly outcome: SealingOutcome;
  /** The issuer's newest seal, which the caller anchors. */
  readonly head?: Head;
}

/**
 * Seals an issuer's finished windows, with one seal for each window with events. Runs in the background. A run may be repeated,
 * interrupted, or concurrent with another: each part of a list and each seal is written once, and a run continues after the last part.
 *
 * @throws the ports' errors; everything written before stays.
 */
export async function sealFinished(sealing: Sealing, issuer: TokenIssuer): Promise<SealingResult> {
  const end = windowStart(sealing.now() - settledMs);
  let previous = await sealing.seals.last(issuer);
  let from = firstWindow(previous, end);
  let outcome: SealingOutcome = 'up to date';
  const lastWindow = Math.min(end, from + mostWindows * windowMs);
  for (let start = from; start < lastWindow; start += windowMs) {
    const listed = await listWindow(sealing, issuer, start);
    if (listed.kind === 'interruption') {
      outcome = listed.outcome;
      break;
    }
    const { lists } = listed;
    const until = start + windowMs;
    // The first seal is written even if it has no events, so that every later event follows a seal.
    if (lists.length === 0 && previous !== undefined && until - from < longestQuietMs) continue;
    const seal = await sealOf(sealing, issuer, previous, { from, until, lists });
    if (!(await sealing.seals.add(seal))) {
      outcome = 'sealed by another run';
      break;
    }
    [previous, from, outcome] = [seal, until, 'sealed'];
  }
  return { outcome, ...(previous !== undefined && { head: headOf(previous, sealing) }) };
}

/**
 * Start of the first window to seal: the end of the newest seal. If that seal is damaged, sealing begins as in a new environment, and
 * verification reports the damage.
 */
function firstWindow(previous: Seal | undefined, end: number): number {
  const until = Date.parse(previous?.until ?? '');
  return Number.isNaN(until) ? windowStart(end - firstLookBackMs) : until;
}

function headOf(seal: Seal, { sha256 }: Sealing): Head {
  return { sequence: seal.sequence, digest: sealDigest(seal, sha256) };
}

/** Lists the events of a window, all its shards in parallel. */
async function listWindow(
  sealing: Sealing,
  issuer: TokenIssuer,
  startMs: number,
): Promise<Listing | Interruption> {
  const shards = await Promise.all(
    windowShards.map((shard) => listShard(sealing, { issuer, startMs, shard })),
  );
  const interruption = shards.find((each) => each.kind === 'interruption');
  if (interruption !== undefined) return interruption;
  return { kind: 'listed', lists: shards.flatMap((each) => (each.kind === 'listed' ? each.lists : [])) };
}

/** Lists the events of one shard, continuing after the last part that any run has written. */
async function listShard(
  { events, seals, sha256, now, endsAt }: Sealing,
  shard: WindowShard,
): Promise<Listing | Interruption> {
  let last = await seals.lastPart(shard);
  const waiting = [];
  for (let more = true; more || waiting.length > 0; ) {
    if (more && waiting.length < leavesInPart) {
      const page = await events.after(shard, waiting.at(-1) ?? last?.leaves.at(-1));
      waiting.push(...page.leaves);
      more = page.more;
      continue;
    }
    if (now() > endsAt) return { kind: 'interruption', outcome: 'out of time' };
    const leaves = waiting.splice(0, leavesInPart);
    const part: ListPart = {
      part: (last?.part ?? -1) + 1,
      events: (last?.events ?? 0) + leaves.length,
      chain: chainOf(last?.chain ?? '', leaves, sha256),
      leaves,
    };
    if (!(await seals.addPart(shard, part)))
      return { kind: 'interruption', outcome: 'sealed by another run' };
    last = part;
  }
  if (last === undefined) return { kind: 'listed', lists: [] };
  const list = { shard: shard.shard, parts: last.part + 1, events: last.events, chain: last.chain };
  return { kind: 'listed', lists: [list] };
}

async function sealOf(
  { environment, signer, sha256, now }: Sealing,
  issuer: TokenIssuer,
  previous: Seal | undefined,
  span: { readonly from: number; readonly until: number; readonly lists: readonly SealedList[] },
): Promise<Seal> {
  const statement = {
    environment,
    authority: issuer,
    sequence: (previous?.sequence ?? 0) + 1,
    from: new Date(span.from).toISOString(),
    until: new Date(span.until).toISOString(),
    events: span.lists.reduce((sum, { events }) => sum + events, 0),
    lists: span.lists,
    previous: previous === undefined ? '' : sealDigest(previous, sha256),
    sealedAt: new Date(now()).toISOString(),
    keyId: signer.keyId,
  };
  return { ...statement, signature: await signer.sign(statementText(statement)) };
}
