import type { AuthorizationStore } from '../../lambdas/authorization/authorize/authorization-store-port.ts';
import type { AuthorizationCode } from '../../lambdas/authorization/authorize/interaction.ts';
import type { TokenCaller } from '../../lambdas/authorization/oauth/client-ports.ts';
import type { OAuthClient } from '../../lambdas/authorization/oauth/oauth-client.ts';
import type { MemberTokenServer } from '../../lambdas/authorization/token/grant-type.ts';
import {
  isAlive,
  type LiveGrant,
  type RefreshFamily,
} from '../../lambdas/authorization/token/refresh-token-family.ts';
import type { AuditEvent } from '../../lambdas/catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { systemRandom } from '../../lambdas/platform/runtime/random.ts';
import { rfc7636, theMember, theRedirectUri } from './builders.ts';
import { memoryAccessToken, memoryTokens } from './memory-tokens.ts';

/** A token server over memory: the clients, codes, grants, and audit events are there for tests to read and change. */
export interface MemoryServer extends MemberTokenServer {
  readonly clientsById: Map<string, OAuthClient>;
  /** Codes by LOB and digest, as in the table. */
  readonly codes: Map<string, AuthorizationCode>;
  readonly ended: string[];
  readonly families: Map<string, RefreshFamily>;
  readonly grants: Map<string, LiveGrant>;
  readonly events: AuditEvent[];
  /** SHA-256 of each secret that authenticated a client. */
  readonly usedSecrets: string[];
  /** Callers as they were noted for the log of calls. */
  readonly callers: TokenCaller[];
  /** Subjects of the accounts that were disabled or deleted. */
  readonly closed: Set<string>;
  nowMs: number;
  /** Issues a code for a client, with the changes of the test. */
  issueCode(client: OAuthClient, changes?: Partial<AuthorizationCode>, lob?: LineOfBusiness): string;
}

export const startMs = Date.UTC(2026, 10, 20, 12, 0, 0);

export function memoryServer(...clients: readonly OAuthClient[]): MemoryServer {
  const clientsById = new Map(clients.map((client) => [client.clientId, client]));
  const codes = new Map<string, AuthorizationCode>();
  const ended: string[] = [];
  const families = new Map<string, RefreshFamily>();
  const grants = new Map<string, LiveGrant>();
  const events: AuditEvent[] = [];
  const usedSecrets: string[] = [];
  const callers: TokenCaller[] = [];
  const server: MemoryServer = {
    clientsById,
    codes,
    ended,
    families,
    grants,
    events,
    usedSecrets,
    callers,
    nowMs: startMs,
    origins: {
      auth: 'https://auth.sandbox.example.org',
      token: 'https://token.sandbox.example.org',
      apiTemplate: 'https://{lob}.api.sandbox.example.org',
    },
    clients: { find: async (clientId) => clientsById.get(clientId) },
    store: memoryStore(codes, ended, events, families, grants),
    tokens: memoryTokens(families, grants, ended, events),
    accessTokens: { verify: async (lob, token) => memoryAccessToken(lob, token, server.nowMs) },
    grantSeconds: 395 * 86_400,
    refreshIdleSeconds: 100 * 86_400,
    audit: { record: async (event) => void events.push(event) },
    signingKeys: {
      sign: async (issuer, claims, typ) => JSON.stringify({ issuer, typ, claims }),
    },
    digests,
    secretUses: { used: (sha256) => void usedSecrets.push(sha256) },
    noteCaller: (caller) => void callers.push(caller),
    assertions: { refusal: async () => 'assertion_key_unknown' },
    closed: new Set(),
    isAccountClosed: async (_lob, { sub }) => server.closed.has(sub),
    rates: {
      claimed: async () => ({ kind: 'allowed' }),
      proven: async () => ({ kind: 'allowed' }),
      failed: async () => ({ kind: 'allowed' }),
      mayTry: () => ({ kind: 'allowed' }),
      demonstrated: async () => ({ kind: 'allowed' }),
    },
    random: systemRandom,
    now: () => server.nowMs,
    accessTokenSeconds: 1_800,
    issueCode(client, changes = {}, lob = 'DSNP') {
      const code = systemRandom.token();
      const issued = { ...aCode(client, digests.sha256Hex(code)), ...changes };
      codes.set(`${lob} ${issued.sha256}`, issued);
      return code;
    },
  };
  return server;
}

function aCode(client: OAuthClient, sha256: string): AuthorizationCode {
  return {
    sha256,
    state: 'issued',
    clientId: client.clientId,
    redirectUri: theRedirectUri,
    codeChallenge: rfc7636.challenge,
    scope: 'openid fhirUser patient/*.read',
    nonce: 'nonce-1',
    grantId: systemRandom.uuid(),
    sub: theMember.sub,
    patientId: theMember.patientId,
    authTime: startMs / 1000 - 30,
    expiresAt: startMs / 1000 + 60,
  };
}

function memoryStore(
  codes: Map<string, AuthorizationCode>,
  ended: string[],
  events: AuditEvent[],
  families: Map<string, RefreshFamily>,
  grants: Map<string, LiveGrant>,
): AuthorizationStore {
  const noPages = async (): Promise<never> => {
    throw new Error('a token endpoint has no pages');
  };
  return {
    begin: noPages,
    interaction: noPages,
    signIn: noPages,
    share: noPages,
    decline: noPages,
    async demonstrate({ grant: { grantId, clientId, expiresAt }, audit }) {
      grants.set(grantId, { clientId, state: 'active', expiresAt });
      events.push(audit);
    },
    code: async (lob, sha256) => codes.get(`${lob} ${sha256}`),
    async redeem({ lob, code, now, grantExpiresAt, family, audit }) {
      const name = `${lob} ${code.sha256}`;
      const present = codes.get(name);
      if (present?.state !== 'issued' || present.expiresAt <= now) return 'code_used';
      const renewed = code.grantExpiresAt !== undefined;
      if (renewed && !isAlive(grants.get(code.grantId), code.clientId, now)) return 'grant_ended';
      codes.set(name, { ...present, state: 'redeemed' });
      if (!renewed)
        grants.set(code.grantId, { clientId: code.clientId, state: 'active', expiresAt: grantExpiresAt });
      if (family !== undefined) families.set(`${lob} ${family.familyId}`, family);
      events.push(audit);
      return 'redeemed';
    },
    async end({ lob, code, because, ends, audit }) {
      const name = `${lob} ${code.sha256}`;
      const present = codes.get(name);
      if (present?.state === 'issued') codes.set(name, { ...present, state: 'ended' });
      const grant = grants.get(code.grantId);
      if (ends === 'grant') ended.push(`${code.grantId} ${because}`);
      if (ends === 'grant' && grant !== undefined) grants.set(code.grantId, { ...grant, state: 'revoked' });
      events.push(audit);
    },
  };
}
