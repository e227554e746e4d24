import { pbkdf2Sync, randomInt, randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { AccountView, ProblemDetails } from '../../lambdas/portal/api/views.ts';
import { termsOfUse } from '../../lambdas/portal/catalog/agreements.ts';
import type { LocalSystem } from '../../ops/command-line/system.ts';
import { runOps } from '../../ops/program.ts';

/** Sends requests to the portal without a browser's rules: any method, path, header and body. */

export interface Knock {
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Each `Set-Cookie` header as received. */
  readonly setCookies: readonly string[];
}

export interface Visitor {
  readonly cookies: Map<string, string>;
  /** Sends a request as the portal's page does, with its origin and cookies. The headers given replace those. */
  send(method: string, path: string, knock?: Knock): Promise<Answer>;
}

export interface Door {
  readonly origin: string;
  /** Sends exactly these headers and no others. */
  knock(method: string, path: string, knock?: Knock): Promise<Answer>;
  visitor(): Visitor;
  /** Returns a solved bot check, as a browser sends it. */
  botCheck(): Promise<string>;
  messagesTo(to: string): Promise<readonly { readonly subject?: string; readonly text?: string }[]>;
  codeTo(to: string, after?: number): Promise<string>;
}

/** @param watch is called with every answer */
export function portalDoor(
  { port }: Pick<LocalSystem, 'port'>,
  watch: (method: string, path: string, answer: Answer) => void = () => {},
): Door {
  const origin = `http://portal.localhost:${port}`;
  const knock: Door['knock'] = async (method, path, parts = {}) => {
    const answer = await raw(port, `portal.localhost:${port}`, method, path, parts);
    watch(method, path, answer);
    return answer;
  };
  const messagesTo: Door['messagesTo'] = async (to) => {
    const path = `/messages?${new URLSearchParams({ to })}`;
    const { text } = await raw(port, `inbox.localhost:${port}`, 'GET', path, {});
    return JSON.parse(text).messages;
  };
  return {
    origin,
    knock,
    visitor: () => visitor(knock, origin),
    botCheck: async () => solve(bodyOf(await knock('GET', '/api/bot-check')).challenge as Challenge),
    messagesTo,
    async codeTo(to, after = 0) {
      for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
        const messages = await messagesTo(to);
        const code = /\b(\d{6})\b/.exec(messages[0]?.text ?? '')?.[1];
        if (messages.length > after && code !== undefined) return code;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`no code came to ${to}`);
    },
  };
}

