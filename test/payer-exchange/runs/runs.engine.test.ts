import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { auditWrite } from '../../../lambdas/audit/store/audit-events-contract.ts';
import type { MemberExchange } from '../../../lambdas/payer-exchange/exchange/member-exchange.ts';
import type { OtherPayer } from '../../../lambdas/payer-exchange/payers/other-payer.ts';
import { beginDueRuns } from '../../../lambdas/payer-exchange/runs/begin-runs.ts';
import { carryOutExchangeStep } from '../../../lambdas/payer-exchange/runs/exchange-steps.ts';
import { PayerUnreachable, type RunDependencies } from '../../../lambdas/payer-exchange/runs/run-ports.ts';
import { createExchangeRuns } from '../../../lambdas/payer-exchange/store/exchange-runs.ts';
import { createMemberExchanges } from '../../../lambdas/payer-exchange/store/member-exchanges-contract.ts';
import { queryAll } from '../../../lambdas/platform/table/query-all.ts';
import { patientAuditPartition } from '../../../lambdas/platform/table/table-keys.ts';
import { createEmptyTable } from '../../support/empty-table.ts';
import { claimThere, type PersonThere, payerBase, scriptedPayer } from './scripted-payer.ts';

const table = await createEmptyTable();
const lob = 'DSNP';
const day = 86_400_000;
const payerOf = (payerId: string): OtherPayer => ({
  payerId,
  name: 'Former Plan',
  state: 'active',
  identifiers: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1245319599' }],
  fhirBase: payerBase,
  tokenEndpoint: 'https://former.example/token',
  clientId: 'us',
  scopes: 'system/*.rs',
  version: '2.2',
  linesOfBusiness: [lob],
  source: 'operator',
  checks: [],
  changedAt: '2027-01-01T00:00:00.000Z',
  revision: 1,
});

/** A system with a payer of its own: its exchanges, runs, objects and drops, and a loader that takes every drop. */
function world(people: PersonThere[] = []) {
  const payerId = `former-${randomUUID().slice(0, 8)}`;
  const clock = { now: Date.parse('2027-01-04T08:00:00.000Z') };
  const now = () => clock.now;
  const server = scriptedPayer(people);
  const objects = new Map<string, Uint8Array>();
  const drops = new Map<string, string>();
  const record = new Map<string, { readonly json: string; readonly patient: string }>();
  const exchanges = createMemberExchanges(table, { lob, now, auditWrite });
  const runs = createExchangeRuns(table, lob);
  const reports: unknown[] = [];
  const bytesOf = (body: string | Uint8Array) => (typeof body === 'string' ? Buffer.from(body) : body);
  const files: RunDependencies['files'] = {
    put: async (key, body) => void objects.set(key, bytesOf(body)),
    read: async (key) => objects.get(key),
    keys: async (prefix) => [...objects.keys()].filter((key) => key.startsWith(prefix)),
    remove: async (keys) => {
      for (const key of keys) objects.delete(key);
    },
  };
  const deps: RunDependencies = {
    runs,
    exchanges,
    files,
    drops: {
      put: async (key, body) => {
        drops.set(key, Buffer.from(bytesOf(body)).toString());
        if (key.endsWith('manifest.json')) load(key.replace('manifest.json', ''));
      },
      readText: async (key) => drops.get(key),
    },
    payer: async (id) => (id === payerId ? payerOf(id) : undefined),
    server: () => server,
    patient: async (patientId) => ({
      resourceType: 'Patient',
      id: patientId,
      name: [{ family: 'Sampleton', given: ['Mia'] }],
      gender: 'female',
      birthDate: '1985-04-02',
    }),
    us: {
      name: 'Example Plan',
      identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' },
    },
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    gunzip: (bytes) => Readable.from(bytes).pipe(createGunzip()),
    now,
    event: ({ runId }, about) => ({
      ...about,
      eventId: randomUUID(),
      time: new Date(now()).toISOString(),
      environment: 'sandbox',
      lob,
      actor: 'exchange-steps',
      requestId: runId,
    }),
    report: (code, fields) => reports.push([code, fields]),
  };

  /** Loads a drop as the loader would: by ID, the rows of the manifest's files. */
  function load(folder: string): void {
    const manifest = JSON.parse(drops.get(`${folder}manifest.json`) ?? '{}');
    for (const { name, rows, sha256 } of manifest.files) {
      const text = drops.get(`${folder}${name}`) ?? '';
      expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
      const lines = text.trim().split('\n');
      expect(lines).toHaveLength(rows);
      for (const line of lines) {
        const { id, resourceType, patient } = JSON.parse(line);
        record.set(`${resourceType}/${id}`, { json: line, patient: String(patient?.reference) });
      }
    }
    drops.set(`${folder}report.json`, JSON.stringify({ state: 'reconciled' }));
  }

  async function optIn(memberNumber: string, more: Partial<MemberExchange> = {}): Promise<MemberExchange> {
    const exchange = {
      lob,
      patientId: randomUUID(),
      exchangeId: randomUUID(),
      state: 'payer-known',
      payerId,
      plan: { name: 'Former Plan', memberNumber },
      isConcurrent: true,
      permission: {
        givenAt: new Date(now()).toISOString(),
        by: { kind: 'member', id: 'sub-1' },
        policy: 'regular',
      },
      ...more,
    } as const;
    await exchanges.begin(exchange);
    return (await exchanges.find([exchange]))[0] as MemberExchange;
  }

  const current = async (exchange: MemberExchange) => (await exchanges.find([exchange]))[0] as MemberExchange;
  const started: string[] = [];
  const begin = async () => {
    const begun = await beginDueRuns(
      { ...deps, start: async ({ runId }) => void started.push(runId), uuid: randomUUID },
      lob,
    );
    return begun.filter((run) => run.payerId === payerId);
  };

  /** Carries out the steps of a run until it has ended, waiting as each says. */
  async function finish(runId: string, beforeStep: (at: number) => void = () => {}) {
    for (let at = 0; at < 500; at += 1) {
      beforeStep(at);
      const answer = await carryOutExchangeStep(deps, { step: 'next', lob, runId });
      if (answer.kind === 'ended') return await runs.find(runId);
      if (answer.kind === 'wait') clock.now += answer.seconds * 1000;
    }
    throw new Error('the run does not end');
  }

  async function exchangeAll() {
    const [run] = await begin();
    if (run === undefined) throw new Error('nothing was due');
    return await finish(run.runId);
  }

  return {
    payerId,
    clock,
    server,
    objects,
    drops,
    record,
    exchanges,
    runs,
    reports,
    deps,
    optIn,
    current,
    begin,
    finish,
    exchangeAll,
    started,
  };
}

