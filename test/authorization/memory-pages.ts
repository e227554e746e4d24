import type {
  AuthorizationStore,
  InteractionTransition,
} from '../../lambdas/authorization/authorize/authorization-store-port.ts';
import type { BrowserResponse } from '../../lambdas/authorization/authorize/browser-request.ts';
import type {
  AuthorizationCode,
  Grant,
  Interaction,
} from '../../lambdas/authorization/authorize/interaction.ts';
import type { LiveMemberGrant } from '../../lambdas/authorization/authorize/member-grants-port.ts';
import type {
  ConnectedAppsSession,
  KnownBrowser,
  SignInStore,
} from '../../lambdas/authorization/authorize/sign-in-store-port.ts';
import type { SsoSession, SsoSessionConsent } from '../../lambdas/authorization/authorize/sso-session.ts';
import type { MemberContact } from '../../lambdas/authorization/authorize/verification-code.ts';
import type { AccessiblePatient } from '../../lambdas/authorization/oauth/member-account.ts';
import type { OAuthClient } from '../../lambdas/authorization/oauth/oauth-client.ts';
import { languageOf } from '../../lambdas/authorization/pages/words/language.ts';
import type { AuditEvent } from '../../lambdas/catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { ProviderChoice } from '../../lambdas/catalog/oauth/identity-providers.ts';
import type { OutboundMessage } from '../../lambdas/platform/kernel/outbound-message.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { systemRandom } from '../../lambdas/platform/runtime/random.ts';
import { type AllPagesServices, pageHandler } from './all-pages.ts';
import { rfc7636, theMember, theRedirectUri } from './builders.ts';
import { startMs } from './memory-server.ts';
import { mayAnswer, memorySsoSessions, openSsoSession, rememberAnswer } from './memory-sso-sessions.ts';
import { type Changes, parametersOf } from './refreshing.ts';

export const audience = 'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1';
export const member = {
  sub: theMember.sub,
  patientId: theMember.patientId,
  displayName: theMember.displayName,
};

const own: AccessiblePatient = { patientId: member.patientId, displayName: member.displayName };

/** The members' pages over stores in memory, which a test can read and change. */
export function memoryPages(...clients: readonly OAuthClient[]) {
  const world = {
    nowMs: startMs,
    clientsById: new Map(clients.map((client) => [client.clientId, client])),
    interactions: new Map<string, Interaction>(),
    grants: [] as Grant[],
    codes: [] as AuthorizationCode[],
    sessions: new Map<string, ConnectedAppsSession>(),
    browsers: new Map<string, KnownBrowser>(),
    ssoSessions: new Map<string, SsoSession>(),
    /** Latest grants by SSO session and application. */
    consents: new Map<string, SsoSessionConsent>(),
    /** Subjects by the text of the id_token that names them. Each id_token is of the first client. */
    hinted: new Map<string, string>(),
    liveGrants: [] as LiveMemberGrant[],
    /** Client IDs of the applications that the member stopped sharing with. */
    stoppedApps: new Set<string>(),
    events: [] as AuditEvent[],
    messages: [] as OutboundMessage[],
    forgotten: [] as string[],
    counted: [] as string[],
    contact: { email: 'rosa@example.org', phoneNumber: '+12125550199' } as MemberContact | undefined,
    sends: true,
    /** Patients whose data the account may share. */
    patients: [own] as readonly AccessiblePatient[],
    providers: {} as Partial<Record<LineOfBusiness, ProviderChoice>>,
    /** Whether accounts are active. */
    stands: true,
    failures: 0,
    setting: 'never' as AllPagesServices['verification']['setting'],
    signInAnswer: undefined as Awaited<ReturnType<AllPagesServices['signIn']>> | undefined,
    server: undefined as unknown as AllPagesServices,
  };
  world.server = serverOf(world);
  return world;
}

export type MemoryPages = ReturnType<typeof memoryPages>;

