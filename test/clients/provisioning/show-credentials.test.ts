import { describe, expect, it } from 'vitest';
import { provisioningDouble, registered, registration } from './provisioning-double.ts';

const request = { action: 'credentials', requestId: 'view-request-1' } as const;

describe('View Credentials', () => {
  it('shows every live secret and key, newest first, and records it before', async () => {
    const double = provisioningDouble();
    const first = await registered(double);
    const { clientId } = first;
    await double.send({
      action: 'rotate-secret',
      requestId: 'rotate-request-1',
      clientId,
      overlapSeconds: 600,
    });
    const answer = await double.send({ ...request, clientId });
    if (answer.kind !== 'shown') throw new Error(JSON.stringify(answer));
    expect(answer.shown.state).toBe('active');
    expect(answer.shown.secrets).toHaveLength(2);
    expect(answer.shown.secrets[1]?.value).toBe(first.clientSecret);
    expect(answer.shown.secrets[1]?.expiresAt).toBe('2026-03-02T10:10:00.000Z');
    expect(answer.shown.subscriptionKeys.map(({ value }) => value)).toEqual([first.subscriptionKey]);
    expect(double.audit.at(-1)).toEqual({ action: 'credentials', clientId, repeat: false });
  });

  it('tells when each was last used: a secret by its day, a key by its newest call', async () => {
    const double = provisioningDouble();
    const { clientId } = await registered(double);
    await double.send({
      action: 'rotate-secret',
      requestId: 'rotate-request-1',
      clientId,
      overlapSeconds: 600,
    });
    const client = double.clients.get(clientId);
    const called = Date.parse('2026-02-20T08:15:30.000Z');
    double.secretDays.set(client?.secrets[1]?.sha256 ?? '', '2026-03-01');
    double.lastCalls.set(client?.subscriptionKeys[0]?.apiKeyId ?? '', called);
    const answer = await double.send({ ...request, clientId });
    if (answer.kind !== 'shown') throw new Error(JSON.stringify(answer));
    expect(answer.shown.secrets[0]).not.toHaveProperty('lastUsedAt');
    expect(answer.shown.secrets[1]?.lastUsedAt).toBe('2026-03-01T00:00:00.000Z');
    expect(answer.shown.subscriptionKeys[0]?.lastUsedAt).toBe('2026-02-20T08:15:30.000Z');
  });

  it('tells the last use of a secret by the log of calls, where it has one', async () => {
    const double = provisioningDouble();
    const { clientId } = await registered(double);
    const secret = double.clients.get(clientId)?.secrets[0];
    double.secretDays.set(secret?.sha256 ?? '', '2026-02-28');
    double.lastCalls.set(secret?.secretId ?? '', Date.parse('2026-02-28T23:59:58.000Z'));
    const answer = await double.send({ ...request, clientId });
    expect(answer.kind === 'shown' && answer.shown.secrets[0]?.lastUsedAt).toBe('2026-02-28T23:59:58.000Z');
  });

  it('looks for a key’s calls as far back as the log of calls goes', async () => {
    const double = provisioningDouble();
    const { clientId } = await registered(double);
    const id = double.clients.get(clientId)?.subscriptionKeys[0]?.apiKeyId ?? '';
    for (const [ageDays, seen] of [
      [13.9, true],
      [14.1, false],
    ] as const) {
      double.lastCalls.set(id, double.clock.now - ageDays * 86_400_000);
      const answer = await double.send({ ...request, clientId });
      if (answer.kind !== 'shown') throw new Error(JSON.stringify(answer));
      expect('lastUsedAt' in (answer.shown.subscriptionKeys[0] ?? {})).toBe(seen);
    }
  });

  it('shows the values where the log of calls does not answer, and says that it did not', async () => {
    const double = provisioningDouble();
    const { clientId, clientSecret, subscriptionKey } = await registered(double);
    double.silent.log = true;
    const answer = await double.send({ ...request, clientId });
    expect(answer).toMatchObject({
      shown: {
        secrets: [{ value: clientSecret }],
        subscriptionKeys: [{ value: subscriptionKey }],
        keyUsesUnknown: true,
      },
    });
    double.silent.log = false;
    const told = await double.send({ ...request, requestId: 'view-request-2', clientId });
    expect(told.kind === 'shown' && told.shown).not.toHaveProperty('keyUsesUnknown');
  });

  it('shows no secret that has stopped', async () => {
    const double = provisioningDouble();
    const { clientId } = await registered(double);
    await double.send({
      action: 'rotate-secret',
      requestId: 'rotate-request-1',
      clientId,
      overlapSeconds: 600,
    });
    double.clock.now += 600_000;
    const answer = await double.send({ ...request, clientId });
    expect(answer.kind === 'shown' && answer.shown.secrets.length).toBe(1);
  });

  it('shows no credentials where the view could not be recorded', async () => {
    const double = provisioningDouble();
    const { clientId } = await registered(double);
    double.crashAt(2, 'before');
    await expect(double.send({ ...request, clientId })).rejects.toThrow();
    expect(double.calls()).toBe(2);
  });

  it('has no secret of a public client, and the scope of a machine', async () => {
    const double = provisioningDouble();
    const open = await registered(double, { tokenEndpointAuthMethod: 'none' });
    const machine = await registered(double, { grantTypes: ['client_credentials'], redirectUris: [] });
    const ofOpen = await double.send({ ...request, clientId: open.clientId });
    const ofMachine = await double.send({ ...request, clientId: machine.clientId });
    expect(ofOpen.kind === 'shown' && ofOpen.shown.secrets).toEqual([]);
    expect(ofMachine.kind === 'shown' && ofMachine.shown.machineScope).toBe('resource/.default');
  });

  it('knows no client that isn’t there', async () => {
    const answer = await provisioningDouble().send({ ...request, clientId: 'not-a-client' });
    expect(answer).toEqual({ kind: 'refusal', refusal: { code: 'client_not_found' } });
  });
});

