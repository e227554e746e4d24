import { describe, expect, it } from 'vitest';
import { demonstration } from '../../../lambdas/catalog/oauth/demonstration.ts';
import type { ClientRegistration } from '../../../lambdas/clients/provisioning/registration-contract.ts';
import { Crash, provisioningDouble, registered, registration } from './provisioning-double.ts';

const request = { action: 'register', requestId: 'request-1', registration: registration() } as const;

describe('registering a client', () => {
  it('gives out an id, a secret and a key, and stores neither the secret nor the key', async () => {
    const double = provisioningDouble();
    const { clientId, clientSecret = '', subscriptionKey } = await registered(double);
    expect(clientId).toMatch(/^[0-9a-f-]{36}$/);
    expect(clientSecret).toHaveLength(43);
    expect(subscriptionKey).toHaveLength(40);
    const stored = JSON.stringify([...double.clients, ...double.requests]);
    expect(stored).not.toContain(clientSecret);
    expect(stored).not.toContain(subscriptionKey);
    expect(stored).toContain(double.provisioning.sha256(clientSecret));
    expect(double.usableKeys()).toHaveLength(1);
    expect(double.audit).toEqual([{ action: 'register', clientId, repeat: false }]);
  });

  it('makes a second key to meter calls by, which nobody is given', async () => {
    const double = provisioningDouble();
    const { clientId, subscriptionKey } = await registered(double);
    const { meteringKey, subscriptionKeys } = double.clients.get(clientId) ?? {};
    const held = double.held.get(meteringKey?.apiKeyId ?? '');
    expect(held).toMatchObject({ value: meteringKey?.value, clientId, enabled: true });
    expect([...(held?.tiers ?? [])]).toEqual(['standard']);
    expect(meteringKey?.value).not.toBe(subscriptionKey);
    expect(subscriptionKeys).toHaveLength(1);
    const described = await double.send({ action: 'describe', clientId });
    expect(JSON.stringify(described)).not.toContain(meteringKey?.value);
  });

  it('gives a public client no secret', async () => {
    const double = provisioningDouble();
    const credentials = await registered(double, { tokenEndpointAuthMethod: 'none' });
    expect(credentials).not.toHaveProperty('clientSecret');
    expect(double.clients.get(credentials.clientId)?.secrets).toEqual([]);
  });

  it('tells only a client with client credentials what scope to ask for', async () => {
    const double = provisioningDouble();
    expect(await registered(double)).not.toHaveProperty('machineScope');
    expect(await registered(double, { grantTypes: ['client_credentials'] })).toMatchObject({
      machineScope: 'resource/.default',
    });
  });

  it('gives the demonstration the credentials that the pages have, once', async () => {
    const double = provisioningDouble();
    const { clientId, subscriptionKey, grantType, lineOfBusiness, tier } = demonstration;
    const changes: Partial<ClientRegistration> = {
      grantTypes: [grantType],
      tokenEndpointAuthMethod: 'none',
      linesOfBusiness: [lineOfBusiness],
      redirectUris: [],
      tier,
      demonstratedPatientId: 'patient-1',
    };
    expect(await registered(double, changes)).toEqual({ clientId, subscriptionKey });
    const again = { ...request, requestId: 'request-2', registration: registration(changes) };
    expect(await double.send(again)).toEqual({
      kind: 'refusal',
      refusal: { code: 'state_conflict', state: 'active' },
    });
    expect(double.held.size).toBe(2);
  });

  it('gives a repeat the same credentials, makes no second client, and audits that it gave them out again', async () => {
    const double = provisioningDouble();
    const first = await double.send(request);
    expect(await double.send(request)).toEqual(first);
    expect(double.clients.size).toBe(1);
    expect(double.held.size).toBe(2);
    expect(double.audit.map(({ repeat }) => repeat)).toEqual([false, true]);
  });

  it('refuses a request id that was used for something else', async () => {
    const double = provisioningDouble();
    await double.send(request);
    const other = { ...request, registration: registration({ clientName: 'Another' }) };
    expect(await double.send(other)).toMatchObject({
      kind: 'refusal',
      refusal: { code: 'invalid_request', issues: [{ path: 'requestId' }] },
    });
    expect(double.clients.size).toBe(1);
  });

  it('refuses a request id of long ago rather than hand its key to another client', async () => {
    const double = provisioningDouble();
    await double.send(request);
    double.clock.now += 25 * 60 * 60 * 1000;
    expect(await double.send(request)).toMatchObject({
      kind: 'refusal',
      refusal: { code: 'invalid_request' },
    });
    expect(double.clients.size).toBe(1);
    expect(double.held.size).toBe(2);
  });

  it('names what is wrong with a payload', async () => {
    const { send, calls } = provisioningDouble();
    expect(await send({ ...request, registration: { ...registration(), products: [] } })).toMatchObject({
      kind: 'refusal',
      refusal: { code: 'invalid_request', issues: [{ path: 'registration.products' }] },
    });
    const npi = { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567890' };
    const verification = { action: 'verify-organization', requestId: 'verify-wrong', clientId: 'client-1' };
    expect(await send({ ...verification, organization: [npi] })).toMatchObject({
      refusal: { issues: [{ path: 'organization.0', message: expect.stringContaining('check digit') }] },
    });
    expect(await send({ action: 'destroy' })).toMatchObject({ refusal: { code: 'invalid_request' } });
    expect(await send(undefined)).toMatchObject({ refusal: { code: 'invalid_request' } });
    expect(calls()).toBe(0);
  });

  it('makes nothing for a registration it refuses', async () => {
    const double = provisioningDouble('production');
    const answer = await double.send({
      ...request,
      registration: registration({ redirectUris: ['http://localhost/cb'] }),
    });
    expect(answer).toMatchObject({ refusal: { issues: [{ path: 'registration.redirectUris.0' }] } });
    expect(double.held.size).toBe(0);
  });

  it('survives a crash at every step: nothing half is usable, and the repeat completes it', async () => {
    const whole = provisioningDouble();
    await whole.send(request);
    const steps = whole.calls();
    expect(steps).toBeGreaterThan(5);
    for (let step = 1; step <= steps; step += 1) {
      for (const when of ['before', 'after'] as const) {
        const double = provisioningDouble();
        double.crashAt(step, when);
        await expect(double.send(request)).rejects.toBeInstanceOf(Crash);
        expect(double.usableKeys().length).toBe(double.clients.size);
        double.noCrash();
        const answer = await double.send(request);
        expect(answer).toMatchObject({ kind: 'credentials', credentials: {} });
        expect(await double.send(request)).toEqual(answer);
        expect([double.clients.size, double.held.size, double.usableKeys().length]).toEqual([1, 2, 1]);
      }
    }
  });

  it('lets one of ten concurrent repeats win and gives all of them its answer', async () => {
    const double = provisioningDouble();
    const answers = await Promise.all(Array.from({ length: 10 }, () => double.send(request)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ kind: 'credentials' });
    expect(double.clients.size).toBe(1);
    expect(double.held.size).toBe(2);
  });
});
