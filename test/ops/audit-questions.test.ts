import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AccessUsage, RecordedEvent } from '../../lambdas/audit/trail/questions-contract.ts';
import { auditApplication } from '../../ops/audit-application.ts';
import { auditKeys } from '../../ops/audit-keys.ts';
import { auditMetrics } from '../../ops/audit-metrics.ts';
import { auditOperator } from '../../ops/audit-operator.ts';
import { auditReads } from '../../ops/audit-reads.ts';
import { readCommandLine } from '../../ops/command-line/command.ts';
import type { CommandContext } from '../../ops/command-line/operation.ts';
import { commands } from '../../ops/program.ts';
import fc from '../support/property.ts';

/** Runs a command over a function that answers page by page. Each request for a page must have the position that the last page gave. */
function operationOf(line: string, pages: readonly object[]) {
  const values = readCommandLine(commands, line.split(' '))?.values;
  const printed: string[] = [];
  const asked: Record<string, unknown>[] = [];
  const operation: CommandContext = {
    values: { ...values, function: 'audit-verify' },
    words: [],
    print: (text) => printed.push(text),
    note: () => {},
    async invoke(_name, payload) {
      asked.push(payload as Record<string, unknown>);
      return pages[asked.length - 1] ?? {};
    },
    system: undefined,
    variables: {},
  };
  return { operation, asked, printed: () => printed.join('\n') };
}

const event = (changes: Partial<RecordedEvent>): RecordedEvent => ({
  eventId: 'e1',
  time: '2026-03-02T10:00:00.000Z',
  action: 'Patient.read',
  outcome: 'disclosed',
  actor: 'c1',
  clientId: 'c1',
  ...changes,
});

describe('audit keys', () => {
  const keys = ['1', '2'].map((keyId) => ({
    keyId,
    publicKey: `-----BEGIN PUBLIC KEY-----\nMFk${keyId}\n-----END PUBLIC KEY-----\n`,
    fingerprint: keyId.repeat(64),
  }));

  it('prints each public key after its ID and fingerprint, as a PEM file allows', async () => {
    const { operation, asked, printed } = operationOf('audit keys', [{ keys }]);
    expect(await auditKeys(operation)).toBe(0);
    expect(asked).toEqual([{ question: 'seal-keys' }]);
    expect(printed().split('\n\n')).toEqual(
      keys.map(({ keyId, publicKey, fingerprint }) =>
        `key ${keyId}\nSHA-256 ${fingerprint}\n${publicKey}`.trimEnd(),
      ),
    );
  });
});