describe('a client that begins suspended', () => {
  it('has credentials and no usable key until it is resumed', async () => {
    const double = provisioningDouble('production');
    const answer = await double.send({
      action: 'register',
      requestId: 'register-suspended',
      registration: registration(),
      suspended: true,
    });
    if (answer.kind !== 'credentials') throw new Error(JSON.stringify(answer));
    const { clientId } = answer.credentials;
    expect(double.clients.get(clientId)?.state).toBe('suspended');
    expect([...double.held.values()].map(({ enabled }) => enabled)).toEqual([false, false]);
    expect(double.usableKeys()).toEqual([]);
    await double.send({ action: 'resume', requestId: 'resume-request-1', clientId });
    expect(double.usableKeys()).toHaveLength(1);
  });

  it('is never usable, whichever step an attempt ended at', async () => {
    for (let call = 1; call <= 14; call += 1) {
      for (const when of ['before', 'after'] as const) {
        const double = provisioningDouble('production');
        const act = {
          action: 'register',
          requestId: 'register-suspended',
          registration: registration(),
          suspended: true,
        };
        double.crashAt(call, when);
        await double.send(act).catch(() => undefined);
        expect(double.usableKeys()).toEqual([]);
        double.noCrash();
        expect(await double.send(act)).toMatchObject({ kind: 'credentials' });
        expect(double.usableKeys()).toEqual([]);
        expect([...double.held.values()].every(({ enabled }) => !enabled)).toBe(true);
      }
    }
  });
});

describe('the log of calls', () => {
  const call = (time: number, clientId: string, requestId = `request-${time}`) => ({
    time,
    clientId,
    requestId,
    host: 'dsnp.api.example.org',
    method: 'GET',
    route: '/extfhirpatientaccess/v1/Patient/{id}',
    status: 200,
  });

  it('pages through a client’s calls, newest first, and shows nobody else’s', async () => {
    const double = provisioningDouble();
    const { clientId } = await registered(double);
    double.logged.push(call(1, clientId), call(2, clientId), call(3, 'another'), call(4, clientId));
    const first = await double.send({ action: 'calls', clientId, from: 0, to: 10, limit: 2 });
    if (first.kind !== 'calls') throw new Error(JSON.stringify(first));
    expect(first.calls.map(({ time }) => time)).toEqual([4, 2]);
    expect(first.next).toEqual({ time: 2, requestId: 'request-2' });
    const second = await double.send({
      action: 'calls',
      clientId,
      from: 0,
      to: 10,
      before: first.next,
      limit: 2,
    });
    expect(second).toEqual({ kind: 'calls', calls: [expect.objectContaining({ time: 1 })] });
  });

  it('passes over none of the calls of one millisecond, and shows none twice', async () => {
    const double = provisioningDouble();
    const { clientId } = await registered(double);
    for (const requestId of ['b', 'a', 'd', 'c', 'e']) double.logged.push(call(5, clientId, requestId));
    const seen: string[] = [];
    let before: unknown;
    do {
      const page = await double.send({ action: 'calls', clientId, from: 0, to: 10, before, limit: 2 });
      if (page.kind !== 'calls') throw new Error(JSON.stringify(page));
      seen.push(...page.calls.map(({ requestId }) => requestId));
      before = page.next;
    } while (before !== undefined);
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  it('refuses a range that ends before it begins, and a client that isn’t there', async () => {
    const double = provisioningDouble();
    const { clientId } = await registered(double);
    const backwards = await double.send({ action: 'calls', clientId, from: 5, to: 4, limit: 2 });
    expect(backwards).toMatchObject({ kind: 'refusal', refusal: { code: 'invalid_request' } });
    const unknown = await double.send({
      action: 'calls',
      clientId: 'not-a-client',
      from: 0,
      to: 4,
      limit: 2,
    });
    expect(unknown).toEqual({ kind: 'refusal', refusal: { code: 'client_not_found' } });
  });
});

describe('health', () => {
  it('says that the environment’s store answered, and whose data are late, without the sources', async () => {
    const double = provisioningDouble();
    expect(await double.send({ action: 'health' })).toEqual({
      kind: 'healthy',
      healthy: true,
      data: [
        {
          lob: 'DSNP',
          late: true,
          freshUntil: '2026-11-24T00:00:00.000Z',
          reconciledAt: '2026-11-23T02:00:00.000Z',
        },
      ],
    });
    expect(double.calls()).toBe(1);
  });
});
