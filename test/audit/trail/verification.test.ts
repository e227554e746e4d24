import { beforeEach, describe, expect, it } from 'vitest';
import type { WindowShard } from '../../../lambdas/audit/trail/audit-ports.ts';
import { eventDigest, type StoredEvent } from '../../../lambdas/audit/trail/event-digest.ts';
import {
  type Head,
  type Leaf,
  type ListPart,
  type Seal,
  statementText,
} from '../../../lambdas/audit/trail/seal.ts';
import type { SealPosition } from '../../../lambdas/audit/trail/sealed-parts.ts';
import { sealFinished } from '../../../lambdas/audit/trail/sealing.ts';
import { verifySeals } from '../../../lambdas/audit/trail/verification.ts';
import { windowMs, windowPartition, windowStart } from '../../../lambdas/audit/trail/windows.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { createSealKey } from '../../support/seal-key.ts';

/** The findings of the verification and its pages. The storage of events and seals is tested in seals.engine.test.ts. */

const issuer = 'DSNP';
const startMs = Date.UTC(2026, 10, 20, 12);
const minuteMs = 60_000;
const sha256 = digests.sha256Hex;
const { signer, isSigned } = createSealKey();

let nowMs: number;
let seals: Seal[];
let parts: Map<string, ListPart>;
let heads: (Head & { readonly at: number })[];
let events: (StoredEvent & Leaf & { readonly timeMs: number })[];
beforeEach(() => {
  [nowMs, seals, parts, heads, events] = [startMs, [], new Map(), [], []];
});

/** All events of these tests are in one shard. */
const inShard = ({ shard, startMs: start }: WindowShard) =>
  shard === 0
    ? events.filter(({ timeMs }) => windowStart(timeMs) === start).toSorted((a, b) => (a.sk < b.sk ? -1 : 1))
    : [];
const pageOfIndex = 700;
const eventsPort = {
  async after(shard: WindowShard, leaf?: Leaf) {
    const all = inShard(shard).filter(({ sk }) => leaf === undefined || sk > leaf.sk);
    return { leaves: all.slice(0, pageOfIndex), more: all.length > pageOfIndex };
  },
  between: async (shard: WindowShard, from?: string, to?: string) =>
    inShard(shard).filter(({ sk }) => (from === undefined || sk >= from) && (to === undefined || sk <= to)),
  read: async (keys: readonly Pick<Leaf, 'sk'>[]) => {
    const bySk = new Map(events.map((event) => [event.sk, event]));
    return keys.map(({ sk }) => bySk.get(sk));
  },
};
const partKey = ({ startMs: start, shard }: WindowShard, part: number) =>
  `${windowPartition(issuer, start, shard)} ${part}`;
const sealsPort = {
  last: async () => seals.at(-1),
  from: async (_authority: string, sequence: number, limit: number) =>
    seals.filter((seal) => seal.sequence >= sequence).slice(0, limit),
  part: async (shard: WindowShard, part: number) => parts.get(partKey(shard, part)),
  async lastPart(shard: WindowShard) {
    for (let part = 0, found: ListPart | undefined; ; part += 1) {
      const next = parts.get(partKey(shard, part));
      if (next === undefined) return found;
      found = next;
    }
  },
  async addPart(shard: WindowShard, part: ListPart) {
    if (parts.has(partKey(shard, part.part))) return false;
    parts.set(partKey(shard, part.part), part);
    return true;
  },
  async add(seal: Seal) {
    if (seals.some(({ sequence }) => sequence === seal.sequence)) return false;
    seals.push(seal);
    return true;
  },
};
const headsPort = {
  between: async (_authority: string, from: number, until: number) =>
    heads.filter(({ at }) => at >= from && at <= until),
};

/** @param minute minutes after the start */
function record(minute: number): void {
  const timeMs = startMs + minute * minuteMs;
  const sk = `${new Date(timeMs).toISOString()}#${String(events.length).padStart(5, '0')}`;
  const content = { pk: 'AUDIT', sk, timeMs };
  events.push({ ...content, digest: eventDigest(content, sha256) });
}

async function seal(minute: number, { endsAt = Number.POSITIVE_INFINITY, anchor = true } = {}) {
  nowMs = startMs + minute * minuteMs;
  const now = () => nowMs;
  const ports = { events: eventsPort, seals: sealsPort, signer };
  const { outcome, head } = await sealFinished(
    { environment: 'sandbox', ...ports, sha256, now, endsAt },
    issuer,
  );
  if (head !== undefined && anchor) heads.push({ ...head, at: nowMs });
  return outcome;
}

