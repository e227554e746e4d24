import { createHash } from 'node:crypto';
import { demonstration } from '../../../lambdas/catalog/oauth/demonstration.ts';
import type { Client } from '../../../lambdas/clients/provisioning/client.ts';
import { provision } from '../../../lambdas/clients/provisioning/provisioning.ts';
import type {
  CallPosition,
  LoggedCall,
  ProvisioningAnswer,
} from '../../../lambdas/clients/provisioning/provisioning-contract.ts';
import type {
  ClientRegistry,
  Commit,
  CompletedRequest,
  GatewayKey,
  ProvisioningServices,
  SubscriptionKeyService,
} from '../../../lambdas/clients/provisioning/provisioning-ports.ts';
import type { ClientRegistration } from '../../../lambdas/clients/provisioning/registration-contract.ts';

/** Thrown at the call at which a test has planned a crash. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

interface HeldKey extends GatewayKey {
  readonly requestId: string;
  enabled: boolean;
  readonly tiers: Set<string>;
}

/**
 * Provisioning over memory. Every call of a port is counted, and `crashAt(n, when)` makes the n-th call throw, before or after it takes
 * effect. Calls are asynchronous, so that concurrent acts interleave.
 */
export function provisioningDouble(environment: ProvisioningServices['environment'] = 'sandbox') {
  const clients = new Map<string, Client>();
  const requests = new Map<string, CompletedRequest>();
  const held = new Map<string, HeldKey>();
  const audit: { readonly action: string; readonly clientId: string; readonly repeat: boolean }[] = [];
  const logged: (LoggedCall & { readonly clientId: string })[] = [];
  const secretDays = new Map<string, string>();
  const lastCalls = new Map<string, number>();
  /** Whether the log of calls is unavailable. */
  const silent = { log: false };
  const clock = { now: Date.parse('2026-03-02T10:00:00.000Z') };
  const crash = { at: Number.POSITIVE_INFINITY, after: false };
  let calls = 0;
  let serial = 0;

  async function step<Result>(work: () => Result): Promise<Result> {
    calls += 1;
    const mine = calls;
    await Promise.resolve();
    if (mine === crash.at && !crash.after) throw new Crash();
    const result = work();
    if (mine === crash.at) throw new Crash();
    return result;
  }

  function commit({ before, after, request }: Commit): boolean {
    const present = clients.get(after.clientId);
    const known = requests.get(request.requestId);
    if (present?.updatedAt !== before?.updatedAt) return false;
    if (known !== undefined && known.expiresAt * 1000 > clock.now) return false;
    clients.set(after.clientId, after);
    requests.set(request.requestId, request);
    audit.push({ action: request.action, clientId: after.clientId, repeat: false });
    return true;
  }

  const registry: ClientRegistry = {
    client: (id) => step(() => clients.get(id)),
    request: (id) => step(() => requests.get(id)),
    secretDays: () => step(() => secretDays),
    commit: (it) => step(() => commit(it)),
    auditView: ({ clientId }) =>
      step(() => {
        audit.push({ action: 'credentials', clientId, repeat: false });
      }),
    auditRepeat: ({ action, clientId }) =>
      step(() => {
        audit.push({ action, clientId, repeat: true });
      }),
  };

  const keys: SubscriptionKeyService = {
    find: (requestId) => step(() => [...held.values()].find((key) => key.requestId === requestId)),
    create: (key) =>
      step(() => {
        serial += 1;
        const made = { ...key, apiKeyId: `key-${serial}`, enabled: true, tiers: new Set<string>() };
        held.set(made.apiKeyId, made);
        return made;
      }),
    attach: (id, tier) => step(() => void held.get(id)?.tiers.add(tier)),
    detach: (id, tier) => step(() => void held.get(id)?.tiers.delete(tier)),
    enable: (id, enabled) =>
      step(() => {
        const key = held.get(id);
        if (key !== undefined) key.enabled = enabled;
      }),
    delete: (id) => step(() => void held.delete(id)),
    value: (id) => step(() => held.get(id)?.value),
    usage: (id, _tier, from) => step(() => (held.has(id) ? [{ date: from, used: 3, remaining: 97 }] : [])),
  };

  const freshness = [
    {
      lob: 'DSNP',
      late: false,
      freshUntil: '2026-11-25T00:00:00.000Z',
      reconciledAt: '2026-11-23T02:00:00.000Z',
      source: 'claims',
    },
    {
      lob: 'DSNP',
      late: true,
      freshUntil: '2026-11-24T00:00:00.000Z',
      reconciledAt: '2026-11-20T02:00:00.000Z',
      source: 'eligibility',
    },
  ] as const;
  const provisioning: ProvisioningServices = {
    environment,
    resourceId: 'resource',
    tiers: ['standard', 'large', demonstration.tier],
    registry,
    keys,
    freshness: () => step(() => freshness),
    callLog: {
      lastCalls: ({ from, to }) =>
        step(() =>
          silent.log ? undefined : new Map([...lastCalls].filter(([, time]) => time >= from && time < to)),
        ),
      calls: ({ clientId, from, to, before, filter = {}, limit }) =>
        step(() => {
          const found = logged
            .filter((call) => call.clientId === clientId && call.time >= from && call.time < to)
            .filter((call) => before === undefined || place(call) < place(before))
            .filter(({ status }) => filter.status === undefined || status === filter.status)
            .filter(({ status }) => filter.outcome !== 'succeeded' || status < 400)
            .sort((a, b) => (place(a) < place(b) ? 1 : -1));
          const calls = found.slice(0, limit).map(({ clientId: _, ...call }) => call);
          const oldest = found.length > limit ? calls.at(-1) : undefined;
          return oldest === undefined
            ? { calls }
            : { calls, next: { time: oldest.time, requestId: oldest.requestId } };
        }),
    },
    cipher: {
      encrypt: (plaintext, clientId) => step(() => btoa(`${clientId} ${plaintext}`)),
      decrypt: (encrypted, clientId) =>
        step(() => {
          const text = atob(encrypted);
          if (!text.startsWith(`${clientId} `)) throw new Error('another client');
          return text.slice(clientId.length + 1);
        }),
    },
    now: () => clock.now,
    random: {
      token: (bytes) => `${serial++}`.padStart(Math.ceil((bytes * 4) / 3), 't'),
      uuid: () => `00000000-0000-4000-8000-${String(serial++).padStart(12, '0')}`,
    },
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  };

  return {
    provisioning,
    clients,
    requests,
    held,
    audit,
    logged,
    secretDays,
    lastCalls,
    silent,
    clock,
    send: (payload: unknown): Promise<ProvisioningAnswer> => provision(provisioning, payload),
    calls: () => calls,
    crashAt(call: number, when: 'before' | 'after') {
      calls = 0;
      crash.at = call;
      crash.after = when === 'after';
    },
    noCrash() {
      crash.at = Number.POSITIVE_INFINITY;
    },
    /** Subscription keys that work: known to the table, enabled in API Gateway, and in a usage plan. */
    usableKeys: () =>
      [...clients.values()].flatMap((client) =>
        client.subscriptionKeys.filter(({ apiKeyId, expiresAt }) => {
          const key = held.get(apiKeyId);
          const ended = expiresAt !== undefined && Date.parse(expiresAt) <= clock.now;
          return client.state === 'active' && !ended && key?.enabled === true && key.tiers.size === 1;
        }),
      ),
  };
}

export type ProvisioningDouble = ReturnType<typeof provisioningDouble>;

export function registration(changed: Partial<ClientRegistration> = {}): ClientRegistration {
  return {
    clientName: 'Sunrise Health',
    grantTypes: ['authorization_code'],
    tokenEndpointAuthMethod: 'client_secret_basic',
    linesOfBusiness: ['DSNP', 'MHBE'],
    products: ['patient-access'],
    redirectUris: ['https://sunrise.example/callback'],
    attested: true,
    pkceRequired: true,
    tier: 'standard',
    ...changed,
  };
}

/** Registers a client and returns its credentials. */
export async function registered(double: ProvisioningDouble, changed: Partial<ClientRegistration> = {}) {
  const answer = await double.send({
    action: 'register',
    requestId: `register-${double.calls()}`,
    registration: registration(changed),
  });
  if (answer.kind !== 'credentials') throw new Error(JSON.stringify(answer));
  return answer.credentials;
}

/** Position of a call in the list of calls, as a sortable text. */
function place({ time, requestId }: CallPosition): string {
  return `${String(time).padStart(15, '0')} ${requestId}`;
}