describe('audit reads', () => {
  const line =
    'audit reads --lob dsnp --patient p1 --from 2026-03-01 --to 2026-03-31 --purpose accounting --operator ada';

  it('asks for whole days, page by page, and shows what was given and not taken back', async () => {
    const { operation, asked, printed } = operationOf(line, [
      { events: [event({}), event({ eventId: 'e2', clientId: 'c2' })], next: 'n1' },
      {
        events: [
          event({ eventId: 'e3', outcome: 'refused', corrects: 'e2', clientId: 'c2' }),
          event({ eventId: 'e4', action: 'member.sign-in', outcome: 'succeeded', clientId: 'c4' }),
        ],
      },
    ]);
    expect(await auditReads(operation)).toBe(0);
    const span = { from: '2026-03-01T00:00:00.000Z', until: '2026-04-01T00:00:00.000Z' };
    const question = { askedBy: 'command-line:ada', purpose: 'accounting' };
    const request = { lob: 'DSNP', patientId: 'p1', ...span, ...question };
    expect(asked).toEqual([request, { ...request, after: 'n1' }]);
    expect(printed()).toContain('Once, to 1 application.');
    expect(printed()).toMatch(/10:00:00.000Z +c1 +Patient.read/);
    expect(printed()).not.toMatch(/c2|c4/);
  });

  it('tells how many of each type a search gave', async () => {
    const search = { action: 'ExplanationOfBenefit.search-type', resource: 'ExplanationOfBenefit' };
    const resources = ['ExplanationOfBenefit/1', 'Patient/p1', 'ExplanationOfBenefit/2'];
    const { operation, printed } = operationOf(line, [
      { events: [event({ ...search, resources }), event({ ...search, eventId: 'e2', resources: [] })] },
    ]);
    await auditReads(operation);
    expect(printed()).toMatch(/ExplanationOfBenefit\.search-type +2 +2 ExplanationOfBenefit, 1 Patient/);
    const empty = operationOf(line, [{ events: [event({ ...search, resources: [] })] }]);
    await auditReads(empty.operation);
    expect(empty.printed()).toMatch(/ExplanationOfBenefit\.search-type +1 +no resources/);
  });

  it('shows the pages of one request in one line, and what follows a pause in another', async () => {
    const page = (at: number) =>
      event({
        ...{ eventId: `e${at}`, requestId: `r${at}`, action: 'Patient.everything', resource: 'Patient/p1' },
        time: new Date(Date.UTC(2026, 2, 2, 10, 0, at)).toISOString(),
        resources: [`Observation/${at}`, 'Patient/p1'],
      });
    const pages = Array.from({ length: 52 }, (_, at) => page(at));
    const later = { ...page(99), time: '2026-03-02T11:00:00.000Z' };
    const { operation, printed } = operationOf(line, [{ events: [...pages, later] }]);
    await auditReads(operation);
    const rows = printed()
      .split('\n')
      .filter((row) => row.includes('Patient.everything'));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/10:00:00.000Z +10:00:51 .* 52 +52 Observation, 1 Patient +r0$/);
    expect(printed()).toContain('53 times, to 1 application.');
  });

  /** Adds the answers of two functions that the command asks besides `audit-verify`: who the member is, and the names of applications. */
  const beside = (answers: Readonly<Record<string, object>>, given: string, pages: readonly object[]) => {
    const world = operationOf(given, pages);
    const operation: CommandContext = {
      ...world.operation,
      variables: { OPERATOR_GRANTS_FUNCTION: 'grants', PROVISIONING_FUNCTION: 'provisioning' },
      invoke: async (name, payload) => answers[name] ?? (await world.operation.invoke(name, payload)),
    };
    return { ...world, operation };
  };
  const known = { kind: 'applications', patientId: 'p7', applications: [] };

  it('finds the Patient of a member identifier, and names applications', async () => {
    const answers = { grants: known, provisioning: { kind: 'client', client: { name: 'Blue Steps' } } };
    const { operation, asked, printed } = beside(
      answers,
      'audit reads --lob dsnp --member dsnp000001 --purpose complaint',
      [{ events: [event({ clientId: 'a5db673d' })] }],
    );
    expect(await auditReads(operation)).toBe(0);
    expect(asked).toMatchObject([{ patientId: 'p7' }]);
    expect(printed()).toMatch(/^2026-03-02T10:00:00.000Z +Blue Steps +Patient.read/m);
    expect(printed()).toMatch(/^Blue Steps +a5db673d$/m);
  });

  it('says that nobody has the ID, where no event is on record either', async () => {
    const grants = { kind: 'refusal', reason: 'member_unknown' };
    const nobody = beside({ grants }, line, [{ events: [] }]);
    expect(await auditReads(nobody.operation)).toBe(1);
    expect(nobody.printed()).toContain('refused: no member with this ID in DSNP');
    const noMember = beside(
      { grants },
      'audit reads --lob DSNP --member DSNP000009 --purpose review --json',
      [],
    );
    expect(await auditReads(noMember.operation)).toBe(1);
    expect(JSON.parse(noMember.printed())).toMatchObject({ kind: 'refused', reason: 'member_unknown' });
    const askedBefore = beside({ grants }, line, [
      { events: [event({ action: 'audit.question', outcome: 'permitted' })] },
    ]);
    expect(await auditReads(askedBefore.operation)).toBe(1);
    const withdrawn = beside({ grants }, line, [{ events: [event({ outcome: 'refused' })] }]);
    expect(await auditReads(withdrawn.operation)).toBe(0);
    const unread = beside({ grants: known }, line, [{ events: [] }]);
    expect(await auditReads(unread.operation)).toBe(0);
    expect(unread.printed()).toBe('No data was disclosed (0 events on record).');
  });

  it('gives everything on record as JSON', async () => {
    const { operation, printed } = operationOf(`${line} --json`, [
      { events: [event({ outcome: 'refused' })] },
    ]);
    await auditReads(operation);
    expect(JSON.parse(printed())).toEqual([event({ outcome: 'refused' })]);
  });

  it('gives everything on record as CSV, in which no cell is a formula', async () => {
    const resources = ['Patient/p1', 'Coverage/c1'];
    const { operation, printed } = operationOf(`${line} --csv`, [
      {
        events: [
          event({ patientId: 'p1', resources }),
          event({ clientRequestId: '=HYPERLINK("http://a,b")' }),
        ],
      },
    ]);
    await auditReads(operation);
    const [header, first, second, ...rest] = printed().split('\r\n');
    expect(header).toMatch(/^time,lob,action,outcome,/);
    expect(first).toBe(
      '2026-03-02T10:00:00.000Z,DSNP,Patient.read,disclosed,,c1,,c1,p1,,Patient/p1 Coverage/c1,,,e1,',
    );
    expect(second).toMatch(/,"'=HYPERLINK\(""http:\/\/a,b""\)",e1,\r$/);
    // Printing adds the line feed of the last row.
    expect(rest).toEqual([]);
  });

  it.each([
    ['audit reads --patient p1', /--lob/],
    ['audit reads --lob DSNP,MAPD --patient p1', /--lob/],
    ['audit reads --lob DSNP', /--patient/],
    ['audit reads --lob DSNP --patient p1 --purpose review --from march', /2026-03-01/],
    ['audit reads --lob DSNP --patient p1', /--purpose is needed/],
    ['audit reads --lob DSNP --patient p1 --purpose curiosity', /accounting, complaint, incident, review/],
    ['audit reads --lob DSNP --patient p1 --purpose review --csv --json', /--csv and --json/],
    ['audit reads --lob DSNP --patient p1 --year 2026', /no option --year/],
  ])('says what is wrong with %s', async (wrong, message) => {
    const read = async () => await auditReads(operationOf(wrong, []).operation);
    await expect(read()).rejects.toThrow(message);
  });
});

