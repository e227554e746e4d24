import { describe, expect, it } from 'vitest';
import type { ProvisioningAnswer } from '../../../lambdas/clients/provisioning/provisioning-contract.ts';
import { Crash, provisioningDouble, registered, registration } from './provisioning-double.ts';

async function withClient(changed: Parameters<typeof registered>[1] = {}) {
  const double = provisioningDouble();
  const credentials = await registered(double, changed);
  let serial = 0;
  const rotate = (action: 'rotate-secret' | 'rotate-key', overlapSeconds: number, requestId?: string) => {
    serial += 1;
    const { clientId } = credentials;
    return double.send({ action, requestId: requestId ?? `request-${serial}`, clientId, overlapSeconds });
  };
  const client = () => double.clients.get(credentials.clientId);
  const live = (list: readonly { readonly expiresAt?: string }[] = []) =>
    list.filter(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > double.clock.now)
      .length;
  return { double, credentials, rotate, client, live };
}

function rotated(answer: ProvisioningAnswer) {
  if (answer.kind !== 'rotated') throw new Error(JSON.stringify(answer));
  return answer.rotated;
}

describe('rotating a secret', () => {
  it('gives a new one out and lets the one before live on for the overlap', async () => {
    const { double, credentials, rotate, client } = await withClient();
    const { clientSecret = '', ...rest } = rotated(await rotate('rotate-secret', 600));
    expect(rest).toEqual({
      clientId: credentials.clientId,
      previousExpiresAt: new Date(double.clock.now + 600_000).toISOString(),
    });
    const { sha256 } = double.provisioning;
    expect(client()?.secrets.map((secret) => secret.sha256)).toEqual([
      sha256(clientSecret),
      sha256(credentials.clientSecret ?? ''),
    ]);
  });

  it('keeps two live ones at most', async () => {
    const { double, rotate, client } = await withClient();
    await rotate('rotate-secret', 600);
    expect(await rotate('rotate-secret', 600)).toEqual({
      kind: 'refusal',
      refusal: { code: 'too_many_credentials' },
    });
    double.clock.now += 601_000;
    expect(await rotate('rotate-secret', 600)).toMatchObject({ kind: 'rotated' });
    expect(client()?.secrets).toHaveLength(2);
  });

  it('ends all others at once without an overlap, as after a leak', async () => {
    const { rotate, client } = await withClient();
    await rotate('rotate-secret', 600);
    const answer = rotated(await rotate('rotate-secret', 0));
    expect(answer).not.toHaveProperty('previousExpiresAt');
    expect(client()?.secrets).toHaveLength(1);
  });

  it('never makes an ending secret live longer', async () => {
    const { double, rotate, client } = await withClient();
    await rotate('rotate-secret', 10);
    const end = client()?.secrets[1]?.expiresAt;
    double.clock.now += 5_000;
    await rotate('rotate-secret', 900);
    expect(client()?.secrets.map(({ expiresAt }) => expiresAt)).toContain(end);
  });

  it('is refused for a public client', async () => {
    const { rotate } = await withClient({ tokenEndpointAuthMethod: 'none' });
    expect(await rotate('rotate-secret', 0)).toMatchObject({ refusal: { issues: [{ path: 'clientId' }] } });
  });

  it('gives a repeat the same secret', async () => {
    const { rotate, client } = await withClient();
    const first = await rotate('rotate-secret', 60, 'the-same-one');
    expect(await rotate('rotate-secret', 60, 'the-same-one')).toEqual(first);
    expect(client()?.secrets).toHaveLength(2);
  });

  it('has at most two live secrets after concurrent rotations', async () => {
    const { rotate, client, live } = await withClient();
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate('rotate-secret', 60)));
    expect(answers.filter(({ kind }) => kind !== 'refusal')).toHaveLength(1);
    expect(live(client()?.secrets)).toBe(2);
  });
});

