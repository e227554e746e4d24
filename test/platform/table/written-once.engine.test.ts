import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type {
  AuthorizationCode,
  Grant,
  Interaction,
} from '../../../lambdas/authorization/authorize/interaction.ts';
import { createAuthorizationStore } from '../../../lambdas/authorization/store/authorization-store.ts';
import { createJwksStore } from '../../../lambdas/authorization/store/jwks-store.ts';
import type { Client } from '../../../lambdas/clients/provisioning/client.ts';
import type { Commit } from '../../../lambdas/clients/provisioning/provisioning-ports.ts';
import { createClientRegistry } from '../../../lambdas/clients/store/client-registry.ts';
import type { LinkedLoad } from '../../../lambdas/loads/ingest/ingest-ports.ts';
import { createMemberLoader } from '../../../lambdas/loads/store/member-loader.ts';
import { ConditionFailed, type Table } from '../../../lambdas/platform/table/table.ts';
import { memberKey } from '../../../lambdas/platform/table/table-keys.ts';
import { registration } from '../../clients/provisioning/provisioning-double.ts';
import { createEmptyTable } from '../../support/empty-table.ts';

/** Each write of a new item succeeds only if no such item exists. */

const table = await createEmptyTable();
const lob = 'DSNP';
const nowMs = Date.UTC(2026, 10, 20, 12);
const now = nowMs / 1000;
const time = new Date(nowMs).toISOString();
const patientId = 'patient-1';

const audit = () => ({
  eventId: randomUUID(),
  time,
  environment: 'sandbox' as const,
  lob: 'DSNP' as const,
  action: 'grant.create' as const,
  outcome: 'succeeded' as const,
  actor: 'sub-1',
  clientId: 'client-1',
  patientId,
  requestId: 'request-1',
});

describe('an authorization', () => {
  const store = createAuthorizationStore(table);
  const interaction = (changes: Partial<Interaction> = {}): Interaction => ({
    interactionId: randomUUID(),
    state: 'consenting',
    request: { clientId: 'client-1', redirectUri: 'https://app.example.com/cb', scope: 'patient/*.read' },
    member: { sub: 'sub-1', patientId, displayName: 'Rosa Ejemplo' },
    authTime: now,
    expiresAt: now + 900,
    ...changes,
  });
  const issued = (changes: { readonly grantId?: string; readonly sha256?: string } = {}) => {
    const { grantId = randomUUID(), sha256 = randomUUID() } = changes;
    const common = { grantId, clientId: 'client-1', sub: 'sub-1', patientId, scope: 'patient/*.read' };
    const grant: Grant = { ...common, createdAt: time, expiresAt: now + 1_860 };
    const code: AuthorizationCode = {
      ...common,
      sha256,
      state: 'issued',
      redirectUri: 'https://app.example.com/cb',
      authTime: now,
      expiresAt: now + 60,
    };
    return { grant, code };
  };
  const share = async (made: ReturnType<typeof issued>) => {
    const begun = interaction();
    await store.begin(lob, begun);
    return await store.share({ lob, interactionId: begun.interactionId, now, audit: audit(), ...made });
  };

  it('begins under a name no other has', async () => {
    const first = interaction();
    await store.begin(lob, first);
    const again = { ...first, state: 'signing-in' as const };
    await expect(store.begin(lob, again)).rejects.toThrow(ConditionFailed);
    expect((await store.interaction(lob, first.interactionId))?.state).toBe('consenting');
  });

  it.each([
    ['code', 'sha256'],
    ['grant', 'grantId'],
  ] as const)('issues no %s that is there, and nothing beside it', async (_what, member) => {
    const name = randomUUID();
    expect(await share(issued({ [member]: name }))).toBe(true);
    const second = issued({ [member]: name });
    expect(await share(second)).toBe(false);
    if (member === 'grantId') expect(await store.code(lob, second.code.sha256)).toBeUndefined();
    else expect((await store.code(lob, name))?.grantId).not.toBe(second.grant.grantId);
  });
});