describe('audit application', () => {
  const line = 'audit application c1 --lob dsnp,mapd --from 2026-03-01 --to 2026-03-31 --purpose incident';

  /** Runs the command, and collects its notes. */
  async function run(given: string, pages: readonly object[]) {
    const { operation, ...world } = operationOf(given, pages);
    const notes: string[] = [];
    const code = await auditApplication({ ...operation, words: ['c1'], note: (text) => notes.push(text) });
    return { ...world, code, notes };
  }
  const none = { events: [], missing: [] };

  it('asks for each line of business, page by page, and counts what each member’s record lost', async () => {
    const next = { after: 'production/DSNP/2026/03/01/0000000001-0001.ndjson.gz', offset: 7 };
    const until = '2026-03-02T00:00:00.000Z';
    const { code, asked, printed, notes } = await run(line, [
      { ...none, events: [event({ patientId: 'p1', resource: 'Patient/p1' })], next },
      {
        ...none,
        events: [
          event({ eventId: 'e2', patientId: 'p1', resources: ['Coverage/c', 'Patient/p1'] }),
          event({ eventId: 'e3', patientId: 'p2' }),
          event({ eventId: 'e4', patientId: 'p2', outcome: 'refused', corrects: 'e3' }),
        ],
        until,
      },
      { ...none, until: '2026-03-01T23:55:00.000Z' },
    ]);
    expect(code).toBe(0);
    expect(asked).toMatchObject([
      { lob: 'DSNP', clientId: 'c1', purpose: 'incident' },
      { lob: 'DSNP', next },
      { lob: 'MAPD' },
    ]);
    expect(printed()).toMatch(/^DSNP +p1 +2 +2 +2026-03-02T10:00:00.000Z +2026-03-02T10:00:00.000Z$/m);
    expect(printed()).toContain('2 disclosures about 1 member; 4 events on record.');
    expect(printed()).not.toContain('p2');
    expect(notes).toEqual([
      'Read from the archive, to 2026-03-01T23:55:00.000Z. Later events are not in it yet.',
    ]);
  });

  it('says which seals the archive lacks', async () => {
    const { code, notes, printed } = await run(line, [{ ...none, missing: [7, 8] }, none]);
    expect(code).toBe(1);
    expect(notes).toEqual([
      'Read from the archive, to no time: it has nothing of this period. Later events are not in it yet.',
      'DSNP: the archive lacks seals, so events may be missing: 7, 8',
    ]);
    expect(printed()).toBe('No data was disclosed (0 events on record).');
  });

  it('prints a row for each event as CSV, with its line of business', async () => {
    const found = [
      { ...none, events: [event({ patientId: 'p1' })] },
      { ...none, events: [event({})] },
    ];
    const { printed } = await run(`${line} --csv`, found);
    const lobs = printed()
      .split('\r\n')
      .map((row) => row.split(',')[1]);
    expect(lobs).toEqual(['lob', 'DSNP', 'MAPD']);
  });
});

