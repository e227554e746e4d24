import { createHmac, randomUUID } from 'node:crypto';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { systemRandom } from '../../../lambdas/platform/runtime/random.ts';
import { totp } from '../../../lambdas/platform/runtime/totp.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';
import { accountDecisionRoutes } from '../../../lambdas/portal/accounts/account-decision-routes.ts';
import { accountRoutes } from '../../../lambdas/portal/accounts/account-routes.ts';
import type { Directory } from '../../../lambdas/portal/accounts/developer-directory-port.ts';
import type { BotCheck, DeveloperServices } from '../../../lambdas/portal/accounts/developer-services.ts';
import { createPortalAccountStore } from '../../../lambdas/portal/adapters/account-store.ts';
import { createUsedBotChecks } from '../../../lambdas/portal/adapters/bot-check-store.ts';
import { createPortalLimits } from '../../../lambdas/portal/adapters/limits-store.ts';
import { createMailCarrier } from '../../../lambdas/portal/adapters/messages.ts';
import { createPortalOutbox } from '../../../lambdas/portal/adapters/outbox.ts';
import { developerPhoneKind } from '../../../lambdas/portal/adapters/phone-number.ts';
import { teamKey } from '../../../lambdas/portal/adapters/portal-table-keys.ts';
import {
  createPortalSessionStore,
  createTableSessions,
} from '../../../lambdas/portal/adapters/session-store.ts';
import { createPortalTeamStore } from '../../../lambdas/portal/adapters/team-store.ts';
import { createPortalCodeStore } from '../../../lambdas/portal/adapters/verification-code-store.ts';
import { noContent, sessionRead } from '../../../lambdas/portal/api/route-handler.ts';
import type { ProblemDetails } from '../../../lambdas/portal/api/views.ts';
import { termsOfUse } from '../../../lambdas/portal/catalog/agreements.ts';
import { markedSignedIn, unmarkedSignedIn } from '../../../lambdas/portal/catalog/cookies.ts';
import { createPortalHandler } from '../../../lambdas/portal/http/handler.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { portalEvent, portalOrigin } from '../http/event.ts';

export const password = 'tall lantern maps the river';