describe('stopping the older of two', () => {
  const pairs = [
    ['secret', 'secrets'],
    ['key', 'subscriptionKeys'],
  ] as const;

  async function withTwo(what: 'secret' | 'key') {
    const world = await withClient();
    world.double.clock.now += 1_000;
    await world.rotate(`rotate-${what}`, 86_400);
    const { clientId } = world.credentials;
    const stop = (createdAt = '', requestId = 'the-stop-1') =>
      world.double.send({ action: `stop-${what}`, requestId, clientId, createdAt });
    return { ...world, stop };
  }

  it.each(pairs)('leaves the newest %s live, and is audited once', async (what, list) => {
    const { double, client, live, stop } = await withTwo(what);
    const [newest, older] = client()?.[list] ?? [];
    const done = { kind: 'state', state: 'active' };
    expect(await stop(older?.createdAt)).toMatchObject(done);
    expect(await stop(older?.createdAt)).toMatchObject(done);
    expect(client()?.[list][0]).toEqual(newest);
    expect(live(client()?.[list])).toBe(1);
    expect(double.audit.filter(({ action }) => action === `stop-${what}`)).toHaveLength(1);
    if (what === 'key') expect(double.usableKeys().map(({ sha256 }) => sha256)).toEqual([newest?.sha256]);
  });

  it.each(pairs)('never ends the newest %s, nor one made since the page was read', async (what, list) => {
    const { client, live, stop } = await withTwo(what);
    const [newest, older] = client()?.[list] ?? [];
    const refusal = { refusal: { code: 'invalid_request', issues: [{ path: 'createdAt' }] } };
    expect(await stop(newest?.createdAt)).toMatchObject(refusal);
    expect(live(client()?.[list])).toBe(2);
    // A credential that was already stopped, perhaps in another tab: the answer is the present state, and no other credential ends.
    await stop(older?.createdAt, 'the-stop-2');
    expect(await stop(older?.createdAt, 'the-stop-3')).toMatchObject({ kind: 'state' });
    expect(live(client()?.[list])).toBe(1);
  });

  it.each(pairs)('comes before a third %s where the caller means one to be live', async (what, list) => {
    const { double, credentials, client, live, stop } = await withTwo(what);
    const replace = (requestId: string) =>
      double.send({
        action: `rotate-${what}`,
        requestId,
        clientId: credentials.clientId,
        overlapSeconds: 0,
        onlyOneLive: true,
      });
    const before = double.held.size;
    expect(await replace('replace-1')).toMatchObject({ refusal: { code: 'too_many_credentials' } });
    expect(live(client()?.[list])).toBe(2);
    expect(double.held.size).toBe(before);
    await stop(client()?.[list][1]?.createdAt);
    expect(await replace('replace-2')).toMatchObject({ kind: 'rotated' });
    expect(live(client()?.[list])).toBe(1);
  });
});

describe('rotating a subscription key', () => {
  it('lets both keys in for the overlap, and then the new one alone', async () => {
    const { double, rotate, client } = await withClient();
    const { subscriptionKey = '' } = rotated(await rotate('rotate-key', 600));
    expect(double.usableKeys()).toHaveLength(2);
    double.clock.now += 600_000;
    expect(double.usableKeys().map(({ sha256 }) => sha256)).toEqual([
      double.provisioning.sha256(subscriptionKey),
    ]);
    await rotate('rotate-key', 600);
    expect(double.held.size).toBe(3);
    expect(client()?.subscriptionKeys).toHaveLength(2);
  });

  it('ends the others in API Gateway at once without an overlap', async () => {
    const { double, rotate } = await withClient();
    await rotate('rotate-key', 0);
    expect(double.held.size).toBe(2);
    expect(double.usableKeys()).toHaveLength(1);
  });

  it('makes no key for a rotation it refuses', async () => {
    const { double, rotate } = await withClient();
    await rotate('rotate-key', 600);
    expect(await rotate('rotate-key', 600)).toEqual({
      kind: 'refusal',
      refusal: { code: 'too_many_credentials' },
    });
    expect(double.held.size).toBe(3);
  });

  it('gives a suspended client a key that works only after it is resumed', async () => {
    const { double, credentials, rotate } = await withClient();
    const { clientId } = credentials;
    await double.send({ action: 'suspend', requestId: 'suspend-1', clientId });
    await rotate('rotate-key', 0);
    expect([...double.held.values()].map(({ enabled }) => enabled)).toEqual([false, false]);
    await double.send({ action: 'resume', requestId: 'resume-1', clientId });
    expect(double.usableKeys()).toHaveLength(1);
  });

  it('gives nobody the key calls are metered by, whatever id the request has', async () => {
    const double = provisioningDouble();
    const requestId = 'register-the-client';
    const answer = await double.send({ action: 'register', requestId, registration: registration() });
    if (answer.kind !== 'credentials') throw new Error(JSON.stringify(answer));
    const { clientId } = answer.credentials;
    const rotation = {
      action: 'rotate-key',
      requestId: `${requestId}/metering`,
      clientId,
      overlapSeconds: 60,
    };
    expect(await double.send(rotation)).toMatchObject({ refusal: { issues: [{ path: 'requestId' }] } });
    expect(double.held.size).toBe(2);
  });

  it('leaves no stray key behind after concurrent rotations', async () => {
    const { double, rotate } = await withClient();
    const answers = await Promise.all(Array.from({ length: 4 }, () => rotate('rotate-key', 60)));
    expect(answers.filter(({ kind }) => kind !== 'refusal')).toHaveLength(1);
    expect(double.held.size).toBe(3);
  });

  it('survives a crash at every step', async () => {
    for (let step = 1; step < 60; step += 1) {
      const { double, rotate, client } = await withClient();
      double.crashAt(step, 'before');
      const crashed = await rotate('rotate-key', 60, 'the-same-one').then(
        () => false,
        (error: unknown) => error instanceof Crash,
      );
      double.noCrash();
      const answer = await rotate('rotate-key', 60, 'the-same-one');
      expect(rotated(answer).subscriptionKey).toBeDefined();
      expect(double.held.size).toBe(3);
      expect(client()?.subscriptionKeys).toHaveLength(2);
      expect(double.usableKeys()).toHaveLength(2);
      if (!crashed) {
        expect(step).toBeGreaterThan(8);
        return;
      }
    }
    throw new Error('the rotation never completed');
  });
});
