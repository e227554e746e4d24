import { createHmac } from 'node:crypto';
import { auditWrite } from '../../lambdas/audit/store/audit-events-contract.ts';
import { createSignIn } from '../../lambdas/authorization/accounts/sign-in.ts';
import type { BrowserResponse } from '../../lambdas/authorization/authorize/browser-request.ts';
import type {
  MemberContact,
  VerificationServices,
} from '../../lambdas/authorization/authorize/verification-code.ts';
import { type AccountReference, referenceTo } from '../../lambdas/authorization/oauth/member-account.ts';
import { languageOf } from '../../lambdas/authorization/pages/words/language.ts';
import { createSessionEpochs } from '../../lambdas/authorization/store/account-sessions-contract.ts';
import { createActivationStore } from '../../lambdas/authorization/store/activation-store.ts';
import { createAuthorizationAuditTrail } from '../../lambdas/authorization/store/authorization-audit-trail.ts';
import { createAuthorizationStore } from '../../lambdas/authorization/store/authorization-store.ts';
import { createClientReader } from '../../lambdas/authorization/store/client-reader.ts';
import { createMemberGrants } from '../../lambdas/authorization/store/member-grants.ts';
import { createSignInLimits } from '../../lambdas/authorization/store/sign-in-limits.ts';
import { createSignInStore } from '../../lambdas/authorization/store/sign-in-store.ts';
import { createSsoSessionStore } from '../../lambdas/authorization/store/sso-session-store.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { ProviderChoice } from '../../lambdas/catalog/oauth/identity-providers.ts';
import { createMemberExchanges } from '../../lambdas/payer-exchange/store/member-exchanges-contract.ts';
import type { OutboundMessage } from '../../lambdas/platform/kernel/outbound-message.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { systemRandom } from '../../lambdas/platform/runtime/random.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { clientKey } from '../../lambdas/platform/table/table-keys.ts';
import { startTestEngine } from '../support/engine.ts';
import { type AllPagesServices, pageHandler } from './all-pages.ts';
import { aClient, theMember } from './builders.ts';
import { hiddenFields } from './events.ts';
import { authorizationQuery } from './journey.ts';

/** The members' pages over the real engine, with a clock and outgoing messages that the test controls. */
export interface PagesWorld {
  /** ID of a client that is registered at the start. */
  readonly clientId: string;
  readonly table: Table;
  server: AllPagesServices;
  readonly sent: OutboundMessage[];
  /** Subject and client by the text of an id_token, for tests that do not check signatures. */
  readonly hinted: Map<string, { readonly subject: string; readonly clientId: string }>;
  contact: MemberContact | undefined;
  setting: VerificationServices['setting'];
  /** Identity providers that the sign-in page offers. */
  providers: Partial<Record<LineOfBusiness, ProviderChoice>>;
  /**
   * Replaces the lookup of the patients that an account may share.
   *
   * @default the one member
   */
  patientsOf: AllPagesServices['patientsOf'] | undefined;
  activation: AllPagesServices['activation'];
  /** Whether messages can be sent. */
  postOpen: boolean;
  nowMs: number;
  browser(cookies?: Map<string, string>): PagesBrowser;
  stop(): Promise<void>;
}

/** A browser without a screen: it keeps cookies, does not follow redirects, and submits forms with the headers of a form on our page. */
export interface PagesBrowser {
  readonly cookies: Map<string, string>;
  get(page: string, query?: string, lob?: LineOfBusiness): Promise<BrowserResponse>;
  post(page: string, form: string | Readonly<Record<string, string>>): Promise<BrowserResponse>;
  /** Opens the authorization endpoint. @returns the hidden fields of the sign-in page */
  begin(clientId: string): Promise<Record<string, string>>;
}

export const origin = 'https://auth.sandbox.example.org';

export async function startPagesWorld(): Promise<PagesWorld> {
  const engine = await startTestEngine();
  const table = createSignedTable(engine);
  const { clientId } = await registerClient({ table });
  const world: PagesWorld = {
    table,
    clientId,
    server: undefined as never,
    sent: [],
    hinted: new Map(),
    contact: { email: 'rosa@example.com', phoneNumber: '+12025550123' },
    setting: 'always',
    providers: {},
    postOpen: true,
    patientsOf: undefined,
    activation: {
      sendCode: async () => {},
      setPassword: async () => ({ kind: 'refusal', refusal: 'expired' }),
    },
    nowMs: Date.UTC(2026, 10, 20, 12, 0, 0),
    browser: (cookies = new Map()) => browserOf(world, cookies),
    stop: () => engine.stop(),
  };
  return Object.assign(world, { server: serverOf(world) });
}

/**
 * Registers a client.
 *
 * @param changes of the default client
 */
export async function registerClient(
  { table }: Pick<PagesWorld, 'table'>,
  changes: Parameters<typeof aClient>[0] = {},
) {
  const client = aClient(changes);
  await table.put({ ...clientKey(client.clientId), ...client });
  return client;
}

