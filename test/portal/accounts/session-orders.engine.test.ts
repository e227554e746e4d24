import { afterAll, describe, expect, it } from 'vitest';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';
import { createTableSessions } from '../../../lambdas/portal/adapters/session-store.ts';
import { runsInTurn } from '../../support/matrix-turn.ts';
import fc from '../../support/property.ts';
import { interleaving } from './interleaving.ts';
import {
  anActiveDeveloper,
  anOperator,
  type Browser,
  type Got,
  password,
  person,
  startPortalWorld,
} from './portal-world.ts';

/**
 * Acts that end sessions, in thousands of orders of their calls, with functions that die in between: concurrent requests of one account.
 * After an answer that sessions have ended, no such session is valid, neither the owner's nor that of a thief who knows the old password.
 */

const orders = interleaving();
const chosen = 'quiet orchard of seven kites';
const other = 'seven quiet kites of an orchard';
const byCode = 'nine gentle barrels of rain';

/** Every session that was begun in any order. */
const allSessions: { readonly accountId: string; readonly sessionId: string }[] = [];

const world = await startPortalWorld({ signInVerification: 'never' }, async (engine) =>
  orders.wrap(seenBegin(createSignedTable(engine))),
);
afterAll(() => world.stop());
Object.assign(world.services, { directory: orders.wrap(world.directory) });
const operator = await anOperator(world);

/** Creates an account that is signed in in two browsers and has a reset code, and a function that signs in with a given password. */
async function aStage() {
  world.after(3_600);
  // A request, so that the operator's session does not become idle.
  await operator.send('GET', '/api/account');
  const { browser: first, email, accountId } = await anActiveDeveloper(world);
  const signIn = async (into: Browser, given: string) =>
    await into.send('POST', '/api/session', { identifier: email, password: given, botCheck: person() });
  const second = world.browser();
  await signIn(second, password);
  world.after(61);
  await world.browser().send('POST', '/api/password-reset', { email, botCheck: person() });
  return { first, second, email, accountId, signIn, resetCode: world.code(email) };
}
type Stage = Awaited<ReturnType<typeof aStage>>;

/** A second tab of a browser, with a copy of its cookies. Sessions that it is given replace the browser's session. */
const tab = (of: Browser) => world.browser({ ...of.cookies });

interface Act {
  readonly run: (stage: Stage) => Promise<Got>;
  /** The browser whose session makes the request; absent if the act needs no session. */
  readonly in?: 'first' | 'second';
}

function inSession(name: 'first' | 'second', method: string, path: string, body?: unknown): Act {
  return { in: name, run: async (stage) => await tab(stage[name]).send(method, path, body) };
}

const setPassword = (of: string) => ({ presentPassword: password, password: of, passwordConfirmation: of });
const acts = {
  'the password once more': inSession('first', 'POST', '/api/session/password', { password }),
  'the password once more, twice': {
    in: 'first',
    async run({ first }) {
      const browser = tab(first);
      await browser.send('POST', '/api/session/password', { password });
      return await browser.send('POST', '/api/session/password', { password });
    },
  },
  'sign out': inSession('first', 'DELETE', '/api/session'),
  'sign out everywhere': inSession('second', 'DELETE', '/api/sessions'),
  'change the password': inSession('first', 'POST', '/api/account/password', setPassword(chosen)),
  'change it elsewhere': inSession('second', 'POST', '/api/account/password', setPassword(other)),
  'close the account': inSession('second', 'POST', '/api/account/close', { password }),
  'set a password by a code': {
    run: async ({ email, resetCode: code }) =>
      await world.browser().send('POST', '/api/password-reset/confirm', {
        email,
        code,
        password: byCode,
        passwordConfirmation: byCode,
      }),
  },
  'sign in by the old password': { run: async ({ signIn }) => await signIn(world.browser(), password) },
  'sign in by its name in the user pool': {
    run: async ({ accountId }) =>
      await world
        .browser()
        .send('POST', '/api/session', { identifier: accountId, password, botCheck: person() }),
  },
  'sign in once more': { in: 'first', run: async ({ signIn, first }) => await signIn(tab(first), password) },
  suspend: {
    async run({ accountId }) {
      const path = `/api/operations/accounts/${accountId}`;
      const { version } = (await operator.send('GET', path)).body;
      return await operator.send('POST', `${path}/decisions`, { act: 'suspend', version, reason: 'A test.' });
    },
  },
} as const satisfies Readonly<Record<string, Act>>;
type ActName = keyof typeof acts;
const names = Object.keys(acts) as readonly ActName[];

/** Session secrets in the cookies of an answer. */
function secretsOf({ headers }: Got): readonly string[] {
  const lines = (headers['Set-Cookie'] as readonly string[] | undefined) ?? [];
  return lines.flatMap((line) => {
    const secret = /^__Host-session=([\w-]{43});/.exec(line)?.[1];
    return secret === undefined ? [] : [secret];
  });
}

interface Ran {
  readonly stage: Stage;
  readonly answers: Readonly<Partial<Record<ActName, Got>>>;
  /** Names of the valid sessions: the act that issued them, or `first` and `second`, which existed before. */
  readonly living: readonly string[];
  readonly stored: readonly string[];
}