function serverOf(world: MemoryPages): AllPagesServices {
  const rates: AllPagesServices['rates'] = {
    async attempt(rule, subject) {
      const before = world.counted.filter((one) => one === `${rule.name} ${subject}`).length;
      world.counted.push(`${rule.name} ${subject}`);
      return before < rule.limit ? { kind: 'allowed' } : { kind: 'limited', retryAfterSeconds: 77 };
    },
  };
  return {
    origins: {
      auth: 'https://auth.sandbox.example.org',
      token: 'https://token.sandbox.example.org',
      apiTemplate: 'https://{lob}.api.sandbox.example.org',
    },
    clients: { find: async (clientId) => world.clientsById.get(clientId) },
    store: storeOf(world),
    signIns: signInsOf(world),
    ssoSessions: memorySsoSessions(world),
    hints: {
      async read(_lob, hint) {
        const subject = world.hinted.get(hint);
        const [clientId = ''] = world.clientsById.keys();
        return subject === undefined ? undefined : { subject, clientId };
      },
    },
    grants: {
      live: async () => world.liveGrants,
      endable: async () => world.liveGrants.map((grant) => ({ ...grant, state: 'active' as const })),
      hasStopped: async (_lob, _patientId, clientId) => world.stoppedApps.has(clientId),
      lastAccesses: async (_lob, _patientId, _clientIds, since) => ({ last: new Map(), lookedBackTo: since }),
      accesses: async () => ({ accesses: [], next: undefined }),
      async stop({ grant: { grantId }, audit }) {
        const stopped = world.liveGrants.find((grant) => grant.grantId === grantId);
        if (stopped !== undefined) world.stoppedApps.add(stopped.clientId);
        world.liveGrants = world.liveGrants.filter((grant) => grant.grantId !== grantId);
        return world.events.push(audit) > 0;
      },
    },
    exchangesOf: () => ({
      ofPatient: async () => [],
      begin: async () => false,
      act: async () => undefined,
      change: async () => undefined,
    }),
    audit: { record: async (event) => void world.events.push(event) },
    async signIn(_lob, username, password) {
      if (world.signInAnswer !== undefined) return world.signInAnswer;
      if (username !== theMember.memberId || password !== theMember.password)
        return { kind: 'refusal', refusal: 'refused' };
      const account = { sub: member.sub, patients: world.patients };
      return { kind: 'verified', account, name: 'dsnp0001', failures: world.failures };
    },
    patientsOf: async () => world.patients,
    // Activation is tested over the engine; here its pages find no activation.
    activations: {
      find: async () => undefined,
      begin: async () => {},
      askAgain: async () => false,
      keepProof: async () => false,
      wrongCode: async () => false,
      rightCode: async () => false,
      complete: async () => false,
    },
    activation: {
      sendCode: async () => {},
      setPassword: async () => ({ kind: 'refusal', refusal: 'expired' }),
    },
    findActiveAccount: async (_lob, { sub, patientId }) =>
      world.stands && world.patients.some((each) => each.patientId === patientId)
        ? { sub, patients: world.patients }
        : undefined,
    providerOf: (lob) => world.providers[lob],
    isAccountClosed: async () => !world.stands,
    rates,
    errorsOrigin: undefined,
    verification: {
      get setting() {
        return world.setting;
      },
      contact: async () => world.contact,
      send: async (message) => world.messages.push(message) > 0 && world.sends,
      mac: async (text) => digests.sha256Hex(`key ${text}`),
      rates,
      forgetFailures: async (name) => void world.forgotten.push(name),
    },
    digests,
    random: systemRandom,
    now: () => world.nowMs,
    interactionSeconds: 900,
    authorizationCodeSeconds: 60,
    accessTokenSeconds: 1_800,
    grantSeconds: 395 * 86_400,
  };
}

/** Advances an interaction to its next state under the table's conditions. Returns whether they held. */
function advance(
  world: MemoryPages,
  { interactionId, now, audit, provider }: InteractionTransition,
  from: readonly Interaction['state'][],
  changes: Partial<Interaction>,
): boolean {
  const present = world.interactions.get(interactionId);
  if (present === undefined || !from.includes(present.state) || present.expiresAt <= now) return false;
  if (provider !== undefined && present.providerAttempt?.sha256 !== provider.requestSha256) return false;
  world.interactions.set(interactionId, { ...present, ...changes });
  return world.events.push(audit) > 0;
}

