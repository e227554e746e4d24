import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayerFault } from '../../../lambdas/catalog/payer/other-payers.ts';
import {
  carryOutPayerOperation,
  type OtherPayerServices,
} from '../../../lambdas/payer-exchange/payers/other-payer-operations.ts';
import type { OtherPayerSummary } from '../../../lambdas/payer-exchange/payers/other-payer-operations-contract.ts';
import { sweepPayers } from '../../../lambdas/payer-exchange/payers/sweep-payers.ts';
import { createOtherPayers } from '../../../lambdas/payer-exchange/store/other-payers.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { otherPayerKey, otherPayerPartition } from '../../../lambdas/platform/table/table-keys.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { base, capabilities, naic, origins, published, smartConfiguration, webOf } from '../payer-web.ts';

let engine: TestEngine;
let table: ReturnType<typeof createSignedTable>;
let services: OtherPayerServices;
let documents: Record<string, object>;
let now = Date.parse('2027-03-01T00:00:00Z');
let tokenFault: PayerFault | undefined;

beforeAll(async () => {
  engine = await startTestEngine();
  table = createSignedTable({ tableName: engine.tableName, access: engine.access });
});
afterAll(() => engine.stop());

beforeEach(async () => {
  const { items } = await table.query({ pk: otherPayerPartition });
  await Promise.all(
    items.map(({ sk }) => table.transact([{ delete: { pk: otherPayerPartition, sk: String(sk) } }])),
  );
  documents = published();
  tokenFault = undefined;
  services = {
    payers: createOtherPayers(table, { environment: 'sandbox', now: () => now, uuid: randomUUID }),
    web: {
      rules: { origins, loopback: false },
      web: async (address, request) => await webOf(documents).web(address, request),
    },
    linesOfBusiness: ['DSNP', 'MAPD'],
    sealHeader: async (payerId, value) => Buffer.from(`${payerId}:${value}`),
    tryToken: async () => tokenFault,
    waiting: async () => new Map([['former-plan', 3]]),
    now: () => now,
  };
});

type Answer = {
  kind: string;
  payer: OtherPayerSummary;
  payers: { payer: OtherPayerSummary; outcome: string }[];
};
const ask = async (request: object) => (await carryOutPayerOperation(services, request)) as unknown as Answer;
const act = async (action: string, more: object = {}) =>
  await ask({ action, requestId: randomUUID(), ...more });
const discover = async () => await act('discover-payers', { address: 'https://former.test' });
const registered = { clientId: 'our-client', scopes: 'system/*.rs' };
const payerId = 'former-plan';
const complete = {
  name: 'Other Plan',
  identifiers: [naic('99999')],
  fhirBase: 'https://fhir.other.test/p2p',
  tokenEndpoint: 'https://fhir.other.test/token',
  version: '2.2',
  ...registered,
};
async function activated() {
  await discover();
  await act('update-payer', { payerId, revision: 1, changes: registered });
  return await act('activate-payer', { payerId, revision: 2 });
}