/** IDs of an account's sessions in the table, also of those whose secret was never sent. */
async function storedSessions(stage: Stage): Promise<readonly string[]> {
  const account = await world.services.accounts.find(stage.accountId);
  // A transaction that is tried again names its session again.
  const known = new Set(
    allSessions.filter(({ accountId }) => accountId === stage.accountId).map(({ sessionId }) => sessionId),
  );
  const living = await Promise.all(
    [...known].map(async (sessionId) => {
      const stored = await world.services.sessions.get(sessionId);
      const lives =
        stored?.kind === 'session' && account?.state !== 'closed' && stored.epoch === account?.sessionEpoch;
      return lives ? [sessionId] : [];
    }),
  );
  return living.flat();
}

function seenBegin(table: Table): Table {
  return {
    ...table,
    async transact(writes) {
      for (const write of writes) {
        if (!('put' in write) || typeof write.put.sessionId !== 'string') continue;
        allSessions.push({ accountId: String(write.put.accountId), sessionId: write.put.sessionId });
      }
      await table.transact(writes);
    },
  };
}

async function run(
  chosenActs: readonly ActName[],
  turns: readonly number[],
  crash?: { readonly who: ActName; readonly at: number },
): Promise<Ran> {
  const stage = await aStage();
  const before = {
    first: stage.first.cookies['__Host-session'],
    second: stage.second.cookies['__Host-session'],
  };
  const asked = Object.fromEntries(chosenActs.map((name) => [name, async () => await acts[name].run(stage)]));
  const answers: Readonly<Partial<Record<ActName, Got>>> = await orders.race(asked, turns, crash);
  if (answers.suspend !== undefined) await resume(stage);
  const given = [
    ...Object.entries(before).map(([name, secret]) => [name, secret ?? ''] as const),
    ...Object.entries(answers).flatMap(([name, got]) =>
      secretsOf(got).map((secret) => [name, secret] as const),
    ),
  ];
  const sessions = createTableSessions(world.table, () => world.clock.ms);
  const living: string[] = [];
  for (const [name, secret] of given) {
    if ((await sessions.find(secret)) !== undefined) living.push(name);
  }
  return { stage, answers, living, stored: await storedSessions(stage) };
}

/** Ends the suspension, which must not make a session valid again. */
async function resume({ accountId }: Stage): Promise<void> {
  const path = `/api/operations/accounts/${accountId}`;
  const { version, state } = (await operator.send('GET', path)).body;
  if (state === 'suspended') await operator.send('POST', `${path}/decisions`, { act: 'resume', version });
}

const done = (answers: Ran['answers'], name: ActName) => (answers[name]?.status ?? 500) < 300;
const signIns: readonly string[] = [
  'sign in by the old password',
  'sign in by its name in the user pool',
  'sign in once more',
] satisfies readonly ActName[];
/** Acts that end all other sessions and continue their own. */
const changers: readonly string[] = [
  'change the password',
  'change it elsewhere',
] satisfies readonly ActName[];

/** @returns the sessions that are valid and must not be, and other contradictions, as sentences. */
function wrong({ answers, living, stored, stage }: Ran): readonly string[] {
  const complaints: string[] = [];
  const mustBeDead = (why: string, isDead: (name: string) => boolean) => {
    for (const name of living) if (isDead(name)) complaints.push(`${name} lives after: ${why}`);
  };
  const inFirst = (name: string) => name === 'first' || (acts as Record<string, Act>)[name]?.in === 'first';
  if (done(answers, 'sign out')) {
    mustBeDead('sign out', (name) => inFirst(name) && name !== 'sign in once more');
  }
  if (done(answers, 'sign out everywhere'))
    mustBeDead('sign out everywhere', (name) => !signIns.includes(name));
  if (done(answers, 'close the account')) mustBeDead('close the account', () => true);
  if (done(answers, 'suspend')) mustBeDead('suspend', () => true);
  if (done(answers, 'set a password by a code')) {
    mustBeDead('a password set by a code', () => true);
    if (world.directory.users.get(stage.accountId)?.password !== byCode)
      complaints.push('another password holds');
  }
  // Sessions of the old password must have ended once it no longer signs in, even if the change of the password was not answered.
  if (world.directory.users.get(stage.accountId)?.password !== password) {
    mustBeDead('the new password', (name) => !changers.includes(name));
  }
  if (stored.length > living.length) complaints.push('a session lives of which nobody knows');
  if (living.filter((name) => changers.includes(name)).length > 1)
    complaints.push('both who changed it live');
  return complaints;
}

const aTurn = fc.array(fc.nat({ max: 5 }), { minLength: 10, maxLength: 60 });
const someActs = fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 4 });

describe('acts of one account side by side', () => {
  it('leave no session alive that one of them ended, in any order', async () => {
    const runs = Number(process.env.SESSION_ORDERS ?? 120);
    await fc.assert(
      fc.asyncProperty(someActs, aTurn, async (these, turns) => {
        expect(wrong(await run(these, turns))).toEqual([]);
      }),
      runsInTurn(runs),
    );
  }, 600_000);

  it('nor where the function of one of them dies', async () => {
    const runs = Number(process.env.SESSION_ORDERS ?? 80);
    await fc.assert(
      fc.asyncProperty(
        someActs,
        aTurn,
        fc.nat({ max: 3 }),
        fc.nat({ max: 20 }),
        async (these, turns, who, at) => {
          const dies = these[who % these.length];
          if (dies === undefined) throw new Error('nobody');
          const ran = await run(these, turns, { who: dies, at });
          expect(wrong({ ...ran, stored: [] })).toEqual([]);
        },
      ),
      runsInTurn(runs),
    );
  }, 600_000);
});