async function verify(position: SealPosition = { sequence: 1 }) {
  const now = () => nowMs;
  return await verifySeals(
    { events: eventsPort, seals: sealsPort, heads: headsPort, isSigned, sha256, now },
    { issuer, ...position },
  );
}

/** Seals `count` windows with one event each, each in time. */
async function sealedWindows(count: number): Promise<void> {
  await seal(0);
  for (let at = 0; at < count; at += 1) record(at * 5);
  await seal(count * 5 + 2);
}

describe('verification', () => {
  it('says how many seals and events it verified, and up to when', async () => {
    await sealedWindows(3);
    expect(await verify()).toEqual({
      seals: 4,
      events: 3,
      findings: [],
      until: new Date(startMs + 15 * minuteMs).toISOString(),
    });
  });

  it('begins at the seal it is asked for', async () => {
    await sealedWindows(3);
    expect(await verify({ sequence: 3 })).toMatchObject({ seals: 2, events: 2, findings: [] });
  });

  it('takes a page of 26 seals, then of 25 each, and says where the next begins', async () => {
    await sealedWindows(60);
    const pages = [];
    for (let next: SealPosition | undefined = { sequence: 1 }; next !== undefined; ) {
      const page = await verify(next);
      pages.push([page.seals, page.next?.sequence]);
      next = page.next;
    }
    expect(pages).toEqual([
      [26, 27],
      [25, 52],
      [10, undefined],
    ]);
  });

  it('ends a page after the seal with its five thousandth event', async () => {
    await seal(0);
    for (const window of [0, 1, 2]) for (let at = 0; at < 2_500; at += 1) record(window * 5);
    await seal(17);
    const page = await verify();
    expect([page.seals, page.events, page.next]).toEqual([3, 5_000, { sequence: 4 }]);
    expect(page.until).toBe(new Date(startMs + 10 * minuteMs).toISOString());
    expect(await verify({ sequence: 4 })).toMatchObject({ seals: 1, events: 2_500, findings: [] });
  });
});

describe('a seal of more events than a page', () => {
  it('is verified page by page, and each event once', async () => {
    await seal(0);
    for (let at = 0; at < 12_000; at += 1) record(1);
    await seal(7);
    const [changed] = events.splice(11_000, 1);
    if (changed === undefined) throw new Error('nothing was recorded');
    events.push({ ...changed, outcome: 'another' } as typeof changed);
    const pages = [];
    for (let next: SealPosition | undefined = { sequence: 1 }; next !== undefined; ) {
      const page = await verify(next);
      pages.push(page);
      next = page.next;
    }
    expect(pages.map(({ seals: count, events: read, next }) => [count, read, next])).toEqual([
      [1, 5_120, { sequence: 2, list: 0, part: 5 }],
      [0, 5_120, { sequence: 2, list: 0, part: 10 }],
      [1, 1_760, undefined],
    ]);
    expect(pages.flatMap(({ findings }) => findings)).toEqual([
      { kind: 'event_changed', sequence: 2, pk: changed.pk, sk: changed.sk },
    ]);
  });

  it('shows an event put among those of another page', async () => {
    await seal(0);
    for (let at = 0; at < 12_000; at += 1) record(1);
    await seal(7);
    const between = { pk: 'AUDIT', sk: `${events[7_000]?.sk}x`, timeMs: startMs + minuteMs };
    events.push({ ...between, digest: eventDigest(between, sha256) });
    const findings = [];
    for (let next: SealPosition | undefined = { sequence: 1 }; next !== undefined; ) {
      const page = await verify(next);
      findings.push(...page.findings);
      next = page.next;
    }
    expect(findings).toEqual([{ kind: 'event_added', sequence: 2, pk: between.pk, sk: between.sk }]);
  });
});