describe('a discovered payer', () => {
  it('is proposed, becomes active once an operator has registered there, and each change is audited', async () => {
    const { payers } = await discover();
    expect(payers).toMatchObject([
      { outcome: 'new', payer: { payerId, state: 'proposed', differences: [] } },
    ]);
    expect(await act('activate-payer', { payerId, revision: 1 })).toMatchObject({
      kind: 'refused',
      reason: 'invalid',
      faults: [{ field: 'clientId' }, { field: 'scopes' }],
    });
    await act('update-payer', { payerId, revision: 1, changes: registered });
    expect(await act('activate-payer', { payerId, revision: 2 })).toMatchObject({
      payer: { state: 'active', waiting: 3 },
    });
    expect(await act('remove-payer', { payerId, revision: 3 })).toEqual({
      kind: 'refused',
      reason: 'not_in_this_state',
    });
    await act('suspend-payer', { payerId, revision: 3, operatorId: 'operator-1' });
    expect(await act('remove-payer', { payerId, revision: 4 })).toEqual({ kind: 'removed', payerId });
    expect(await ask({ action: 'list-payers' })).toEqual({ kind: 'payers', payers: [] });
    const { items } = await table.query({ pk: 'AUDIT#M2M#SERVICE#other-payers' });
    const ofThis = items.filter(({ resource }) => resource === `OtherPayer/${payerId}`);
    expect(ofThis.map(({ reason }) => reason).sort()).toEqual([
      'activate',
      'discovered',
      'remove',
      'suspend',
      'update',
    ]);
    expect(ofThis.find(({ reason }) => reason === 'suspend')).toMatchObject({
      actor: 'operator',
      operatorId: 'operator-1',
      outcome: 'succeeded',
    });
  });

  it('keeps what an operator reviewed, and shows what differs, until the operator accepts it', async () => {
    await activated();
    documents[`${base}/.well-known/smart-configuration`] = {
      ...smartConfiguration,
      token_endpoint: 'https://evil.test/token',
    };
    expect((await discover()).payers).toMatchObject([
      {
        outcome: 'known',
        payer: {
          tokenEndpoint: 'https://login.former.test/token',
          differences: [{ field: 'tokenEndpoint', found: 'https://evil.test/token' }],
        },
      },
    ]);
    const accepted = await act('update-payer', { payerId, revision: 4, changes: {}, acceptFound: true });
    expect(accepted.payer).toMatchObject({
      tokenEndpoint: 'https://evil.test/token',
      differences: [],
      state: 'active',
    });
  });

  it('is not written by two operators at once, nor from an old reading', async () => {
    await discover();
    const answers = await Promise.all(
      ['one', 'two'].map((clientId) => act('update-payer', { payerId, revision: 1, changes: { clientId } })),
    );
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['payer', 'refused']);
    expect(await act('update-payer', { payerId, revision: 1, changes: {} })).toMatchObject({
      reason: 'changed_since',
    });
  });
});

