import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { auditWrite } from '../../../lambdas/audit/store/audit-events-contract.ts';
import { createMemberExchanges } from '../../../lambdas/payer-exchange/store/member-exchanges-contract.ts';
import { queryAll } from '../../../lambdas/platform/table/query-all.ts';
import { exchangeDuePartition, patientAuditPartition } from '../../../lambdas/platform/table/table-keys.ts';
import { theMember } from '../builders.ts';
import { hiddenFields } from '../events.ts';
import { htmlOf, locationOf, type PagesBrowser, startPagesWorld, statusOf } from '../pages-world.ts';

const world = await startPagesWorld();
afterAll(() => world.stop());
world.setting = 'never';

const own = { patientId: theMember.patientId, displayName: theMember.displayName };
const representative = { representativeId: 'R2001', name: 'Rosa Ejemplo', role: 'MTH' } as const;
let patients: readonly object[] = [own];
const { findActiveAccount } = world.server;
world.server = {
  ...world.server,
  findActiveAccount: async (...call) => {
    const account = await findActiveAccount(...call);
    return account && ({ ...account, patients } as typeof account);
  },
};
const exchanges = createMemberExchanges(world.table, {
  lob: 'DSNP',
  now: () => world.nowMs,
  auditWrite,
});
let patientId: string;
let browser: PagesBrowser;
let count = 0;
beforeEach(async () => {
  count += 1;
  patientId = `p-${count}`;
  patients = [{ ...own, patientId }];
  browser = world.browser();
  const fields = hiddenFields(htmlOf(await browser.get('connected-apps')));
  const credentials = { username: theMember.memberId, password: theMember.password };
  await browser.post('sign-in', { ...fields, ...credentials });
});

const page = async (query = '') => htmlOf(await browser.get('connected-apps', query));
const choice = {
  plan_name: 'Former Plan',
  member_number: 'F-100',
  covers: 'no',
  scope: 'regular',
  until: '',
};
async function send(query: string, changes: Readonly<Record<string, string>> = {}, answer = 'save-plan') {
  const fields = hiddenFields(await page(query));
  return await browser.post('connected-apps', { ...fields, ...choice, answer, ...changes });
}
const stored = async () => await exchanges.ofPatient(patientId);
const only = async () => {
  const [exchange, ...more] = await stored();
  if (exchange === undefined || more.length > 0) throw new Error(`${more.length} more`);
  return exchange;
};
const audited = async () =>
  (await queryAll(world.table, patientAuditPartition('DSNP', patientId))).map(
    ({ action, exchangeId, representativeId }) => ({ action, exchangeId, representativeId }),
  );
const due = async () =>
  (await queryAll(world.table, exchangeDuePartition('DSNP'))).filter((item) => item.patientId === patientId);