describe('a head that is anchored outside the table', () => {
  it('names the newest seals that were taken out', async () => {
    await sealedWindows(3);
    seals.splice(2);
    expect((await verify()).findings).toEqual([
      { kind: 'seal_missing', sequence: 3 },
      { kind: 'seal_missing', sequence: 4 },
    ]);
  });

  it('names them all where none is left', async () => {
    await sealedWindows(1);
    seals.splice(0);
    expect((await verify()).findings).toEqual([
      { kind: 'seal_missing', sequence: 1 },
      { kind: 'seal_missing', sequence: 2 },
      { kind: 'not_sealed' },
    ]);
  });

  it('shows that a seal was taken out with an event and made again in time', async () => {
    await sealedWindows(2);
    record(11);
    await seal(17);
    const last = seals.at(-1)?.sequence ?? 0;
    events.pop();
    seals.splice(-1);
    parts.delete(partKey({ issuer, startMs: startMs + 2 * windowMs, shard: 0 }, 0));
    record(12);
    await seal(18);
    expect((await verify()).findings).toEqual([{ kind: 'seal_replaced', sequence: last }]);
    expect((await verify({ sequence: last })).findings).toEqual([{ kind: 'seal_replaced', sequence: last }]);
  });

  it('is missed where nobody anchored for three runs', async () => {
    await seal(0);
    record(1);
    await seal(7, { anchor: false });
    nowMs += 15 * minuteMs;
    expect((await verify()).findings).toEqual([]);
    nowMs += 1;
    expect((await verify()).findings).toEqual([{ kind: 'not_anchored', sequence: 2 }]);
    await seal(23);
    expect((await verify()).findings).toEqual([]);
  });
});

describe('a trail that does not hang together', () => {
  /** Makes a trail of four seals whose seal 2 was later replaced by one with an event less, so that seal 3 follows the old seal 2. */
  async function forked(): Promise<void> {
    await sealedWindows(3);
    const [, , third, fourth] = seals;
    events.shift();
    seals.splice(1);
    parts.clear();
    await seal(17, { anchor: false });
    seals.splice(2, 2, ...[third, fourth].filter((it) => it !== undefined));
  }

  it('shows where a seal follows another than the one that stands before it', async () => {
    await forked();
    expect((await verify()).findings).toEqual([{ kind: 'seal_replaced', sequence: 3 }]);
  });

  it('shows it on the page that begins there', async () => {
    await forked();
    expect((await verify({ sequence: 3 })).findings).toEqual([{ kind: 'seal_replaced', sequence: 3 }]);
  });

  it('shows a first seal that follows one', async () => {
    await sealedWindows(1);
    const [first] = seals;
    if (first === undefined) throw new Error('nothing is sealed');
    const { signature: _signature, ...statement } = { ...first, previous: 'x' };
    seals.splice(0, 2, { ...statement, signature: await signer.sign(statementText(statement)) });
    expect((await verify()).findings[0]).toEqual({ kind: 'seal_replaced', sequence: 1 });
  });

  it('names each seal that is missing, from the one that was asked for on', async () => {
    await sealedWindows(5);
    seals.splice(2, 2);
    const missing = [3, 4].map((sequence) => ({ kind: 'seal_missing', sequence }));
    expect((await verify()).findings).toEqual(missing);
    expect((await verify({ sequence: 4 })).findings).toEqual(missing.slice(1));
  });

  it('is late where a seal was made more than an hour after its time', async () => {
    await seal(0);
    record(0);
    await seal(65);
    expect((await verify()).findings).toEqual([]);
    seals.splice(1);
    heads.splice(1);
    await seal(65.01);
    const sealedAt = new Date(nowMs).toISOString();
    expect((await verify()).findings).toEqual([{ kind: 'sealed_late', sequence: 2, sealedAt }]);
  });

  it('is not sealed where nothing was for an hour, two runs and the time to settle', async () => {
    await sealedWindows(1);
    const until = startMs + 5 * minuteMs;
    nowMs = until + (60 + 2) * minuteMs + 3 * windowMs;
    expect((await verify()).findings).toEqual([]);
    nowMs += 1;
    expect((await verify()).findings).toEqual([{ kind: 'not_sealed', since: new Date(until).toISOString() }]);
  });

  it('is not sealed where there is no seal at all', async () => {
    expect(await verify()).toEqual({ seals: 0, events: 0, findings: [{ kind: 'not_sealed' }] });
  });

  it('shows an event that was changed, and one that is gone', async () => {
    await seal(0);
    record(0);
    record(1);
    await seal(7);
    const [changed, gone] = events.splice(0);
    if (changed === undefined || gone === undefined) throw new Error('nothing was recorded');
    events.push({ ...changed, outcome: 'another' } as typeof changed);
    expect((await verify()).findings).toEqual([
      { kind: 'event_changed', sequence: 2, pk: changed.pk, sk: changed.sk },
      { kind: 'event_missing', sequence: 2, pk: gone.pk, sk: gone.sk },
    ]);
  });

  it('shows a seal whose words are not those it was made with, and looks no further into it', async () => {
    await sealedWindows(1);
    const [first, second] = seals.splice(0);
    if (first === undefined || second === undefined) throw new Error('nothing is sealed');
    seals.push(first, { ...second, events: 99 });
    expect((await verify()).findings).toEqual([{ kind: 'seal_changed', sequence: 2 }]);
  });

  it('has a list that was cut', async () => {
    await seal(0);
    record(0);
    record(1);
    await seal(7);
    const [[key, part] = []] = parts;
    if (key === undefined || part === undefined) throw new Error('nothing was listed');
    parts.set(key, { ...part, leaves: part.leaves.slice(0, 1) });
    expect((await verify()).findings.map(({ kind }) => kind)).toEqual(['list_changed', 'event_added']);
  });
});