describe('audit operator', () => {
  const act = { at: '2026-03-02T10:00:00.000Z', kind: 'application', id: 'a1', name: 'Steps', act: 'reject' };
  const line = 'audit operator op-1 --from 2026-03-01 --to 2026-03-31 --purpose review --operator Ada';

  it('lists acts over pages, and no cell of its CSV is a formula', async () => {
    const { operation, asked, printed } = operationOf(`${line} --csv`, [
      { acts: [{ ...act, words: '=1+1' }], next: 'n1' },
      { acts: [{ ...act, name: 'Steps, Inc.' }] },
    ]);
    expect(await auditOperator({ ...operation, words: ['op-1'] })).toBe(0);
    expect(asked).toMatchObject([
      { operatorId: 'op-1', askedBy: 'command-line:ada', purpose: 'review' },
      { operatorId: 'op-1', after: 'n1' },
    ]);
    expect(printed().split('\r\n')).toEqual([
      'at,act,kind,id,name,criterion,words',
      "2026-03-02T10:00:00.000Z,reject,application,a1,Steps,,'=1+1",
      '2026-03-02T10:00:00.000Z,reject,application,a1,"Steps, Inc.",,\r',
    ]);
  });

  it('says where nothing is on record', async () => {
    const { operation, printed } = operationOf(line, [{ acts: [] }]);
    await auditOperator({ ...operation, words: ['op-1'] });
    expect(printed()).toBe('No act on record.');
  });
});