const mia = (): PersonThere => ({
  memberNumber: 'F-1',
  patientId: 'there-1',
  resources: [claimThere('c1', 'there-1'), claimThere('c2', 'there-1')],
});

let here: ReturnType<typeof world>;
beforeEach(() => {
  here = world([mia()]);
});

const eventsOf = async ({ patientId }: MemberExchange) =>
  (await queryAll(table, patientAuditPartition(lob, patientId)))
    .map(({ action, outcome }) => `${action} ${outcome}`)
    .sort();

describe.each(['2.1', '2.2'] as const)('a run with a payer that speaks PDex %s', (version) => {
  it('matches, exports, downloads and hands over what the payer has of each member, and records it', async () => {
    here.server.version = version;
    here.server.people.push({
      memberNumber: 'F-3',
      patientId: 'there-3',
      isConstrained: true,
      resources: [],
    });
    const matched = await here.optIn('F-1');
    const unknown = await here.optIn('F-2');
    const constrained = await here.optIn('F-3');
    const run = await here.exchangeAll();
    expect(run).toMatchObject({
      state: 'complete',
      counts: { matched: 1, notMatched: 1, constrained: 1, rows: 2, rejected: 0 },
    });
    expect(await here.current(matched)).toMatchObject({
      state: 'merged',
      match: { patientId: 'there-1' },
      received: { resources: 2, since: '2027-01-04T07:00:00.000Z' },
    });
    expect((await here.current(unknown)).state).toBe('no-match');
    expect((await here.current(constrained)).state).toBe('constrained');
    const claims = [...here.record].filter(([name]) => name.startsWith('ExplanationOfBenefit/'));
    expect(claims.map(([, { patient }]) => patient)).toEqual(Array(2).fill(`Patient/${matched.patientId}`));
    expect([...here.record.keys()].filter((name) => name.startsWith('Provenance/'))).toHaveLength(1);
    expect(await eventsOf(matched)).toEqual([
      'payer-exchange.ask disclosed',
      'payer-exchange.receive succeeded',
    ]);
    expect(await eventsOf(unknown)).toEqual(['payer-exchange.ask disclosed']);
    expect([...here.objects.keys()]).toEqual([]);
  });
});

