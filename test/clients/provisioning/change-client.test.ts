import { describe, expect, it } from 'vitest';
import { Crash, provisioningDouble, registered, registration } from './provisioning-double.ts';

async function withClient() {
  const double = provisioningDouble();
  const { clientId } = await registered(double);
  let serial = 0;
  const act = (action: string, more: object = {}) => {
    serial += 1;
    return double.send({ action, requestId: `request-${serial}`, clientId, ...more });
  };
  const client = () => double.clients.get(clientId);
  return { double, clientId, act, client };
}

describe("a client's state", () => {
  it('goes from active to suspended and back, and API Gateway refuses and accepts its key with it', async () => {
    const { double, act, clientId } = await withClient();
    expect(await act('suspend')).toEqual({ kind: 'state', clientId, state: 'suspended' });
    expect([...double.held.values()].map(({ enabled }) => enabled)).toEqual([false, false]);
    expect(await act('resume')).toEqual({ kind: 'state', clientId, state: 'active' });
    expect(double.usableKeys()).toHaveLength(1);
  });

  it('ends for good when it is revoked: its key leaves API Gateway and its secrets are forgotten', async () => {
    const { double, act, client, clientId } = await withClient();
    expect(await act('revoke')).toEqual({ kind: 'state', clientId, state: 'revoked' });
    expect(double.held.size).toBe(0);
    expect(client()?.secrets).toEqual([]);
    for (const action of ['resume', 'suspend', 'revoke']) {
      expect(await act(action)).toEqual({
        kind: 'refusal',
        refusal: { code: 'state_conflict', state: 'revoked' },
      });
    }
    for (const action of ['rotate-key', 'rotate-secret']) {
      expect(await act(action, { overlapSeconds: 0 })).toMatchObject({ refusal: { code: 'state_conflict' } });
    }
    expect(double.held.size).toBe(0);
  });

  it('refuses an act its state does not allow', async () => {
    const { act } = await withClient();
    expect(await act('resume')).toEqual({
      kind: 'refusal',
      refusal: { code: 'state_conflict', state: 'active' },
    });
  });

  it('is nobody else’s: an unknown client is not found', async () => {
    const { double } = await withClient();
    const answer = await double.send({ action: 'suspend', requestId: 'request-x', clientId: 'nobody-here' });
    expect(answer).toEqual({ kind: 'refusal', refusal: { code: 'client_not_found' } });
  });

  it('audits every act', async () => {
    const { double, act } = await withClient();
    await act('suspend');
    await act('resume');
    await act('resume');
    expect(double.audit.map(({ action }) => action)).toEqual(['register', 'suspend', 'resume']);
  });

  it('answers a repeat alike, whatever happened since', async () => {
    const { double, clientId } = await withClient();
    const suspend = { action: 'suspend', requestId: 'the-same-one', clientId };
    const first = await double.send(suspend);
    await double.send({ action: 'resume', requestId: 'another-one', clientId });
    expect(await double.send(suspend)).toEqual(first);
    expect(double.clients.get(clientId)?.state).toBe('active');
    expect(double.usableKeys()).toHaveLength(1);
  });

  it('has one winner among concurrent acts, and the others learn what it left', async () => {
    const { act } = await withClient();
    const answers = await Promise.all(Array.from({ length: 6 }, () => act('suspend')));
    expect(answers.filter(({ kind }) => kind !== 'refusal')).toHaveLength(1);
    const refused = { kind: 'refusal', refusal: { code: 'state_conflict', state: 'suspended' } };
    expect(answers.filter(({ kind }) => kind === 'refusal')).toEqual(Array(5).fill(refused));
  });

  it('leaves API Gateway as the last winner wants it, however suspend and resume interleave', async () => {
    const { double, act, client } = await withClient();
    await Promise.all(['suspend', 'resume', 'suspend', 'resume', 'suspend'].map((action) => act(action)));
    expect(double.usableKeys().length).toBe(client()?.state === 'active' ? 1 : 0);
    expect([...double.held.values()][0]?.enabled).toBe(client()?.state === 'active');
  });

  it.each(['suspend', 'revoke'])('%s survives a crash at every step', async (action) => {
    for (let step = 1; step < 40; step += 1) {
      const { double, clientId } = await withClient();
      const request = { action, requestId: 'the-same-one', clientId };
      double.crashAt(step, 'before');
      const crashed = await double.send(request).then(
        () => false,
        (error: unknown) => error instanceof Crash,
      );
      if (!crashed) {
        expect(step).toBeGreaterThan(4);
        return;
      }
      double.noCrash();
      expect(await double.send(request)).not.toMatchObject({ kind: 'refusal' });
      expect([...double.held.values()].filter(({ enabled }) => enabled)).toEqual([]);
    }
    throw new Error('the act never completed');
  });

  it('is settled in API Gateway even when the retry comes under another request id', async () => {
    const { double, act } = await withClient();
    // Calls of `suspend` in order: request lookup, client, encryption, commit, client again, and as the sixth the disabling of the key.
    double.crashAt(6, 'before');
    await expect(act('suspend')).rejects.toBeInstanceOf(Crash);
    expect([...double.held.values()][0]?.enabled).toBe(true);
    double.noCrash();
    expect(await act('suspend')).toMatchObject({ refusal: { state: 'suspended' } });
    expect([...double.held.values()][0]?.enabled).toBe(false);
  });
});