describe('a run that seals', () => {
  it('waits until a window has been over for two minutes, and says what it did', async () => {
    expect(await seal(6.99)).toBe('sealed');
    record(1);
    expect(await seal(6.999)).toBe('up to date');
    expect(await seal(7)).toBe('sealed');
    expect(seals.at(-1)).toMatchObject({ events: 1, until: new Date(startMs + 5 * minuteMs).toISOString() });
  });

  it('seals a quiet hour as one', async () => {
    await seal(7);
    for (let minute = 12; minute <= 70; minute += 5) await seal(minute);
    expect(seals.map(({ until }) => (Date.parse(until) - startMs) / minuteMs)).toEqual([-20, 40]);
  });

  it('looks at three hundred windows at most, and leaves the rest to the next', async () => {
    await seal(0);
    const sealedMs = () => Date.parse(seals.at(-1)?.until ?? '');
    const before = sealedMs();
    for (let window = 0; window < 302; window += 1) record(window * 5);
    await seal(302 * 5 + 2);
    expect((sealedMs() - before) / windowMs).toBe(300);
    await seal(302 * 5 + 2);
    expect(sealedMs()).toBe(startMs + 302 * windowMs);
  });

  it('goes on where a run was cut off, and lists each event once', async () => {
    await seal(0);
    for (let at = 0; at < 5_000; at += 1) record(1);
    const failing = { ...sealsPort };
    let written = 0;
    failing.addPart = async (shard, part) => {
      written += 1;
      if (written > 2) throw new Error('the run was cut off');
      return await sealsPort.addPart(shard, part);
    };
    nowMs = startMs + 7 * minuteMs;
    const ports = {
      events: eventsPort,
      signer,
      sha256,
      now: () => nowMs,
    };
    const run = { environment: 'sandbox', ...ports, endsAt: Number.POSITIVE_INFINITY } as const;
    await expect(sealFinished({ ...run, seals: failing }, issuer)).rejects.toThrow('cut off');
    expect([...parts.values()].map(({ events: count }) => count)).toEqual([1_024, 2_048]);
    expect(await seal(7)).toBe('sealed');
    expect(seals.at(-1)).toMatchObject({ events: 5_000, lists: [{ parts: 5, events: 5_000 }] });
    expect(await verify()).toMatchObject({ events: 5_000, findings: [] });
  });

  it('ends by itself when its time is over, and the next goes on', async () => {
    await seal(0);
    for (let at = 0; at < 100; at += 1) record(1);
    expect(await seal(7, { endsAt: startMs + 7 * minuteMs - 1 })).toBe('out of time');
    expect(await seal(7)).toBe('sealed');
    expect(await verify()).toMatchObject({ events: 100, findings: [] });
  });

  it('goes on after a newest seal that somebody spoiled', async () => {
    await sealedWindows(1);
    const [first] = seals;
    if (first === undefined) throw new Error('nothing is sealed');
    seals[1] = { ...first, sequence: 2, until: '', lists: [], signature: '' };
    record(8);
    expect(await seal(12)).toBe('sealed');
    expect((await verify()).findings.map(({ kind }) => kind)).toContain('seal_changed');
  });

  it('puts the events in the order of time, in whichever they come', async () => {
    await seal(0);
    for (const minute of [3, 1, 2]) record(minute);
    await seal(7);
    const leaves = [...parts.values()].flatMap((part) => part.leaves);
    expect(leaves.map(({ sk }) => sk)).toEqual(events.map(({ sk }) => sk).sort());
    expect(leaves).toHaveLength(3);
  });
});