describe('audit metrics', () => {
  const usage = (member: string, changes: Partial<AccessUsage> = {}): AccessUsage => ({
    member,
    clientId: 'c1',
    day: '2026-05-01',
    disclosures: 1,
    ...changes,
  });

  it('counts each member once, over pages, days and applications', async () => {
    const { operation, asked, printed } = operationOf('audit metrics --year 2026 --lob DSNP --json', [
      {
        usage: [usage('once'), usage('twice', { disclosures: 2 }), usage('days'), usage('taken back')],
        until: '2026-06-01T00:00:00.000Z',
        next: { sequence: 26 },
      },
      {
        usage: [
          usage('days', { day: '2026-07-01' }),
          usage('apps', { clientId: 'c1' }),
          usage('apps', { clientId: 'c2' }),
          usage('taken back', { disclosures: -1 }),
        ],
        until: '2026-12-31T23:50:00.000Z',
      },
    ]);
    expect(await auditMetrics(operation)).toBe(0);
    const request = {
      question: 'access-usage',
      lob: 'DSNP',
      from: '2026-01-01T00:00:00.000Z',
      until: '2027-01-01T00:00:00.000Z',
    };
    expect(asked).toEqual([request, { ...request, position: { sequence: 26 } }]);
    expect(JSON.parse(printed())).toEqual([
      {
        lob: 'DSNP',
        members: 4,
        // Two calls of one application on one day count as one transfer.
        moreThanOnce: 2,
        detail: { onSeveralDays: 1, toSeveralApplications: 1, inSeveralCalls: 3 },
        countedUntil: '2026-12-31T23:50:00.000Z',
      },
    ]);
  });

  it('counts a member once who had both, and shows the report before what is behind it', async () => {
    const { operation, printed } = operationOf('audit metrics --year 2026 --lob DSNP', [
      {
        usage: [
          usage('both'),
          usage('both', { clientId: 'c2', day: '2026-05-02', disclosures: 7 }),
          usage('one sitting', { disclosures: 40 }),
        ],
        until: '2027-01-01T00:05:00.000Z',
      },
    ]);
    await auditMetrics(operation);
    const [report = '', detail = ''] = printed().split('More than once: on several days or to several apps');
    expect(report).toMatch(/^line of business +members +more than once +counted until$/m);
    expect(report).toMatch(/^DSNP +2 +1 +2027-01-01T00:05:00.000Z$/m);
    expect(detail).toMatch(/^DSNP +1 +1 +2$/m);
  });

  it('asks each line of business, and says where nothing is sealed', async () => {
    const { operation, asked, printed } = operationOf(
      'audit metrics --year 2026',
      Array(6).fill({ usage: [] }),
    );
    await auditMetrics(operation);
    expect(asked).toHaveLength(6);
    expect(printed().match(/no seal yet/g)).toHaveLength(6);
  });

  it('goes on from its ledger: what was counted is not asked for again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'access-ledger-'));
    const line = `audit metrics --year 2026 --lob DSNP --json --ledger ${folder}`;
    const may = operationOf(line, [
      { usage: [usage('days'), usage('once')], until: '2026-06-01T00:00:00.000Z', next: { sequence: 26 } },
      { usage: [usage('calls', { disclosures: 2 })], until: '2026-06-02T00:00:00.000Z' },
    ]);
    await auditMetrics(may.operation);
    const june = operationOf(line, [
      { usage: [usage('days', { day: '2026-06-03' })], until: '2026-07-01T00:00:00.000Z' },
    ]);
    await auditMetrics(june.operation);
    expect(june.asked).toMatchObject([{ from: '2026-06-02T00:00:00.000Z' }]);
    expect(JSON.parse(june.printed())).toMatchObject([
      {
        ...{ members: 3, moreThanOnce: 1, countedUntil: '2026-07-01T00:00:00.000Z' },
        detail: { onSeveralDays: 1, toSeveralApplications: 0, inSeveralCalls: 2 },
      },
    ]);
    // Nothing was sealed meanwhile, so the figures are the same.
    const again = operationOf(line, [{ usage: [] }]);
    await auditMetrics(again.operation);
    expect(JSON.parse(again.printed())).toEqual(JSON.parse(june.printed()));
    const [file = ''] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, file), 'no ledger');
    await expect(auditMetrics(operationOf(line, []).operation)).rejects.toThrow('is not a ledger');
    rmSync(folder, { recursive: true });
  });

  it('counts the same in one run and in many, though a ledger keeps few transfers of a member', async () => {
    const transfer = fc.record({
      ...{ member: fc.constantFrom('a', 'b'), clientId: fc.constantFrom('c1', 'c2', 'c3') },
      ...{ day: fc.integer({ min: 1, max: 28 }), disclosures: fc.integer({ min: 1, max: 3 }) },
    });
    await fc.assert(
      fc.asyncProperty(fc.array(transfer, { minLength: 1, maxLength: 60 }), async (transfers) => {
        const days = [...transfers]
          .sort((one, other) => one.day - other.day)
          .map((each) => ({ ...each, day: `2026-05-${String(each.day).padStart(2, '0')}` }));
        const pages = [...Map.groupBy(days, ({ day }) => day)].map(([day, ofDay]) => ({
          usage: ofDay,
          until: `${day}T23:59:59.999Z`,
        }));
        const line = 'audit metrics --year 2026 --lob DSNP --json';
        const whole = operationOf(line, [{ usage: days, until: pages.at(-1)?.until }]);
        const paged = operationOf(
          line,
          pages.map((page, at) => (at === pages.length - 1 ? page : { ...page, next: { sequence: at } })),
        );
        await auditMetrics(whole.operation);
        await auditMetrics(paged.operation);
        expect(paged.printed()).toEqual(whole.printed());
      }),
    );
  });

  it('reports on no year that has not begun', async () => {
    const next = new Date().getUTCFullYear() + 1;
    const { operation, asked } = operationOf(`audit metrics --year ${next}`, []);
    await expect(auditMetrics(operation)).rejects.toThrow(`the year ${next} has not begun`);
    expect(asked).toEqual([]);
  });

  it('asks for the year', async () => {
    await expect(auditMetrics(operationOf('audit metrics', []).operation)).rejects.toThrow('--year');
    await expect(auditMetrics(operationOf('audit metrics --year 26', []).operation)).rejects.toThrow(
      '--year',
    );
  });
});