describe('a run', () => {
  it('asks next quarter for changes only, and brings nothing twice', async () => {
    const exchange = await here.optIn('F-1');
    await here.exchangeAll();
    const before = new Map(here.record);
    here.clock.now += 84 * day;
    const merged = await here.current(exchange);
    await here.exchanges.act(merged, 'ask-again');
    const [person] = here.server.people as [PersonThere];
    person.resources = [...person.resources, claimThere('c3', 'there-1', '2027-03-01T00:00:00.000Z')];
    const run = await here.exchangeAll();
    expect(run?.since).toBe('2027-01-04T07:00:00.000Z');
    expect(run?.counts.rows).toBe(1);
    expect([...here.record.keys()].filter((name) => name.startsWith('ExplanationOfBenefit/'))).toHaveLength(
      3,
    );
    for (const [name, { json }] of before) expect(here.record.get(name)?.json).toBe(json);
  });

  it('leaves out a member who ends the permission while files come', async () => {
    here.server.people.push({
      memberNumber: 'F-2',
      patientId: 'there-2',
      resources: [claimThere('d1', 'there-2')],
    });
    const staying = await here.optIn('F-1');
    const leaving = await here.optIn('F-2');
    const [run] = await here.begin();
    const runId = String(run?.runId);
    let isLeft = false;
    for (;;) {
      const found = await here.runs.find(runId);
      if (found?.phase === 'load' && !isLeft) {
        isLeft = true;
        await here.exchanges.act(await here.current(leaving), 'revoke');
      }
      const answer = await carryOutExchangeStep(here.deps, { step: 'next', lob, runId });
      if (answer.kind === 'ended') break;
    }
    expect(isLeft).toBe(true);
    expect(new Set([...here.record.values()].map(({ patient }) => patient))).toEqual(
      new Set([`Patient/${staying.patientId}`, 'undefined']),
    );
    expect([(await here.current(staying)).state, (await here.current(leaving)).state]).toEqual([
      'merged',
      'revoked',
    ]);
  });

  it('keeps away what the payer sends about somebody else', async () => {
    const exchange = await here.optIn('F-1');
    here.server.lines = (_type, lines) => [...lines, JSON.stringify(claimThere('x', 'somebody-else'))];
    const run = await here.exchangeAll();
    expect(run?.counts).toMatchObject({ rows: 2, rejected: 1 });
    expect((await here.current(exchange)).received?.resources).toBe(2);
    const rejects = [...here.objects].filter(([key]) => key.includes('rejects'));
    expect(rejects.map(([, text]) => Buffer.from(text).toString())).toEqual([
      expect.stringContaining('not_this_member'),
    ]);
  });

  it('gives nobody the data of a person whom the payer takes for two members', async () => {
    const [one, two] = [await here.optIn('F-1'), await here.optIn('F-1')];
    await here.exchangeAll();
    expect([(await here.current(one)).state, (await here.current(two)).state]).toEqual([
      'no-match',
      'no-match',
    ]);
    expect(here.record.size).toBe(0);
  });

  it('waits as long as the payer says, and carries on', async () => {
    await here.optIn('F-1');
    let refusals = 3;
    here.server.instead = ({ address }) =>
      address.endsWith('$bulk-member-match') && refusals-- > 0
        ? { status: 429, headers: { 'retry-after': '3600' }, text: '' }
        : undefined;
    const before = here.clock.now;
    const run = await here.exchangeAll();
    expect(run?.state).toBe('complete');
    expect(here.clock.now - before).toBeGreaterThanOrEqual(3 * 3_600_000);
  });

  it('sends smaller requests to a payer that finds one too large', async () => {
    const members = [await here.optIn('F-1'), await here.optIn('F-2'), await here.optIn('F-4')];
    here.server.instead = ({ address, body = '' }) =>
      address.endsWith('$bulk-member-match') && body.split('MemberBundle').length > 2
        ? { status: 413, headers: {}, text: '' }
        : undefined;
    const run = await here.exchangeAll();
    expect(run).toMatchObject({ state: 'complete', counts: { matched: 1, notMatched: 2 } });
    expect((await here.current(members[0] as MemberExchange)).state).toBe('merged');
  });

  it('takes the payer’s plain export where it has no other', async () => {
    await here.optIn('F-1');
    here.server.instead = ({ address }) =>
      address.endsWith('$davinci-data-export') ? { status: 404, headers: {}, text: '' } : undefined;
    expect((await here.exchangeAll())?.counts.rows).toBe(2);
  });

  it('resumes a download where it broke off', async () => {
    await here.optIn('F-1');
    const [run] = await here.begin();
    const ended = await here.finish(String(run?.runId), () => {
      if (here.server.opened.length === 1) here.server.breaksAt = 40;
    });
    expect(ended).toMatchObject({ state: 'complete', counts: { rows: 2, rejected: 0 } });
  });

  it('reads gzipped files, and resumes them too', async () => {
    here.server.encode = (file) => ({ bytes: gzipSync(file), encoding: 'gzip' });
    await here.optIn('F-1');
    const [run] = await here.begin();
    const ended = await here.finish(String(run?.runId), () => {
      if (here.server.opened.length === 1) here.server.breaksAt = 40;
    });
    expect(ended).toMatchObject({ state: 'complete', counts: { rows: 2, rejected: 0 } });
  });

  it.each([
    ['damaged', 'file_unreadable', 'gzip'],
    ['in another encoding', 'encoding_unknown', 'br'],
  ])('fails with files that are %s', async (_name, reason, encoding) => {
    await here.optIn('F-1');
    here.server.encode = (bytes) => (here.server.opened.length > 1 ? { bytes, encoding } : { bytes });
    expect(await here.exchangeAll()).toMatchObject({ state: 'failed', because: reason });
    expect(here.record.size).toBe(0);
  });

  it.each([
    ['busy for a day', 'payer_busy', { status: 429, headers: { 'retry-after': '20000' }, text: '' }],
    ['down for a day', 'payer_failed', { status: 503, headers: {}, text: '' }],
    ['that refuses access', 'payer_refused_access', { status: 403, headers: {}, text: '' }],
    ['that speaks something else', 'payer_answered_418', { status: 418, headers: {}, text: 'tea' }],
    ['that names no status', 'no_status_address', { status: 202, headers: {}, text: '' }],
    ['at an inside address', 'not_public', new PayerUnreachable('not_public')],
  ])('fails with a payer %s, says why, and asks again after a day', async (_name, reason, answered) => {
    const exchange = await here.optIn('F-1');
    here.server.instead = () => answered;
    const run = await here.exchangeAll();
    expect(run).toMatchObject({ state: 'failed', because: reason });
    expect(here.reports).toMatchObject([['exchange_run_failed', { reason }]]);
    const after = await here.current(exchange);
    expect(after).toMatchObject({ state: 'due-again', because: reason, dueAt: exchange.dueAt });
    expect(await here.begin()).toEqual([]);
    here.clock.now += day;
    here.server.instead = () => undefined;
    expect((await here.exchangeAll())?.state).toBe('complete');
    expect(here.record.size).toBe(3);
  });

  it.each([
    [
      'points elsewhere',
      'file_elsewhere',
      () => ({ output: [{ type: 'Patient', url: 'https://evil.example/f' }] }),
    ],
    ['is none', 'manifest_invalid', () => ({ output: 'x' })],
    [
      'has too many files',
      'too_many_files',
      () => ({
        output: Array.from({ length: 401 }, (_, at) => ({ type: 'Patient', url: `${payerBase}/${at}` })),
      }),
    ],
  ])('fails where a manifest %s, and opens nothing of it', async (_name, reason, output) => {
    await here.optIn('F-1');
    here.server.manifest = (manifest) => ({ ...manifest, ...output() });
    const run = await here.exchangeAll();
    expect(run).toMatchObject({ state: 'failed', because: reason });
    expect(here.server.opened).toEqual([`${payerBase}/files/match`]);
    expect(here.record.size).toBe(0);
  });

  it('asks one payer by one run at a time', async () => {
    await here.optIn('F-1');
    expect(await here.begin()).toHaveLength(1);
    await here.optIn('F-2');
    expect(await here.begin()).toHaveLength(0);
  });

  it.each([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 25, 30, 40, 50,
  ])('comes to the same end where its call %i to a store fails after it was carried out, and is repeated', async (broken) => {
    const exchange = await here.optIn('F-1');
    const [run] = await here.begin();
    let calls = 0;
    const breaking =
      <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        const result = await call(...args);
        calls += 1;
        if (calls === broken) throw new Error('the answer is lost');
        return result;
      };
    const { files, drops, exchanges, runs } = here.deps;
    const deps: RunDependencies = {
      ...here.deps,
      files: { ...files, put: breaking(files.put) },
      drops: { ...drops, put: breaking(drops.put) },
      exchanges: { ...exchanges, act: breaking(exchanges.act) },
      runs: { ...runs, save: breaking(runs.save) },
      server: (payer) => {
        const server = here.deps.server(payer);
        return { open: breaking(server.open.bind(server)), send: breaking(server.send.bind(server)) };
      },
    };
    for (let at = 0; at < 200; at += 1) {
      try {
        const answer = await carryOutExchangeStep(deps, { step: 'next', lob, runId: String(run?.runId) });
        if (answer.kind === 'ended') break;
      } catch (error) {
        expect(String(error)).toContain('the answer is lost');
      }
    }
    expect(await here.current(exchange)).toMatchObject({ state: 'merged', received: { resources: 2 } });
    expect(here.record.size).toBe(3);
    expect(await eventsOf(exchange)).toEqual([
      'payer-exchange.ask disclosed',
      'payer-exchange.receive succeeded',
    ]);
  });
});
