import { afterAll, describe, expect, it } from 'vitest';
import type {
  OperatorAccountView,
  OperatorApplicationView,
} from '../../../lambdas/portal/api/operator-views.ts';
import { decisionCriterionNames } from '../../../lambdas/portal/catalog/application-states.ts';
import { runOps } from '../../../ops/program.ts';
import { startLambdaDouble } from './lambda-double.ts';

const lambda = await startLambdaDouble();
afterAll(() => lambda.stop());

const developer: OperatorAccountView = {
  accountId: 'account-1',
  version: 4,
  state: 'pending_verification',
  nextStep: 'await_verification',
  role: 'developer',
  developerType: 'payer',
  firstName: 'Dana',
  lastName: 'Okafor',
  email: 'dana@payer.example',
  company: 'Payer One',
  teamId: 'team-1',
  createdAt: '2026-11-21T10:00:00.000Z',
  signUp: { companyLegalName: 'Payer One Inc.' },
  timeline: [{ at: '2026-11-21T10:00:00.000Z', actor: 'Dana Okafor', act: 'sign_up' }],
};
const configuration: OperatorApplicationView['sandbox']['configuration'] = {
  applicationName: 'Steps',
  applicationType: 'web',
  grantType: 'authorization_code',
  responseType: 'code',
  tokenEndpointAuthMethod: 'client_secret_basic',
  pkce: true,
  products: ['patient-access'],
  linesOfBusiness: ['DSNP'],
  applicationUri: 'https://steps.example.org',
  loginInitiateUri: 'https://steps.example.org/login',
  loginRedirectUris: ['https://steps.example.org/callback'],
  logoutRedirectUri: 'https://steps.example.org/bye',
  privacyUri: 'https://steps.example.org/privacy',
  tosUri: 'https://steps.example.org/terms',
  contactEmail: 'help@steps.example.org',
  supportPhone: '202-555-0123',
};
const application: OperatorApplicationView = {
  applicationId: 'application-1',
  name: 'Steps',
  state: 'awaiting_operator_approval',
  changeState: 'none',
  version: 7,
  updatedAt: '2026-11-21T10:00:00.000Z',
  attested: true,
  sandbox: { clientId: 'sandbox-client', configuration },
  production: { clientId: 'production-client', configuration },
  evidence: [],
  timeline: [
    {
      eventId: 'e',
      at: '2026-11-21T09:00:00.000Z',
      actor: { kind: 'developer', name: 'Dana Okafor' },
      act: 'submit',
      state: 'awaiting_operator_approval',
    },
  ],
  allowed: ['approve', 'reject'],
  appealed: false,
  developer,
  preflight: [{ id: 'attestation', title: 'You attested', result: 'pass', detail: 'On 2026-11-20.' }],
  sandboxDifference: [
    { field: 'contactEmail', before: 'a@steps.example.org', after: 'help@steps.example.org' },
  ],
  sandboxCalls: [],
};
const present = { body: { kind: 'result', result: application } };
const approved = { body: { kind: 'result', result: { ...application, state: 'approved', version: 8 } } };
const sentSince = (count: number) => lambda.sent.slice(count).map(({ payload }) => payload);
const ops = async (...args: string[]) => await lambda.ops(...args);

