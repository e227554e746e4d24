import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson, eventDigest, type StoredEvent } from '../../lambdas/audit/event-digest.ts';
import type { Leaf, Seal } from '../../lambdas/audit/seal.ts';
import { sealFinished } from '../../lambdas/audit/sealing.ts';
import { verifySeals } from '../../lambdas/audit/verification.ts';
import { windowMs, windowStart } from '../../lambdas/audit/windows.ts';
import { digests } from '../../lambdas/runtime/digests.ts';

/** What verification finds, and page by page; how events and seals lie in the table is tried with the engine (seals.engine.test.ts). */

const authority = 'DSNP';
const startMs = Date.UTC(2026, 10, 20, 12);
const minuteMs = 60_000;
const sha256 = digests.sha256Hex;
const mac = (text: string) => createHmac('sha256', 'the key in KMS').update(text).digest('base64');

let nowMs: number;
let seals: Seal[];
let lists: Map<string, readonly Leaf[]>;
let events: (StoredEvent & Leaf & { readonly timeMs: number })[];
beforeEach(() => {
  [nowMs, seals, lists, events] = [startMs, [], new Map(), []];
});

const eventsPort = {
  inWindow: async (_authority: string, start: number) =>
    events.filter(({ timeMs }) => windowStart(timeMs) === start).toReversed(),
  read: async (keys: readonly Pick<Leaf, 'sk'>[]) => keys.map(({ sk }) => events.find((it) => it.sk === sk)),
};
const sealsPort = {
  last: async () => seals.at(-1),
  from: async (_authority: string, sequence: number, limit: number) =>
    seals.filter((seal) => seal.sequence >= sequence).slice(0, limit),
  leaves: async (_authority: string, root: string) => lists.get(root) ?? [],
  async add(seal: Seal, leaves: readonly Leaf[]) {
    if (seals.some(({ sequence }) => sequence === seal.sequence)) return false;
    lists.set(seal.root, leaves);
    seals.push(seal);
    return true;
  },
};

/** @param minute after the start */
function record(minute: number): void {
  const timeMs = startMs + minute * minuteMs;
  const content = { pk: 'AUDIT', sk: `${new Date(timeMs).toISOString()}#${events.length}`, timeMs };
  events.push({ ...content, digest: eventDigest(content, sha256) });
}

async function seal(minute: number) {
  nowMs = startMs + minute * minuteMs;
  const now = () => nowMs;
  const ports = { events: eventsPort, seals: sealsPort, authenticate: async (text: string) => mac(text) };
  return await sealFinished({ environment: 'sandbox', ...ports, sha256, now }, authority);
}

async function verify(sequence = 1) {
  const authentic = async (text: string, given: string) => given === mac(text);
  const now = () => nowMs;
  return await verifySeals(
    { events: eventsPort, seals: sealsPort, authentic, sha256, now },
    { authority, sequence },
  );
}

/** One event in each of so many windows, sealed in time. */
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
    expect(await verify(3)).toMatchObject({ seals: 2, events: 2, findings: [] });
  });

  it('takes a page of 26 seals, then of 25 each, and says where the next begins', async () => {
    await sealedWindows(60);
    const pages = [];
    for (let next: number | undefined = 1; next !== undefined; ) {
      const page = await verify(next);
      pages.push([page.seals, page.next]);
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
    expect([page.seals, page.events, page.next]).toEqual([3, 5_000, 4]);
    expect(page.until).toBe(new Date(startMs + 10 * minuteMs).toISOString());
    expect(await verify(4)).toMatchObject({ seals: 1, events: 2_500, findings: [] });
  });
});

describe('a trail that does not hang together', () => {
  /** Seals 3 and 4 of a trail whose seal 2 is another now: somebody sealed a second time, with an event less. */
  async function forked(): Promise<void> {
    await sealedWindows(3);
    const [, , third, fourth] = seals;
    events.shift();
    seals.splice(1);
    await seal(17);
    seals.splice(2, 2, ...[third, fourth].filter((it) => it !== undefined));
  }

  it('shows where a seal follows another than the one that stands before it', async () => {
    await forked();
    expect((await verify()).findings).toEqual([{ kind: 'seal_replaced', sequence: 3 }]);
  });

  it('shows it on the page that begins there', async () => {
    await forked();
    expect((await verify(3)).findings).toEqual([{ kind: 'seal_replaced', sequence: 3 }]);
  });

  it('shows a first seal that follows one', async () => {
    await sealedWindows(1);
    const [first] = seals;
    if (first === undefined) throw new Error('nothing is sealed');
    const { mac: _mac, ...statement } = { ...first, previous: 'x' };
    seals.splice(0, 2, { ...statement, mac: mac(canonicalJson(statement)) });
    expect((await verify()).findings).toEqual([{ kind: 'seal_replaced', sequence: 1 }]);
  });

  it('names each seal that is missing, from the one that was asked for on', async () => {
    await sealedWindows(5);
    seals.splice(2, 2);
    const missing = [3, 4].map((sequence) => ({ kind: 'seal_missing', sequence }));
    expect((await verify()).findings).toEqual(missing);
    expect((await verify(4)).findings).toEqual(missing.slice(1));
  });

  it('is late where a seal was made more than an hour after its time', async () => {
    await seal(0);
    record(0);
    await seal(65);
    expect((await verify()).findings).toEqual([]);
    seals.splice(1);
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

  it('has a list that was cut, though its root is asked for', async () => {
    await seal(0);
    record(0);
    record(1);
    await seal(7);
    const { root = '' } = seals[1] ?? {};
    lists.set(root, (lists.get(root) ?? []).slice(0, 1));
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

  it('puts the events in the order of time, in whichever they come', async () => {
    await seal(0);
    for (const minute of [3, 1, 2]) record(minute);
    await seal(7);
    const leaves = lists.get(seals[1]?.root ?? '') ?? [];
    expect(leaves.map(({ sk }) => sk)).toEqual(events.map(({ sk }) => sk).sort());
    expect(leaves).toHaveLength(3);
  });
});
