/** Seals the audit trail: a Merkle root and a MAC over the events of each window of time. */

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

/** Longest time between seals, in milliseconds: without events a seal is written once an hour, to record that there were none. */
const longestQuietMs = 60 * 60_000;
/** Start of the first seal of an environment, in milliseconds before now: longer than a deployment of its stack takes. */
const firstLookBackMs = 30 * 60_000;
/** Most windows that one run seals; the next run seals the rest. */
const mostWindows = 300;
/** A leaf is some 200 bytes, half of it once compressed, and an item 400 KB at most. */
const leavesInPart = 1_024;

export type SealingOutcome = 'sealed' | 'up to date' | Interruption['outcome'];

interface Listing {
  readonly kind: 'listed';
  readonly lists: readonly SealedList[];
}

/** Ends a run at its deadline; the next run continues. */
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
 * Seals an authority's windows that are over, one seal for each window with events. Runs in the background. A run may be repeated,
 * interrupted, or run beside another: each part of a list and each seal's number is written once, and a run continues after
 * the last part.
 *
 * @throws what the ports throw; what was written until then stays.
 */
export async function sealFinished(sealing: Sealing, authority: TokenIssuer): Promise<SealingResult> {
  const end = windowStart(sealing.now() - settledMs);
  let previous = await sealing.seals.last(authority);
  let from = firstWindow(previous, end);
  let outcome: SealingOutcome = 'up to date';
  const lastWindow = Math.min(end, from + mostWindows * windowMs);
  for (let start = from; start < lastWindow; start += windowMs) {
    const listed = await listWindow(sealing, authority, start);
    if (listed.kind === 'interruption') {
      outcome = listed.outcome;
      break;
    }
    const { lists } = listed;
    const until = start + windowMs;
    // The first seal is made at once, also if it is empty: later events always have a seal before them.
    if (lists.length === 0 && previous !== undefined && until - from < longestQuietMs) continue;
    const seal = await sealOf(sealing, authority, previous, { from, until, lists });
    if (!(await sealing.seals.add(seal))) {
      outcome = 'sealed by another run';
      break;
    }
    [previous, from, outcome] = [seal, until, 'sealed'];
  }
  return { outcome, ...(previous !== undefined && { head: headOf(previous, sealing) }) };
}

/** The newest seal; if it was damaged, sealing continues as in a new environment, and verification reports it. */
function firstWindow(previous: Seal | undefined, end: number): number {
  const until = Date.parse(previous?.until ?? '');
  return Number.isNaN(until) ? windowStart(end - firstLookBackMs) : until;
}

function headOf(seal: Seal, { sha256 }: Sealing): Head {
  return { sequence: seal.sequence, digest: sealDigest(seal, sha256) };
}

/** Lists the events of a window, all shards in parallel. */
async function listWindow(
  sealing: Sealing,
  authority: TokenIssuer,
  startMs: number,
): Promise<Listing | Interruption> {
  const shards = await Promise.all(
    windowShards.map((shard) => listShard(sealing, { authority, startMs, shard })),
  );
  const interruption = shards.find((each) => each.kind === 'interruption');
  if (interruption !== undefined) return interruption;
  return { kind: 'listed', lists: shards.flatMap((each) => (each.kind === 'listed' ? each.lists : [])) };
}

/** Continues after the last part that another run has written. */
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
  { environment, authenticate, sha256, now }: Sealing,
  authority: TokenIssuer,
  previous: Seal | undefined,
  span: { readonly from: number; readonly until: number; readonly lists: readonly SealedList[] },
): Promise<Seal> {
  const statement = {
    environment,
    authority,
    sequence: (previous?.sequence ?? 0) + 1,
    from: new Date(span.from).toISOString(),
    until: new Date(span.until).toISOString(),
    events: span.lists.reduce((sum, { events }) => sum + events, 0),
    lists: span.lists,
    previous: previous === undefined ? '' : sealDigest(previous, sha256),
    sealedAt: new Date(now()).toISOString(),
  };
  return { ...statement, mac: await authenticate(statementText(statement)) };
}