describe('a registration', () => {
  const registry = createClientRegistry(table, 'sandbox');
  const client = (clientId: string, updatedAt = time): Client => ({
    ...registration(),
    clientId,
    state: 'active',
    secrets: [],
    subscriptionKeys: [],
    createdAt: time,
    updatedAt,
  });
  const commit = (after: Client, requestId: string, expiresAt = now + 100): Commit => ({
    after,
    request: {
      requestId,
      action: 'register',
      fingerprint: 'f',
      clientId: after.clientId,
      encryptedAnswer: 'a',
      expiresAt,
    },
    eventId: randomUUID(),
  });

  it('takes no client id that is there', async () => {
    const clientId = randomUUID();
    expect(await registry.commit(commit(client(clientId), randomUUID()))).toBe(true);
    const other = { ...client(clientId), clientName: 'Somebody else' };
    expect(await registry.commit(commit(other, randomUUID()))).toBe(false);
    expect((await registry.client(clientId))?.clientName).toBe(client(clientId).clientName);
  });

  it.each([
    [99, false],
    [100, true],
  ])('may use a request id again %i s later, of one remembered for 100 s: %s', async (seconds, again) => {
    const requestId = randomUUID();
    await registry.commit(commit(client(randomUUID()), requestId));
    const later = client(randomUUID(), new Date(nowMs + seconds * 1000).toISOString());
    expect(await registry.commit(commit(later, requestId, now + 1_000))).toBe(again);
    expect((await registry.client(later.clientId)) !== undefined).toBe(again);
  });
});

describe('a published key set', () => {
  const store = createJwksStore(table);
  const publish = async (version: string, jwks: string) =>
    await store.publishVersion('MAPD', { version, jwks, audit: { ...audit(), lob: 'MAPD' } });
  const events = async () => (await table.query({ pk: `AUDIT#MAPD#PATIENT#${patientId}` })).items.length;

  it('is written once for each version, with one event, however often it is repeated', async () => {
    await publish('v1', 'first');
    expect([await store.read('MAPD'), await events()]).toEqual(['first', 1]);
    await publish('v1', 'first, repeated');
    expect([await store.read('MAPD'), await events()]).toEqual(['first', 1]);
    await publish('v2', 'second');
    expect([await store.read('MAPD'), await events()]).toEqual(['second', 2]);
  });
});

describe('a member’s account', () => {
  const sealContact = async () => new Uint8Array(1);
  const options = { environment: 'sandbox' as const, now: () => nowMs, uuid: randomUUID, sealContact };
  const load = (changes: Partial<LinkedLoad> = {}): LinkedLoad => ({
    lob,
    patientId: randomUUID(),
    memberId: `DSNP${randomInt(10 ** 8, 10 ** 9)}`,
    displayName: 'Ada Sampleton',
    contact: { name: 'Ada Sampleton', postalCodes: [], emails: [], phones: [] },
    sub: randomUUID(),
    accountSha256: 'digest',
    changes: [],
    ...changes,
  });
  const linked = async ({ sub }: LinkedLoad) => await table.get(memberKey(lob, sub));

  it('gets another name as the same patient', async () => {
    const first = load();
    const loader = createMemberLoader(table, options);
    await loader.write(first);
    const { memberId, sub, accountSha256 } = first;
    const renamed = { ...first, displayName: 'Ada Renamed', replaces: { memberId, sub, accountSha256 } };
    expect(await loader.write(renamed)).toBe('written');
    expect(await linked(first)).toMatchObject({ patientId: first.patientId, displayName: 'Ada Renamed' });
  });

  it('becomes no other patient, not even between the look and the write', async () => {
    const first = load();
    await createMemberLoader(table, options).write(first);
    // A table that finds no items, as if it was read before the other request wrote.
    const early: Table = { ...table, batchGet: async (keys) => keys.map(() => undefined) };
    const second = load({ sub: first.sub });
    expect(await createMemberLoader(early, options).write(second)).toBe('conflict');
    expect(await linked(first)).toMatchObject({ patientId: first.patientId });
  });
});