async function raw(port: number, host: string, method: string, path: string, { headers = {}, body }: Knock) {
  const bytes = bytesOf(body);
  return await new Promise<Answer>((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          host,
          ...headers,
          ...(bytes === undefined ? {} : { 'content-length': String(bytes.length) }),
        },
        signal: AbortSignal.timeout(30_000),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString('utf8'),
            setCookies: incoming.headers['set-cookie'] ?? [],
          }),
        );
      },
    );
    outgoing.on('error', reject).end(bytes);
  });
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function visitor(knock: Door['knock'], origin: string): Visitor {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async send(method, path, { headers = {}, body } = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await knock(method, path, {
        headers: {
          ...(method === 'GET' ? {} : { origin }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(cookie === '' ? {} : { cookie }),
          ...headers,
        },
        body,
      });
      for (const line of answer.setCookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/;\s*Max-Age=0\b/.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
  };
}

// Loosely typed: each test knows the body that it expects.
export type Body = Partial<Omit<ProblemDetails, 'version'> & AccountView> & {
  readonly [name: string]: unknown;
};
export type Registered = Body & { readonly applicationId: string; readonly version: number };

export function bodyOf({ text }: Answer): Body {
  return text === '' ? {} : JSON.parse(text);
}

/** An answer as text without its request ID, to compare answers of the same kind. */
export function alike(answer: Answer): string {
  return `${answer.status} ${answer.text.replace(/"requestId":"[^"]*"/, '"requestId":""')}`;
}

interface Challenge {
  readonly parameters: {
    readonly nonce: string;
    readonly salt: string;
    readonly cost: number;
    readonly keyLength?: number;
    readonly keyPrefix: string;
  };
  readonly signature: string;
}

/** Lowest counter of the portal's bot challenges. */
const leastCounter = 1_000;
const mostCounter = 10_000;

/** Solves ALTCHA's proof of work: finds the counter whose derived key begins with the challenge's prefix. */
function solve(challenge: Challenge): string {
  const { nonce, salt, cost, keyLength = 32, keyPrefix } = challenge.parameters;
  const password = Buffer.concat([Buffer.from(nonce, 'hex'), Buffer.alloc(4)]);
  for (let counter = leastCounter; counter < mostCounter; counter += 1) {
    password.writeUInt32BE(counter, password.length - 4);
    const key = pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, keyLength, 'sha256');
    const derivedKey = key.toString('hex');
    if (derivedKey.startsWith(keyPrefix)) {
      return Buffer.from(JSON.stringify({ challenge, solution: { counter, derivedKey } })).toString('base64');
    }
  }
  throw new Error('the challenge has no solution');
}

export function anEmail(domain = 'example.org'): string {
  return `dana.${randomUUID().slice(0, 12)}@${domain}`;
}

/** A random US number of Washington, DC, in E.164. The texts to a number are limited, so a number should not be shared. */
export function aPhone(): string {
  return `+1202${randomInt(200, 1_000)}${String(randomInt(10_000)).padStart(4, '0')}`;
}

export function aForm(changes: Readonly<Record<string, unknown>> = {}) {
  const password = `tall lantern maps ${randomUUID().slice(0, 12)}`;
  return {
    developerType: 'individual',
    firstName: 'Dana',
    lastName: 'Okafor',
    company: `Company ${randomUUID().slice(0, 8)}`,
    mobilePhone: aPhone(),
    email: anEmail(),
    password,
    passwordConfirmation: password,
    ...changes,
  };
}
export type Form = ReturnType<typeof aForm>;

export const terms = { version: termsOfUse.version, scrolledToEnd: true, accepted: true };

/** Signs up; the account then waits for the code by e-mail. */
export async function signUp(
  door: Door,
  form: Form,
): Promise<{ readonly visitor: Visitor; readonly answer: Answer }> {
  const visitor = door.visitor();
  const body = { ...form, botCheck: await door.botCheck() };
  return { visitor, answer: await visitor.send('POST', '/api/accounts', { body }) };
}

export interface Developer {
  readonly visitor: Visitor;
  readonly form: Form;
  readonly accountId: string;
  readonly teamId: string;
}

/** Signs up and completes the account. */
export async function aDeveloper(door: Door, form: Form = aForm()): Promise<Developer> {
  const { visitor } = await signUp(door, form);
  await visitor.send('POST', '/api/account/email-code', { body: { code: await door.codeTo(form.email) } });
  await visitor.send('POST', '/api/account/phone-code', {
    body: { code: await door.codeTo(form.mobilePhone) },
  });
  const done = bodyOf(await visitor.send('POST', '/api/account/terms', { body: terms }));
  if (done.state !== 'active') throw new Error(`not active: ${JSON.stringify(done)}`);
  return { visitor, form, accountId: done.accountId ?? '', teamId: done.teamId ?? '' };
}

export async function signIn(
  door: Door,
  identifier: string,
  password: string,
  visitor: Visitor = door.visitor(),
): Promise<{ readonly visitor: Visitor; readonly answer: Answer }> {
  const body = { identifier, password, botCheck: await door.botCheck() };
  return { visitor, answer: await visitor.send('POST', '/api/session', { body }) };
}

/**
 * Runs `npm run ops -- …` against a system.
 *
 * @throws Error if the exit code is not 0.
 */
export async function ops(systemFile: string, ...args: string[]): Promise<string> {
  const printed: string[] = [];
  const print = (text: string) => printed.push(text);
  const code = await runOps(
    [...args, '--system', systemFile],
    { USER: 'journeys' },
    { out: print, err: print },
  );
  if (code !== 0) throw new Error(`ops ${args.join(' ')} ended with ${code}: ${printed.join('\n')}`);
  return printed.join('\n');
}

/** Creates an operator of the portal and signs in with password and code. */
export async function anOperator(
  door: Door,
  systemFile: string,
): Promise<{ readonly visitor: Visitor; readonly email: string; readonly password: string }> {
  const [email, phone] = [anEmail('plan.example'), aPhone()];
  const names = ['--first-name', 'Olga', '--last-name', 'Operator'];
  const printed = await ops(
    systemFile,
    'operators',
    'create',
    '--email',
    email,
    '--phone',
    phone.slice(2),
    ...names,
  );
  const password = /^password\s+(\S+)$/m.exec(printed)?.[1] ?? '';
  const { visitor } = await signIn(door, email, password);
  const body = { code: await door.codeTo(phone) };
  const answer = await visitor.send('POST', '/api/session/code', { body });
  if (answer.status !== 200) throw new Error(`the operator is not signed in: ${answer.text}`);
  return { visitor, email, password };
}

/** A valid configuration of an application for the sandbox. */
export function aConfiguration(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    applicationName: 'Sunrise Health',
    applicationType: 'web',
    grantType: 'authorization_code',
    responseType: 'code',
    tokenEndpointAuthMethod: 'client_secret_basic',
    pkce: true,
    products: ['patient-access'],
    linesOfBusiness: ['DSNP'],
    applicationUri: 'https://sunrise-health.org/',
    loginInitiateUri: 'https://sunrise-health.org/login',
    loginRedirectUris: ['https://app.example.org/callback'],
    logoutRedirectUri: 'https://sunrise-health.org/bye',
    privacyUri: 'https://sunrise-health.org/privacy',
    tosUri: 'https://sunrise-health.org/terms',
    contactEmail: 'support@sunrise-health.org',
    supportPhone: '202-456-1111',
    ...changes,
  };
}

/**
 * Registers an application.
 *
 * @returns the application as the API returns it
 */
export async function anApplication(
  { visitor }: Pick<Developer, 'visitor'>,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Registered> {
  const answer = await visitor.send('POST', '/api/applications', {
    body: { configuration: aConfiguration(changes) },
  });
  if (answer.status !== 201) throw new Error(`not registered: ${answer.text}`);
  return bodyOf(answer) as Registered;
}