describe('updating a client', () => {
  it('replaces its registration and keeps id, state and credentials', async () => {
    const { act, client } = await withClient();
    const before = client();
    const changed = registration({ clientName: 'Moonrise', linesOfBusiness: ['EGWP'] });
    expect(await act('update', { registration: changed })).toMatchObject({ kind: 'state', state: 'active' });
    expect(client()).toEqual({ ...before, ...changed, updatedAt: client()?.updatedAt });
  });

  it('moves its keys to the usage plan of the new tier', async () => {
    const { double, act } = await withClient();
    await act('update', { registration: registration({ tier: 'large' }) });
    expect([...double.held.values()].map(({ tiers }) => [...tiers])).toEqual([['large'], ['large']]);
  });

  it('refuses what a registration would be refused for, and a change from confidential to public', async () => {
    const { act, client } = await withClient();
    const before = client();
    const wrong = registration({ tier: 'platinum', tokenEndpointAuthMethod: 'none' });
    const answer = await act('update', { registration: wrong });
    expect(answer).toMatchObject({
      refusal: {
        issues: [{ path: 'registration.tier' }, { path: 'registration.tokenEndpointAuthMethod' }],
      },
    });
    expect(client()).toEqual(before);
  });
});

describe('looking at a client', () => {
  it('shows its registration and no secret, hash or encrypted copy', async () => {
    const { double, clientId, client } = await withClient();
    const text = JSON.stringify(await double.send({ action: 'describe', clientId }));
    expect(text).toContain('Sunrise Health');
    const { secrets = [], subscriptionKeys = [] } = client() ?? {};
    const hidden = [
      ...secrets.flatMap((it) => [it.sha256, it.encrypted]),
      ...subscriptionKeys.map((it) => it.sha256),
    ];
    expect(hidden).toHaveLength(3);
    for (const value of hidden) expect(text).not.toContain(value);
  });

  it('adds the usage of its keys up by day, and takes all of it from the quota', async () => {
    const { double, clientId, act } = await withClient();
    await act('rotate-key', { overlapSeconds: 60 });
    const usage = { action: 'usage', clientId, from: '2026-03-01', to: '2026-03-02' };
    expect(await double.send(usage)).toEqual({
      kind: 'usage',
      usage: [{ date: '2026-03-01', used: 9, remaining: 91 }],
    });
    expect(await double.send({ ...usage, to: '2026-02-01' })).toMatchObject({
      refusal: { issues: [{ path: 'from' }] },
    });
    expect(await double.send({ ...usage, clientId: 'nobody-here' })).toMatchObject({ kind: 'refusal' });
  });
});