describe('a member who lets this plan ask another', () => {
  it('begins an exchange, which is due at once and recorded in the audit', async () => {
    expect(await page()).toContain('Let us ask another plan');
    const answer = await send('plan=new', { until: '2027-03-31', group_number: 'G 7', covers: 'yes' });
    const { exchangeId, ...exchange } = await only();
    expect(locationOf(answer).search).toBe(`?saved=${exchangeId}`);
    expect(exchange).toMatchObject({
      state: 'opted-in',
      plan: { name: 'Former Plan', memberNumber: 'F-100', groupNumber: 'G 7' },
      isConcurrent: true,
      permission: {
        by: { kind: 'member', id: theMember.sub },
        policy: 'regular',
        until: '2027-03-31T23:59:59.999Z',
      },
      dueAt: new Date(world.nowMs + 7 * 86_400_000).toISOString(),
    });
    expect(await due()).toHaveLength(1);
    expect(await audited()).toEqual([
      { action: 'payer-exchange.permit', exchangeId, representativeId: undefined },
    ]);
    const shown = await page(`saved=${exchangeId}`);
    expect(shown).toContain('role="status"');
    expect(shown).toContain('<dd>March 31, 2027</dd>');
  });

  it('sends the same form twice, or twice at once, and has one exchange', async () => {
    const fields = hiddenFields(await page('plan=new'));
    const form = { ...fields, ...choice, answer: 'save-plan' };
    const answers = await Promise.all([
      browser.post('connected-apps', form),
      browser.post('connected-apps', form),
    ]);
    answers.push(await browser.post('connected-apps', form));
    expect(answers.map(locationOf).map(({ search }) => search)).toEqual(
      answers.map(() => `?saved=${fields.plan}`),
    );
    expect(await audited()).toHaveLength(1);
    await only();
  });

  it('is asked for what is missing, and keeps what was typed', async () => {
    const wrong = { plan_name: ' ', member_number: '<7>', covers: '', scope: '', until: '2020-01-01' };
    const answer = await send('plan=new', wrong);
    expect(statusOf(answer)).toBe(400);
    const html = htmlOf(answer);
    expect(html.match(/<li><a href="#/g)).toHaveLength(5);
    expect(html).toContain('value="&lt;7&gt;"');
    expect(await stored()).toEqual([]);
    for (const until of ['2026-02-30', 'tomorrow']) {
      expect(statusOf(await send('plan=new', { until }))).toBe(400);
    }
  });

  it('takes up what the enrollment system has offered', async () => {
    const exchangeId = '0123456789abcdef0123456789abcdef';
    const plan = { name: 'Former Plan', memberNumber: 'F-1' };
    await exchanges.begin({
      lob: 'DSNP',
      patientId,
      exchangeId,
      state: 'offered',
      plan,
      isConcurrent: false,
    });
    expect(await page()).toContain('You can let us ask Former Plan for your data.');
    await send(`plan=${exchangeId}`);
    expect(await only()).toMatchObject({ exchangeId, state: 'opted-in', plan: { memberNumber: 'F-100' } });
  });

  it('names no plan twice, and twenty at most', async () => {
    await send('plan=new');
    expect(htmlOf(await send('plan=new', { plan_name: 'former  PLAN' }))).toContain('You already let us ask');
    for (let at = 2; at <= 20; at += 1) await send('plan=new', { plan_name: `Plan ${at}` });
    expect(htmlOf(await send('plan=new', { plan_name: 'Plan 21' }))).toContain('as many plans as we can ask');
    expect(await stored()).toHaveLength(20);
  });

  it('takes no form of another site, without the session’s token, or of another’s patient', async () => {
    const fields = hiddenFields(await page('plan=new'));
    const form = { ...fields, ...choice, answer: 'save-plan' };
    expect(statusOf(await browser.post('connected-apps', { ...form, form_token: 'x' }))).toBe(403);
    expect(statusOf(await browser.post('connected-apps', { ...form, patient: 'p-other' }))).toBe(400);
    expect(statusOf(await browser.post('connected-apps', { ...form, plan: 'x' }))).toBe(400);
    expect(await stored()).toEqual([]);
  });
});

describe('a member who changes what another plan is asked', () => {
  beforeEach(() => send('plan=new', { covers: 'yes' }));

  it('corrects the card after the plan found nobody, and is looked for again', async () => {
    let exchange = await only();
    for (const act of ['name-payer', 'send-match', 'find-none'] as const) {
      const after = await exchanges.act(exchange, act, act === 'name-payer' ? { payerId: 'former' } : {});
      if (after === undefined) throw new Error(act);
      exchange = after;
    }
    const { exchangeId } = exchange;
    expect(await page()).toContain('Former Plan could not find you. Check the member ID');
    await send(`plan=${exchangeId}`, { member_number: 'F-200', covers: 'yes' });
    expect(await only()).toMatchObject({ state: 'opted-in', plan: { memberNumber: 'F-200' } });
    expect((await only()).payerId).toBeUndefined();
    expect(await due()).toHaveLength(1);
  });

  it('shortens and narrows the permission while a run is at work, and leaves the run alone', async () => {
    let exchange = await only();
    for (const act of ['name-payer', 'send-match'] as const)
      exchange = (await exchanges.act(exchange, act, { runId: 'run-1' })) ?? exchange;
    const form = await page(`plan=${exchange.exchangeId}`);
    expect(form).not.toContain('name="member_number"');
    await send(`plan=${exchange.exchangeId}`, { until: '2026-12-31', member_number: 'F-999', covers: 'yes' });
    expect(await only()).toMatchObject({
      state: 'match-sent',
      runId: 'run-1',
      plan: { memberNumber: 'F-100' },
      permission: { until: '2026-12-31T23:59:59.999Z' },
    });
  });

  it('overwrites nothing with a form of an older version, and sees what is stored', async () => {
    const { exchangeId } = await only();
    const old = hiddenFields(await page(`plan=${exchangeId}`));
    await send(`plan=${exchangeId}`, { scope: 'sensitive', covers: 'yes' });
    const answer = await browser.post('connected-apps', {
      ...old,
      ...choice,
      covers: 'no',
      answer: 'save-plan',
    });
    expect(statusOf(answer)).toBe(400);
    expect(htmlOf(answer)).toContain('This was changed meanwhile');
    expect(htmlOf(answer)).toMatch(/value="sensitive" checked/);
    expect((await only()).permission?.policy).toBe('sensitive');
  });
});

describe('a member who stops it', () => {
  it('is told that data stays, and ends it once, whatever a run does meanwhile', async () => {
    await send('plan=new');
    const { exchangeId } = await only();
    expect(await page(`end=${exchangeId}`)).toContain('Data that already came stays part of your record');
    const fields = hiddenFields(await page(`end=${exchangeId}`));
    const form = { ...fields, answer: 'stop-plan' };
    const change = exchanges.act(await only(), 'name-payer', { payerId: 'former' });
    await Promise.all([browser.post('connected-apps', form), browser.post('connected-apps', form), change]);
    const ended = await only();
    expect(ended.state).toBe('revoked');
    expect(ended.permission).toBeUndefined();
    expect(await due()).toEqual([]);
    const actions = (await audited()).map(({ action }) => action);
    expect(actions.filter((action) => action === 'payer-exchange.end')).toHaveLength(1);
    expect(await page(`saved=${exchangeId}`)).toContain('We no longer ask Former Plan.');
    // The back button leads to the list, and a new permission begins again.
    expect(locationOf(await browser.get('connected-apps', `end=${exchangeId}`)).search).toBe('');
    await send(`plan=${exchangeId}`);
    expect(await only()).toMatchObject({ state: 'opted-in', permission: { policy: 'regular' } });
  });
});

describe('a personal representative', () => {
  it('does the same for whom they represent, and is named in the audit', async () => {
    patients = [{ ...own, patientId, displayName: 'Mia Ejemplo', representative }];
    const form = await page(`plan=new&patient=${patientId}`);
    expect(form).toContain('Whose data: Mia Ejemplo');
    const answer = await send(`plan=new&patient=${patientId}`);
    const { exchangeId, permission } = await only();
    expect(locationOf(answer).search).toBe(`?saved=${exchangeId}&patient=${patientId}`);
    expect(permission?.by).toEqual({ kind: 'representative', id: 'R2001' });
    expect(await page()).toContain('<dd>Mia Ejemplo</dd>');
    await send(`end=${exchangeId}&patient=${patientId}`, {}, 'stop-plan');
    expect((await only()).state).toBe('revoked');
    expect((await audited()).map(({ representativeId }) => representativeId)).toEqual(['R2001', 'R2001']);
    patients = [own];
    const back = await browser.get('connected-apps', `plan=${exchangeId}&patient=${patientId}`);
    expect(locationOf(back).search).toBe('');
  });
});