export interface Sent {
  readonly channel: 'email' | 'sms';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** An answer as a browser gets it. `body` is the parsed JSON, or the problem. */
export interface Got {
  readonly status: number;
  // Untyped: each test knows the body that it expects.
  readonly body: Body;
  readonly headers: Readonly<Record<string, unknown>>;
}
type Body = Partial<ProblemDetails> & Record<string, never> & { readonly [name: string]: unknown };

export interface Browser {
  readonly cookies: Record<string, string>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Got>;
}

/** The portal's accounts over the real engine. The user pool, bot checks and messages are test doubles, and the test moves the clock. */
export interface PortalWorld {
  readonly services: DeveloperServices;
  readonly table: Table;
  /** Messages sent, oldest first. */
  readonly sent: Sent[];
  readonly directory: MemoryDirectory;
  clock: { ms: number };
  /** Advances the clock. */
  after(seconds: number): void;
  browser(cookies?: Record<string, string>): Browser;
  /** The code in the newest message to an address. */
  code(to: string): string;
  messagesTo(to: string): readonly Sent[];
  stop(): Promise<void>;
}

let bots = 0;
/** Returns a new right answer to the bot check. */
export function person(): string {
  bots += 1;
  return `person-${bots}`;
}

/**
 * @param reach creates the table's client.
 * @default the adapter that signs requests itself, which takes less CPU than the SDK (test/platform/table tests both by one contract).
 */
export async function startPortalWorld(
  changes: Partial<DeveloperServices> = {},
  reach?: (engine: TestEngine) => Promise<Table>,
): Promise<PortalWorld> {
  const engine = await startTestEngine();
  const table = reach === undefined ? createSignedTable(engine) : await reach(engine);
  const sent: Sent[] = [];
  const clock = { ms: Date.parse('2026-11-21T10:00:00.000Z') };
  const now = () => clock.ms;
  const directory = memoryDirectory();
  const messages = {
    mail: async ({ to, subject, text }: { to: string; subject: string; text: string }) =>
      sent.push({ channel: 'email', to, subject, text }) > 0,
    text: async (to: string, text: string) => sent.push({ channel: 'sms', to, subject: '', text }) > 0,
  };
  const outbox = createPortalOutbox(
    table,
    { mail: createMailCarrier(messages), provisioning: async () => 'later' },
    now,
  );
  const random = systemRandom;
  const services: DeveloperServices = {
    origin: portalOrigin,
    signInVerification: 'risk',
    accounts: createPortalAccountStore(table, { outbox, random, now }),
    teams: createPortalTeamStore(table, { outbox, random }),
    codes: createPortalCodeStore(table),
    sessions: createPortalSessionStore(table),
    directory,
    botCheck: memoryBotCheck(createUsedBotChecks(table)),
    limits: createPortalLimits(table, now),
    messages,
    mac: async (text) => createHmac('sha256', 'test').update(text).digest('base64url'),
    sha256Hex: digests.sha256Hex,
    equal: digests.equal,
    totp,
    phoneKind: developerPhoneKind,
    random,
    now,
    ...changes,
  };
  const sessions = createTableSessions(table, now);
  const log = () => undefined;
  const accounts = createPortalHandler<'portal-accounts'>({
    origin: portalOrigin,
    routes: accountRoutes(services),
    sessions,
    log: (_level, _code, fields) => failures.push(fields?.errorName ?? ''),
  });
  const other = sessionRead(async () => noContent());
  const operations = createPortalHandler<'portal-operations'>({
    origin: portalOrigin,
    routes: {
      queue: other,
      ownActs: other,
      operatorApplications: other,
      operatorApplication: other,
      decideApplication: other,
      verifiedOrganization: other,
      verifyOrganization: other,
      operatorJobs: other,
      operatorJob: other,
      cancelJob: other,
      directoriesToFix: other,
      directoryFindings: other,
      ...accountDecisionRoutes({
        ...services,
        applications: { approved: async () => [], stopped: async () => new Set() },
      }),
    },
    sessions,
    log,
  });
  const failures: string[] = [];
  const messagesTo = (to: string) => sent.filter((message) => message.to === to);
  return {
    services,
    table,
    sent,
    directory,
    clock,
    after(seconds) {
      clock.ms += Math.round(seconds * 1000);
    },
    browser: (cookies = {}) =>
      browser((event) => (event.path.startsWith('/api/operations') ? operations : accounts)(event), cookies),
    messagesTo,
    code(to) {
      const text = messagesTo(to).at(-1)?.text ?? '';
      const code = /\b(\d{6})\b/.exec(text)?.[1];
      if (code === undefined) throw new Error(`no code in the newest message to ${to}: ${text}`);
      return code;
    },
    stop: async () => await engine.stop(),
  };
}

function browser(
  handle: (event: ReturnType<typeof portalEvent>) => ReturnType<ReturnType<typeof createPortalHandler>>,
  cookies: Record<string, string>,
): Browser {
  return {
    cookies,
    async send(method, path, body, headers) {
      const answer = await handle(
        portalEvent({ method, path, body, cookies, ...(headers === undefined ? {} : { headers }) }),
      );
      for (const line of (answer.multiValueHeaders?.['Set-Cookie'] ?? []) as string[]) keep(cookies, line);
      return {
        status: answer.statusCode,
        body: answer.body === '' ? ({} as Body) : (JSON.parse(answer.body) as Body),
        headers: { ...answer.headers, 'Set-Cookie': answer.multiValueHeaders?.['Set-Cookie'] },
      };
    },
  };
}

/**
 * Stores a cookie as a browser stores a `__Host-` cookie: it must have `Secure`, `Path=/` and no `Domain`. A cookie with a secret must also
 * be HttpOnly.
 */
function keep(cookies: Record<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const [name = '', value = ''] = pair.split('=');
  if (!name.startsWith('__Host-')) throw new Error(`a cookie of another kind: ${line}`);
  const isSecret = line !== markedSignedIn && line !== unmarkedSignedIn;
  for (const needed of [
    'Path=/',
    'Secure',
    ...(isSecret ? ['HttpOnly', 'SameSite=Strict'] : ['SameSite=Lax']),
  ]) {
    if (!attributes.includes(needed)) throw new Error(`${needed} is missing: ${line}`);
  }
  if (attributes.some((attribute) => attribute.startsWith('Domain')))
    throw new Error(`for other hosts too: ${line}`);
  if (attributes.includes('Max-Age=0')) delete cookies[name];
  else cookies[name] = value;
}

export interface MemoryDirectory extends Directory {
  readonly users: Map<string, { password: string; enabled: boolean; operator: boolean }>;
  /** Names that were tried at sign-in. */
  readonly asked: string[];
}

function memoryDirectory(): MemoryDirectory {
  const users: MemoryDirectory['users'] = new Map();
  const asked: string[] = [];
  const set = (accountId: string, chosen: string) => {
    const user = users.get(accountId) ?? { password: '', enabled: true, operator: false };
    users.set(accountId, { ...user, password: chosen });
    return true;
  };
  return {
    users,
    asked,
    create: async (accountId, chosen) => set(accountId, chosen),
    setPassword: async (accountId, chosen) => set(accountId, chosen),
    async signIn(name, given) {
      asked.push(name);
      const user = users.get(name);
      if (user === undefined || !user.enabled || user.password !== given) return { kind: 'refused' };
      return { kind: 'signed_in', user: { accountId: name, operator: user.operator } };
    },
    async disable(accountId) {
      const user = users.get(accountId);
      if (user !== undefined) users.set(accountId, { ...user, enabled: false });
    },
    async remove(accountId) {
      users.delete(accountId);
    },
    describe: async (name) => ({
      firstName: 'Olga',
      lastName: 'Operator',
      email: `${name.replace(':', '.')}@plan.example`,
    }),
  };
}

/** A bot check that accepts each `person-…` once and refuses everything else. */
function memoryBotCheck(useOnce: ReturnType<typeof createUsedBotChecks>): BotCheck {
  return {
    offer: async () => ({ provider: 'altcha', challenge: {} }),
    async check(answer) {
      if (!answer.startsWith('person-')) return { kind: 'failed' };
      return { kind: 'passed', use: async () => await useOnce(digests.sha256Hex(answer), 2_000_000_000) };
    },
  };
}

let people = 0;

/** An e-mail address that no account has. */
export function anAddress(domain = 'example.org'): string {
  people += 1;
  return `dana.${people}.${randomUUID().slice(0, 8)}@${domain}`;
}

/** A US phone number to which no code was sent. */
export function aPhone(): string {
  people += 1;
  return `202-55${String(people % 10)}-${String(1000 + ((people * 7919) % 9000))}`;
}

export function individual(changes: Record<string, unknown> = {}) {
  return {
    developerType: 'individual',
    firstName: 'Dana',
    lastName: 'Okafor',
    company: 'Wellness Works',
    mobilePhone: aPhone(),
    email: anAddress(),
    password,
    passwordConfirmation: password,
    botCheck: person(),
    ...changes,
  };
}

export function payer(changes: Record<string, unknown> = {}) {
  people += 1;
  const domain = `payer${people}.example`;
  const contact = (name: string) => ({
    firstName: name,
    lastName: 'Payer',
    email: `${name.toLowerCase()}@${domain}`,
    phone: aPhone(),
    designation: 'compliance officer',
  });
  return {
    developerType: 'payer',
    companyLegalName: 'Good Health Inc',
    companyEmailDomain: domain,
    hipaaAffirmation: { accepted: true, version: '2026-11-22' },
    companyAddress: {
      street: '1 Main Street',
      state: 'MD',
      city: 'Baltimore',
      zipCode: '21201',
      phone: '800-555-0199',
      websiteUrl: `https://${domain}`,
    },
    customerServiceEmail: `help@${domain}`,
    customerServicePhone: '800-555-0199',
    primaryContact: contact('Paula'),
    secondaryContact: contact('Sven'),
    password,
    passwordConfirmation: password,
    botCheck: person(),
    ...changes,
  };
}

export const terms = { version: termsOfUse.version, scrolledToEnd: true, accepted: true };

/**
 * Signs up and completes the account.
 *
 * @returns the signed-in browser, and the account's data.
 */
export async function anActiveDeveloper(world: PortalWorld, changes: Record<string, unknown> = {}) {
  const form = individual(changes);
  const browser = world.browser();
  await browser.send('POST', '/api/accounts', form);
  await browser.send('POST', '/api/account/email-code', { code: world.code(form.email) });
  const phone = `+1${form.mobilePhone.replace(/\D/g, '')}`;
  await browser.send('POST', '/api/account/phone-code', { code: world.code(phone) });
  const done = await browser.send('POST', '/api/account/terms', terms);
  if (done.body.state !== 'active') throw new Error(`not active: ${JSON.stringify(done.body)}`);
  return { browser, form, phone, email: form.email, accountId: String(done.body.accountId) };
}

/** Signs an operator in, including the code that operators must always enter. */
export async function anOperator(world: PortalWorld, name = 'operator:olga'): Promise<Browser> {
  world.directory.users.set(name, { password, enabled: true, operator: true });
  const browser = world.browser();
  await browser.send('POST', '/api/session', { identifier: name, password, botCheck: person() });
  const email = `${name.replace(':', '.')}@plan.example`;
  const done = await browser.send('POST', '/api/session/code', { code: world.code(email) });
  if (done.status !== 200) throw new Error(`the operator is not signed in: ${JSON.stringify(done.body)}`);
  return browser;
}

/** Sets the number of a team's active applications. */
export async function hasApplications({ table }: PortalWorld, teamId: string, count: number): Promise<void> {
  await table.update({
    key: teamKey(teamId),
    expression: 'SET applications = :count',
    condition: 'attribute_exists(pk)',
    values: { ':count': count },
  });
}