function storeOf(world: MemoryPages): AuthorizationStore {
  const noTokens = async (): Promise<never> => {
    throw new Error('the pages redeem no code');
  };
  return {
    begin: async (_lob, interaction) => void world.interactions.set(interaction.interactionId, interaction),
    interaction: async (_lob, interactionId) => world.interactions.get(interactionId),
    async signIn(step) {
      const about = {
        member: step.member,
        authTime: step.provider?.authTime ?? step.now,
        ...openSsoSession(world, step.ssoSession),
      };
      return advance(world, step, ['signing-in'], { state: 'consenting', ...about });
    },
    async share(step) {
      if (!mayAnswer(world, step)) return false;
      if (!advance(world, step, ['consenting'], { state: 'answered' })) return false;
      world.grants.push(step.grant);
      rememberAnswer(world, step, { ...step.grant, state: 'pending' });
      return world.codes.push(step.code) > 0;
    },
    async decline(step) {
      if (!advance(world, step, ['consenting'], { state: 'answered' })) return false;
      rememberAnswer(world, step);
      return true;
    },
    demonstrate: noTokens,
    code: async (_lob, sha256) => world.codes.find((code) => code.sha256 === sha256),
    redeem: noTokens,
    end: noTokens,
  };
}

function signInsOf(world: MemoryPages): SignInStore {
  const { sessions, browsers, interactions } = world;
  const untouched = (step: { interactionId: string; verification: { mac: string; tries: number } }) => {
    const present = interactions.get(step.interactionId)?.verification;
    return present?.mac === step.verification.mac && present.tries === step.verification.tries;
  };
  return {
    askCode: async (step) =>
      advance(world, step, ['signing-in'], {
        state: 'verifying',
        ...{
          account: step.account,
          member: step.member,
          verification: step.verification,
          expiresAt: step.expiresAt,
        },
        keep: step.keep,
      }),
    async askCodeAgain(step) {
      const sentAt = interactions.get(step.interactionId)?.verification?.sentAt ?? 0;
      const { verification, expiresAt } = step;
      return sentAt <= step.notBefore && advance(world, step, ['verifying'], { verification, expiresAt });
    },
    async wrongCode(step) {
      const verification = { ...step.verification, tries: step.verification.tries + 1 };
      return untouched(step) && advance(world, step, ['verifying'], { verification });
    },
    async rightCode(step) {
      if (!untouched(step)) return false;
      browsers.set(step.browser.browserId, step.browser);
      const about = { member: step.member, authTime: step.now, ...openSsoSession(world, step.ssoSession) };
      return advance(world, step, ['verifying'], { state: 'consenting', ...about });
    },
    async askPatient(step) {
      const { account, keep, right } = step;
      if (right !== undefined && !untouched({ ...step, ...right })) return false;
      if (right !== undefined) browsers.set(right.browser.browserId, right.browser);
      const from = right === undefined ? 'signing-in' : 'verifying';
      return advance(world, step, [from], { state: 'choosing', account, keep, authTime: step.now });
    },
    async choosePatient(step) {
      if (interactions.get(step.interactionId)?.account?.sub !== step.member.sub) return false;
      const about = { member: step.member, ...openSsoSession(world, step.ssoSession) };
      return advance(world, step, ['choosing'], { state: 'consenting', ...about });
    },
    async visit(step) {
      if (!advance(world, step, ['signing-in', 'verifying'], { state: 'answered' })) return false;
      if (step.right !== undefined) browsers.set(step.right.browser.browserId, step.right.browser);
      sessions.set(step.session.sessionId, step.session);
      return true;
    },
    async sendToProvider(step) {
      return advance(world, step, ['signing-in'], { providerAttempt: step.openRequest });
    },
    async refuseProvider(step) {
      const open = interactions.get(step.interactionId)?.providerAttempt;
      if (open === undefined) return false;
      return advance(world, step, ['signing-in'], { providerAttempt: { ...open, sha256: 'ended' } });
    },
    otherMember: async (step) => advance(world, step, ['signing-in'], { state: 'answered' }),
    async switchAccount(step) {
      if (!advance(world, step, ['consenting'], { state: 'answered' })) return false;
      interactions.set(step.next.interactionId, step.next);
      return true;
    },
    session: async (_lob, sessionId) => sessions.get(sessionId),
    endSession: async (_lob, sessionId) => void sessions.delete(sessionId),
    knownBrowser: async (_lob, browserId) => browsers.get(browserId),
  };
}