function serverOf(world: PagesWorld): AllPagesServices {
  const { table } = world;
  const now = () => world.nowMs;
  const limits = createSignInLimits(table, now);
  const directory = {
    find: async (name: string) =>
      name === theMember.memberId
        ? { kind: 'found' as const, sub: theMember.sub }
        : { kind: 'unknown' as const },
    signIn: async (name: string, password: string) =>
      name === theMember.memberId && password === theMember.password
        ? { kind: 'verified' as const, sub: theMember.sub }
        : { kind: 'refused' as const },
  };
  const { patientId, memberId, displayName } = theMember;
  const own = { patientId, memberId, displayName, relationship: 'self' } as const;
  const sessionEpochOf = createSessionEpochs(table);
  const access = { patientsOf: async () => [own], sessionEpochOf };
  const isOver = async ({ sub, sessionEpoch }: AccountReference) =>
    sessionEpoch !== undefined && (await sessionEpochOf(sub)) !== sessionEpoch;
  return {
    origins: {
      auth: origin,
      token: 'https://token.sandbox.example.org',
      apiTemplate: 'https://{lob}.api.sandbox.example.org',
    },
    clients: createClientReader(table),
    store: createAuthorizationStore(table),
    signIns: createSignInStore(table),
    ssoSessions: createSsoSessionStore(table),
    hints: { read: async (_lob, hint) => world.hinted.get(hint) },
    grants: createMemberGrants(table),
    exchangesOf: (lob) => createMemberExchanges(table, { lob, now, auditWrite }),
    audit: createAuthorizationAuditTrail(table),
    signIn: createSignIn(directory, access, limits),
    patientsOf: (lob, account) => world.patientsOf?.(lob, account) ?? access.patientsOf(),
    activations: createActivationStore(table),
    activation: {
      sendCode: (request) => world.activation.sendCode(request),
      setPassword: (request) => world.activation.setPassword(request),
    },
    findActiveAccount: async (_lob, account) =>
      (await isOver(account)) ? undefined : { ...referenceTo(account), patients: [own] },
    providerOf: (lob) => world.providers[lob],
    isAccountClosed: async (_lob, account) => await isOver(account),
    rates: limits.rates,
    errorsOrigin: undefined,
    verification: {
      get setting() {
        return world.setting;
      },
      contact: async () => world.contact,
      send: async (message) => {
        if (world.postOpen) world.sent.push(message);
        return world.postOpen;
      },
      mac: async (text) => createHmac('sha256', 'key').update(text).digest('base64url'),
      rates: limits.rates,
      forgetFailures: limits.forgetAccountFailures,
    },
    digests,
    random: systemRandom,
    now,
    interactionSeconds: 900,
    authorizationCodeSeconds: 60,
    accessTokenSeconds: 1_800,
    grantSeconds: 395 * 86_400,
  };
}

function browserOf(world: PagesWorld, cookies: Map<string, string>): PagesBrowser {
  async function send(method: string, page: string, query: string, form: string, lob: LineOfBusiness) {
    const source = {
      query: parametersOf(query),
      form: parametersOf(form),
      cookies,
      acceptLanguage: undefined,
    };
    const answer = await pageHandler(page)(world.server, method, page, {
      ...source,
      lob,
      language: languageOf(source),
      ...(method === 'POST'
        ? { origin, fetchSite: 'same-origin' }
        : { origin: undefined, fetchSite: 'none' }),
      address: '192.0.2.1',
      context: { environment: 'sandbox', lob, requestId: 'request-1' },
    });
    for (const cookie of answer.setCookies ?? []) keep(cookies, cookie);
    return answer;
  }
  const browser: PagesBrowser = {
    cookies,
    get: (page, query = '', lob = 'DSNP') => send('GET', page, query, '', lob),
    post: (page, form) => send('POST', page, '', new URLSearchParams(form).toString(), 'DSNP'),
    async begin(clientId) {
      return hiddenFields(htmlOf(await browser.get('authorize', authorizationQuery(clientId))));
    },
  };
  return browser;
}

function keep(cookies: Map<string, string>, header: string): void {
  const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(header) ?? [];
  if (/Max-Age=0/.test(rest)) cookies.delete(name);
  else cookies.set(name, value);
}

function parametersOf(text: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text))
    parameters.set(name, [...(parameters.get(name) ?? []), value]);
  return parameters;
}

export function htmlOf(answer: BrowserResponse): string {
  if (answer.kind === 'redirect') throw new Error(`a redirect to ${answer.location}`);
  return answer.html;
}

export function locationOf(answer: BrowserResponse): URL {
  if (answer.kind === 'page') throw new Error(`no redirect: ${answer.html.slice(0, 400)}`);
  return new URL(answer.location);
}

export function statusOf(answer: BrowserResponse): number {
  return answer.kind === 'redirect' ? 303 : answer.status;
}