describe('a payer that an operator adds', () => {
  it('hides the value of its header', async () => {
    const header = { name: 'x-key', value: 'secret-value' };
    const added = await act('add-payer', { payer: { ...complete, header } });
    expect(added.payer).toMatchObject({
      payerId: 'other-plan',
      headerName: 'x-key',
      linesOfBusiness: ['DSNP', 'MAPD'],
    });
    expect(JSON.stringify([added, await ask({ action: 'show-payer', payerId: 'other-plan' })])).not.toContain(
      'secret-value',
    );
    const item = await table.get(otherPayerKey('other-plan'));
    expect(item?.header).toEqual({
      name: 'x-key',
      sealed: new Uint8Array(Buffer.from('other-plan:secret-value')),
    });
    const without = await act('update-payer', {
      payerId: 'other-plan',
      revision: 1,
      changes: { header: null },
    });
    expect(without.payer).not.toHaveProperty('headerName');
  });

  it.each([
    ['the base', { identifiers: [] }],
    ['an identifier', { fhirBase: 'https://elsewhere.test/fhir' }],
    ['the ID', { fhirBase: 'https://elsewhere.test/fhir', identifiers: [] }],
  ])('is refused where another has %s', async (_what, changes) => {
    await act('add-payer', { payer: complete });
    const again = await act('add-payer', { payerId: 'other-plan', payer: { ...complete, ...changes } });
    expect(again).toEqual({ kind: 'refused', reason: 'already_known', payerIds: ['other-plan'] });
    expect((await services.payers.all()).payers).toHaveLength(1);
  });

  it.each([
    ['fhirBase', 'https://dsnp.api.plan.example/x'],
    ['fhirBase', 'http://localhost:8080/x'],
    ['tokenEndpoint', 'https://10.0.0.1:8443/token'],
    ['tokenEndpoint', 'https://fhir.other.test/token?x=1'],
  ])('is refused with %s %s', async (field, address) => {
    const refused = await act('add-payer', { payer: { ...complete, [field]: address } });
    expect(refused).toMatchObject({ reason: 'invalid', faults: [{ field }] });
  });

  it.each<[string, object]>([
    [
      'an NPI with a wrong check digit',
      { identifiers: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567890' }] },
    ],
    ['a NAIC code of four digits', { identifiers: [naic('1234')] }],
    ['a name with control characters', { name: 'Plan\u202e' }],
    ['our own header', { header: { name: 'Authorization', value: 'x' } }],
    ['a header that ends early', { header: { name: 'x-key', value: 'a\r\nb' } }],
  ])('is refused with %s', async (_what, changes) => {
    await expect(act('add-payer', { payer: { ...complete, ...changes } })).rejects.toThrow();
  });
});

describe('an import', () => {
  it('proposes each payer once, and refuses the addresses that are not admitted', async () => {
    const listed = (at: number) => ({
      name: `Plan ${at}`,
      identifiers: [],
      fhirBase: `https://p${at}.test/fhir/`,
    });
    const payers = Array.from({ length: 90 }, (_, at) => listed(at));
    const own = { identifiers: [], fhirBase: 'https://token.plan.example/fhir' };
    const answer = await act('import-payers', { payers: [...payers, listed(0), own] });
    expect(answer).toMatchObject({ faults: [{ code: 'own-host' }] });
    expect(answer.payers.filter(({ outcome }) => outcome === 'new')).toHaveLength(90);
    const all = await services.payers.all();
    expect(all.payers).toHaveLength(90);
    expect(new Set(all.payers.map(({ state }) => state))).toEqual(new Set(['proposed']));
  });

  it('refuses a payer whose base and identifier belong to two', async () => {
    await discover();
    await act('add-payer', { payer: complete });
    const answer = await act('import-payers', { payers: [{ fhirBase: base, identifiers: [naic('99999')] }] });
    expect(answer).toMatchObject({
      payers: [],
      faults: [{ code: 'two-payers', detail: 'former-plan, other-plan' }],
    });
  });
});

describe('a test', () => {
  it('ends at the first step that fails, and the newest 20 results are kept', async () => {
    await activated();
    expect(await tested()).toMatchObject({ step: 'metadata', outcome: 'passed' });
    tokenFault = { code: 'token-refused', detail: 'invalid_client' };
    expect(await tested()).toMatchObject({ step: 'token', outcome: 'failed', fault: tokenFault });
    documents[`${base}/.well-known/smart-configuration`] = {
      ...smartConfiguration,
      token_endpoint: 'https://evil.test/token',
    };
    expect(await tested()).toMatchObject({
      step: 'smart-configuration',
      fault: { code: 'other-token-endpoint' },
    });
    for (let times = 0; times < 20; times += 1) await tested();
    const { payer } = await ask({ action: 'show-payer', payerId });
    expect(payer.checks).toHaveLength(20);
    expect(payer.revision).toBe(3);
  });

  it('runs daily for active payers, each hour while it fails, and is reported at the third failure', async () => {
    await activated();
    await act('add-payer', { payer: complete });
    const reports: object[] = [];
    const sweep = async () =>
      await sweepPayers({ ...services, report: (code, fields) => reports.push({ code, ...fields }) });
    expect(await sweep()).toEqual([payerId]);
    now += 3_600_000;
    expect(await sweep()).toEqual([]);
    now += 23 * 3_600_000;
    documents[`${base}/metadata`] = { ...capabilities, fhirVersion: '5.0.0' };
    expect(await sweep()).toEqual([payerId]);
    expect(await sweep()).toEqual([]);
    now += 3_600_000;
    await sweep();
    expect(reports).toEqual([]);
    now += 3_600_000;
    await sweep();
    expect(reports).toEqual([{ code: 'payer_failing', payerId, fault: 'not-r4' }]);
  });
});

async function tested() {
  return ((await ask({ action: 'test-payer', payerId })) as unknown as { check: object }).check;
}