/** The parameters of a valid authorization request, with changes. */
export function asked(client: OAuthClient, changes: Changes = {}) {
  return parametersOf({
    client_id: client.clientId,
    response_type: 'code',
    redirect_uri: theRedirectUri,
    scope: 'openid fhirUser launch/patient patient/Patient.rs',
    state: 'state-1',
    nonce: 'nonce-1',
    aud: audience,
    code_challenge: rfc7636.challenge,
    code_challenge_method: 'S256',
    ...changes,
  });
}

export interface PageCall {
  readonly query?: ReadonlyMap<string, readonly string[]>;
  readonly form?: Changes;
  readonly origin?: string;
  readonly fetchSite?: string;
}

/** A member's browser, which keeps cookies and the hidden fields of the last page. */
export function memoryBrowser(world: MemoryPages, lob: LineOfBusiness = 'DSNP') {
  const cookies = new Map<string, string>();
  let fields: Record<string, string> = {};
  async function send(method: string, page: string, call: PageCall = {}): Promise<BrowserResponse> {
    const source = {
      query: call.query ?? parametersOf({}),
      form: parametersOf(call.form ?? {}),
      cookies,
      acceptLanguage: undefined,
    };
    const answer = await pageHandler(page)(world.server, method, page, {
      ...source,
      lob,
      language: languageOf(source),
      origin: call.origin,
      fetchSite: call.fetchSite,
      address: '192.0.2.1',
      context: { environment: 'sandbox', lob, requestId: 'request-1' },
    });
    for (const cookie of answer.setCookies ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (cookie.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    const html = answer.kind === 'page' ? answer.html : '';
    const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
    if (hidden.length > 0)
      fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    return answer;
  }
  return {
    cookies,
    fields: () => fields,
    get: (page: string, query: Changes = {}) => send('GET', page, { query: parametersOf(query) }),
    /** Submits the form of the last page with these values. */
    submit: (page: string, form: Changes, call: PageCall = {}) =>
      send('POST', page, { ...call, form: { ...fields, ...form } }),
    send,
    /** Follows a redirect if it leads to a page of the authorization server. */
    async follow(answer: BrowserResponse): Promise<BrowserResponse> {
      const { pathname, searchParams } = new URL(
        answer.kind === 'redirect' ? answer.location : 'about:blank',
      );
      const page = pathname.split('/').at(-1) ?? '';
      return await send('GET', page, { query: parametersOf(Object.fromEntries(searchParams)) });
    },
  };
}

export const password = { username: theMember.memberId, password: theMember.password };

/**
 * The only element of a list.
 *
 * @throws Error if there are more or none
 */
export const only = <One>(list: Iterable<One>): One => {
  const all = [...list];
  if (all.length !== 1 || all[0] === undefined) throw new Error(`not one but ${all.length}`);
  return all[0];
};

/** Opens the sign-in page for an application. */
export async function openSignIn(world: MemoryPages, client: OAuthClient, changes: Changes = {}) {
  const browser = memoryBrowser(world);
  const page = await browser.send('GET', 'authorize', { query: asked(client, changes) });
  return { browser, page };
}

/** Signs in and opens the consent page. */
export async function openConsent(world: MemoryPages, client: OAuthClient, changes: Changes = {}) {
  const { browser } = await openSignIn(world, client, changes);
  const page = await browser.follow(await browser.submit('sign-in', password));
  world.events.length = 0;
  return { browser, page };
}