describe('decisions about applications', () => {
  it('are about the version that was told, and go to the portal’s own function', async () => {
    lambda.answer(approved);
    const before = lambda.sent.length;
    const { code, out } = await ops(
      'apps',
      'approve',
      'application-1',
      '--version',
      '7',
      '--note',
      'Welcome',
    );
    expect({ code, out }).toEqual({ code: 0, out: 'done: approved, version 8' });
    expect(lambda.sent.at(-1)?.path).toContain('portal-operations-of-commands');
    expect(sentSince(before)).toEqual([
      {
        action: 'decide-application',
        operator: 'ida',
        applicationId: 'application-1',
        decision: { act: 'approve', version: 7, note: 'Welcome' },
      },
    ]);
  });

  it('read the present version where none is told, and show what is decided about', async () => {
    lambda.answer(present, approved);
    const before = lambda.sent.length;
    const { code, out } = await ops('apps', 'approve', 'application-1', '--operator', 'Olga');
    expect(code).toBe(0);
    expect(out).toMatch(/Dana Okafor, Payer One[\s\S]*pre-flight:[\s\S]*done: approved, version 8$/);
    expect(out).toContain('contactEmail: a@steps.example.org -> help@steps.example.org');
    expect(sentSince(before)).toMatchObject([
      { action: 'application', operator: 'Olga' },
      { action: 'decide-application', operator: 'Olga', decision: { version: 7 } },
    ]);
  });

  it.each([
    ['request-changes', 'request_changes'],
    ['reject', 'reject'],
    ['request-change-changes', 'request_change_changes'],
    ['reject-change', 'reject_change'],
  ])('%s names a criterion, a field and a reason', async (verb, act) => {
    lambda.answer(approved);
    const said = ['--criterion', 'security-risk', '--field', 'privacyUri', '--reason', 'Because.'];
    expect((await ops('apps', verb, 'application-1', '--version', '7', ...said)).code).toBe(0);
    expect(lambda.sent.at(-1)?.payload.decision).toEqual({
      act,
      version: 7,
      criterion: 'security-risk',
      field: 'privacyUri',
      reason: 'Because.',
    });
  });

  it.each([
    ['suspend', ['--reason', 'Stolen secret'], { act: 'suspend', reason: 'Stolen secret' }],
    ['revoke', ['--reason', 'Abuse'], { act: 'revoke', reason: 'Abuse' }],
    ['resume', [], { act: 'resume' }],
    ['approve-change', ['--note', 'Fine'], { act: 'approve_change', note: 'Fine' }],
  ])('%s is sent as it is said', async (verb, options, decision) => {
    lambda.answer(approved);
    expect((await ops('apps', verb, 'application-1', '--version', '7', ...options)).code).toBe(0);
    expect(lambda.sent.at(-1)?.payload.decision).toEqual({ ...decision, version: 7 });
  });

  it('are only looked at on a dry run, by the portal itself', async () => {
    lambda.answer(approved);
    const before = lambda.sent.length;
    const { code, out } = await ops('apps', 'approve', 'application-1', '--version', '7', '--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/"act": "approve"[\s\S]*dry run: would be done: approved/);
    expect(sentSince(before)).toMatchObject([{ action: 'decide-application', dryRun: true }]);
  });

  it('end with 1 where they are refused, and say why', async () => {
    lambda.answer({
      body: {
        kind: 'problem',
        problem: {
          code: 'stale_version',
          title: 'This was changed after you opened it.',
          detail: 'Look at it.',
          current: application,
          changed: ['privacyUri'],
        },
      },
    });
    const stale = await ops('apps', 'approve', 'application-1', '--version', '3');
    expect(stale.code).toBe(1);
    expect(stale.out).toMatch(
      /refused: This was changed[\s\S]*current version\s+7[\s\S]*changed\s+privacyUri/,
    );
    lambda.answer({
      body: {
        kind: 'problem',
        problem: { code: 'state_conflict', title: 'No.', detail: 'See.', state: 'revoked', allowed: [] },
      },
    });
    const ended = await ops('apps', 'suspend', 'application-1', '--version', '7', '--reason', 'Why');
    expect({ code: ended.code, said: /state\s+revoked/.test(ended.out) }).toEqual({ code: 1, said: true });
  });

  it('end with 3 where the outcome is unknown, and say how to look', async () => {
    lambda.answer({ functionError: true, body: { errorMessage: 'it broke' } });
    const { code, err } = await ops('apps', 'approve', 'application-1', '--version', '7');
    expect(code).toBe(3);
    expect(err).toMatch(/it broke[\s\S]*apps show application-1/);
  });

  it('say of an account that is suspended what runs on', async () => {
    const notice = 'The applications of its team run on.';
    const result = { ...developer, state: 'suspended', version: 5, notice };
    lambda.answer({ body: { kind: 'result', result } });
    const { out } = await ops('accounts', 'suspend', 'account-1', '--version', '4', '--reason', 'Abuse');
    expect(out).toContain(`done: suspended, version 5\n${notice}`);
    lambda.answer({ body: { kind: 'result', result } });
    expect((await ops('accounts', 'show', 'account-1')).out).toContain(notice);
  });

  it('say of an account which applications were suspended with it, and which would be', async () => {
    const suspended = [
      { applicationId: 'app-1', name: 'Steps', outcome: 'suspended' },
      { applicationId: 'app-2', name: 'Strides', outcome: 'waiting' },
    ];
    const team = { others: [], approved: [{ applicationId: 'app-1', name: 'Steps' }] };
    const options = ['--reason', 'Abuse', '--applications', 'unattended', '--version', '4'];
    const answer = (more: object) =>
      lambda.answer({ body: { kind: 'result', result: { ...developer, ...more } } });
    answer({ state: 'suspended', version: 5, suspended });
    const done = (await ops('accounts', 'suspend', 'account-1', ...options)).out;
    expect(done).toMatch(
      /app-1\s+Steps\s+suspended[\s\S]*app-2\s+Strides\s+decided; production has not confirmed/,
    );
    answer({ team, suspended: suspended.slice(0, 1) });
    const dry = (await ops('accounts', 'suspend', 'account-1', ...options, '--dry-run')).out;
    expect(dry).toMatch(/dry run: would be done[\s\S]*app-1\s+Steps\s+would be suspended/);
    answer({ team });
    const shown = (await ops('accounts', 'show', 'account-1')).out;
    expect(shown).toMatch(
      /active members of its team: nobody[\s\S]*approved applications of its team:\n\s+app-1\s+Steps/,
    );
    answer({ state: 'suspended', suspended: [] });
    const none = (await ops('accounts', 'suspend', 'account-1', ...options)).out;
    expect(none).toContain('no application was suspended with it');
  });

  it('answer a machine in JSON alone', async () => {
    lambda.answer(present, approved);
    const { out } = await ops('apps', 'approve', 'application-1', '--json');
    expect(JSON.parse(out)).toMatchObject({ kind: 'result', result: { state: 'approved', version: 8 } });
  });
});

describe('lists', () => {
  it('show of the queue what the command is about', async () => {
    const item = (kind: string, name: string) => ({
      kind,
      id: `${kind}-1`,
      name,
      company: 'C',
      since: '2026',
      expectedBy: '2026-12-04',
      ...(kind === 'application' && {
        appeal: true,
        products: ['patient-access'],
        verdict,
        ownAct: 'reject',
      }),
    });
    const verdict = { fix: 0, check: 2, open: 0, passed: 10 };
    const items = [item('application', 'Steps'), item('change', 'Strides'), item('account', 'Payer One')];
    lambda.answer({ body: { kind: 'result', result: { items } } });
    const apps = (await ops('apps', 'queue')).out;
    expect([/Steps/.test(apps), /Strides/.test(apps), /Payer One/.test(apps)]).toEqual([true, true, false]);
    expect(apps).toMatch(
      /2026-12-04 .*Steps .*patient-access +2 to check, 10 passed +appeal, for another operator/,
    );
    const accounts = (await ops('accounts', 'queue')).out;
    expect([/Steps/.test(accounts), /Payer One/.test(accounts)]).toEqual([false, true]);
  });

  it('are of a state', async () => {
    lambda.answer({ body: { kind: 'result', result: { applications: [application] } } });
    expect((await ops('apps', 'list', '--state', 'approved')).out).toContain('application-1');
    expect(lambda.sent.at(-1)?.payload).toMatchObject({ action: 'applications', state: 'approved' });
    lambda.answer({ body: { kind: 'result', result: { accounts: [developer], next: 'n' } } });
    expect((await ops('accounts', 'list')).out).toMatch(/account-1[\s\S]*More accounts exist/);
  });
});

describe('accounts', () => {
  it.each([
    ['verify', [], { act: 'verify_organization' }],
    ['refuse', ['--reason', 'Unknown'], { act: 'refuse_organization', reason: 'Unknown' }],
    ['suspend', ['--reason', 'Abuse'], { act: 'suspend', reason: 'Abuse' }],
    [
      'suspend',
      ['--reason', 'Abuse', '--applications', 'unattended'],
      { act: 'suspend', reason: 'Abuse', applications: 'unattended' },
    ],
    [
      'suspend',
      ['--reason', 'Abuse', '--applications', 'app-1,app-2', '--applications', 'app-3'],
      { act: 'suspend', reason: 'Abuse', applications: ['app-1', 'app-2', 'app-3'] },
    ],
    ['resume', [], { act: 'resume' }],
  ])('%s is decided about the account as it is shown', async (verb, options, decision) => {
    lambda.answer({ body: { kind: 'result', result: developer } });
    const { code, out } = await ops('accounts', verb, 'account-1', ...options);
    expect(code).toBe(0);
    expect(out).toContain('Payer One Inc.');
    expect(lambda.sent.at(-1)?.payload).toMatchObject({
      action: 'decide-account',
      accountId: 'account-1',
      decision: { ...decision, version: 4 },
    });
  });
});

describe('operators', () => {
  const person = ['--email', 'olga@plan.example', '--first-name', 'Olga', '--last-name', 'Op', '--phone'];

  it('are made with a password that is shown once', async () => {
    const made = { operatorId: 'operator-1', password: 'only-shown-here' };
    lambda.answer({ body: { kind: 'result', result: { email: 'olga@plan.example', made } } });
    const { code, out } = await ops('operators', 'create', ...person, '202-555-0123');
    expect(code).toBe(0);
    expect(out).toMatch(/operator-1[\s\S]*olga@plan.example[\s\S]*only-shown-here[\s\S]*once/);
    expect(lambda.sent.at(-1)?.payload).toMatchObject({
      action: 'create-operator',
      person: { firstName: 'Olga', lastName: 'Op', email: 'olga@plan.example', phone: '202-555-0123' },
    });
  });

  it('are listed and removed', async () => {
    const olga = { operatorId: 'operator-1', name: 'Olga Op', email: 'olga@plan.example' };
    lambda.answer({ body: { kind: 'result', result: { operators: [olga] } } });
    expect((await ops('operators', 'list')).out).toMatch(
      /operator-1\s+has not signed in yet\s+none\s+Olga Op/,
    );
    lambda.answer({ body: { kind: 'result', result: olga } });
    expect((await ops('operators', 'reset-authenticator', 'olga@plan.example')).out).toContain(
      'reset: Olga Op',
    );
    expect(lambda.sent.at(-1)?.payload).toMatchObject({
      action: 'reset-authenticator',
      operatorId: 'olga@plan.example',
    });
    lambda.answer({ body: { kind: 'result', result: { ...olga, state: 'closed' } } });
    expect((await ops('operators', 'remove', 'olga@plan.example')).out).toContain('removed: Olga Op');
    expect(lambda.sent.at(-1)?.payload).toMatchObject({ operatorId: 'olga@plan.example' });
  });
});

describe('test members', () => {
  it('are the sandbox’s four of each line of business, each with what a test finds there', async () => {
    lambda.answer({ body: { kind: 'result', result: { published: 24 } } });
    expect(await ops('test-members', 'publish')).toMatchObject({ code: 0, out: '24 test members published' });
    const { members } = lambda.sent.at(-1)?.payload as { members: Record<string, string>[] };
    expect(members).toHaveLength(24);
    expect(members.filter(({ lob }) => lob === 'DSNP').map(({ about }) => about)).toEqual([
      'claims of all five kinds, on more than one page; whole birth date; a former and a current address; one enrollment',
      'claims of doctors, laboratories and suppliers and no others; unknown birth month and day; one address; two enrollments',
      expect.stringMatching(/diabetes since 20\d\d, insulin since 20\d\d, \d+ claims$/),
      expect.stringMatching(/\d+ claims$/),
    ]);
  });

  it('are published by the seed of this machine too', async () => {
    lambda.answer({ body: { kind: 'loaded', patientId: 'p', resources: 1 } });
    const before = lambda.sent.length;
    await ops('seed');
    await ops('seed', '--personas');
    const published = sentSince(before).filter(({ action }) => action === 'publish-test-members');
    expect(published.map(({ members }) => (members as object[]).length)).toEqual([12, 24]);
  });
});

describe('a command line that is wrong', () => {
  it.each([
    [['apps', 'dance', 'x'], 'use queue, list, show, approve'],
    [['apps', 'approve'], 'expected: apps approve <application id>'],
    [['apps', 'show', 'a', 'b'], 'expected: apps show <application id>'],
    [['apps', 'approve', 'a', '--reason', 'x'], 'has no option --reason'],
    [['apps', 'approve', 'a', '--version', 'new'], '--version must be a whole number'],
    [['apps', 'suspend', 'a', '--version', '1'], '--reason: the reason'],
    [['apps', 'reject', 'a', '--criterion', 'ugly', '--reason', 'x'], decisionCriterionNames.join(', ')],
    [['apps', 'reject', 'a', '--reason', 'x', '--version', '1'], '--criterion: choose a criterion'],
    [['apps', 'list', '--state', 'unknown'], '--state must be one of registered_in_sandbox'],
    [['apps', 'queue', 'x'], 'expected: apps queue'],
    [['accounts', 'refuse', 'a', '--version', '1'], '--reason: the reason'],
    [['accounts', 'dance'], 'use queue, list, show, verify'],
    [['accounts', 'list', '--state', 'unknown'], '--state must be one of pending_email'],
    [['operators', 'create', '--email', 'olga'], '--email: an e-mail address'],
    [['operators', 'create', '--email', 'o@plan.example'], '--first-name: the first name'],
    [['operators', 'promote'], 'use create, list, remove'],
    [['test-members', 'load'], 'use publish'],
  ])('%j ends with 2 and sends nothing', async (args, said) => {
    const before = lambda.sent.length;
    const { code, err, out } = await ops(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(said);
    expect(lambda.sent).toHaveLength(before);
  });

  it('without a system or a function says how to name one', async () => {
    const err: string[] = [];
    const terminal = { out: () => undefined, err: (text: string) => err.push(text) };
    const variables = { AWS_PROFILE: 'plan', USER: 'ida' };
    expect(await runOps(['apps', 'queue'], variables, terminal)).toBe(2);
    expect(err.join()).toContain('APPLICATION_OPERATIONS_FUNCTION');
  });
});

it('explains each of its commands', async () => {
  for (const [subject, said] of [
    ['apps', 'Refused if two operators must approve'],
    ['accounts', 'verify'],
    ['operators', 'Prints a password once'],
    ['test-members', 'publish'],
  ] as const) {
    const { code, out } = await ops(subject, '--help');
    expect({ code, said: out.replace(/\s+/g, ' ').includes(said) }).toEqual({ code: 0, said: true });
    expect((await ops('--help')).out).toContain(`  ${subject} `);
  }
  const { out } = await ops('apps', 'reject', '--help');
  for (const name of decisionCriterionNames) expect(out).toContain(name);
});
