import { describe, expect, it } from 'vitest';
import { authenticateClient } from '../../../lambdas/authorization/token/client-authentication.ts';
import { oauthError } from '../../../lambdas/platform/http/oauth-error.ts';
import {
  clientRates,
  countAttempt,
  delaySeconds,
  type Failures,
  type RateRule,
  signInLockout,
} from '../../../lambdas/platform/kernel/rates.ts';
import { aClient, theSecret } from '../../authorization/builders.ts';
import { memoryServer } from '../../authorization/memory-server.ts';
import fc from '../../support/property.ts';

describe('delays after failed sign-ins', () => {
  it('begin with the fifth and double to a quarter of an hour', () => {
    const delays = Array.from({ length: 17 }, (_, index) => delaySeconds(signInLockout, index + 1));
    expect(delays).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    expect(delaySeconds(signInLockout, 5_000)).toBe(900);
  });

  it('let nobody try before they are over, and tell when that is', () => {
    const before: Failures = { count: 5, blockedUntil: 1_000.5 };
    expect(countAttempt(signInLockout, before, 1_000)).toEqual({
      kind: 'limited',
      retryAfterSeconds: 1,
    });
    expect(countAttempt(signInLockout, before, 1_000.5)).toEqual({
      kind: 'counted',
      after: { count: 6, blockedUntil: 1_002.5 },
    });
  });

  it('leave a guesser few guesses, however the tries are spread', () => {
    const gaps = fc.array(fc.double({ min: 0, max: 60, noNaN: true }), { maxLength: 400 });
    fc.assert(
      fc.property(gaps, (seconds) => {
        let now = 0;
        let made = 0;
        let state: Failures | undefined;
        for (const gap of seconds) {
          now += gap;
          const counted = countAttempt(signInLockout, state, now);
          if (counted.kind === 'limited') continue;
          state = counted.after;
          made += 1;
        }
        // Four free failures, and then as many as the sum of their delays fits into the time.
        let needed = 0;
        for (let failures = 5; failures < made; failures += 1)
          needed += delaySeconds(signInLockout, failures);
        return needed <= now;
      }),
    );
  });
});

/** Rates in memory that refuse beyond these limits. */
function counting(limits: Readonly<Record<string, number>>) {
  const counts = new Map<string, number>();
  return {
    counts,
    async attempt({ name }: RateRule, subject: string) {
      const count = (counts.get(`${name} ${subject}`) ?? 0) + 1;
      counts.set(`${name} ${subject}`, count);
      return count > (limits[name] ?? Number.POSITIVE_INFINITY)
        ? ({ kind: 'limited', retryAfterSeconds: 7 } as const)
        : ({ kind: 'allowed' } as const);
    },
    known({ name }: RateRule, subject: string) {
      return (counts.get(`${name} ${subject}`) ?? 0) > (limits[name] ?? Number.POSITIVE_INFINITY)
        ? ({ kind: 'limited', retryAfterSeconds: 7 } as const)
        : ({ kind: 'allowed' } as const);
    },
  };
}

function basic(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
}

describe('the limit of a token endpoint', () => {
  const parameters = new Map<string, string[]>();

  it('refuses a caller that asks too often, before its secret is looked at', async () => {
    const client = aClient();
    const rates = clientRates(counting({ 'token-caller': 1 }), '192.0.2.1', 60);
    const server = { ...memoryServer(client), rates };
    const ask = () => authenticateClient(server, parameters, basic(client.clientId, theSecret));
    expect(await ask()).toEqual({ kind: 'authenticated', client });
    expect(await ask()).toMatchObject({
      refusal: { error: 'temporarily_unavailable', reason: 'rate_limited', retryAfterSeconds: 7 },
    });
  });

  it('counts what a stranger does in an application’s name as the stranger’s', async () => {
    const client = aClient();
    const counter = counting({ 'token-caller': 3, 'token-client': 3 });
    const server = memoryServer(client);
    const from = (source: string, secret: string) =>
      authenticateClient(
        { ...server, rates: clientRates(counter, source, 60) },
        parameters,
        basic(client.clientId, secret),
      );
    for (let tries = 0; tries < 10; tries += 1) await from('198.51.100.9', 'guessed');
    expect(await from('192.0.2.1', theSecret)).toEqual({ kind: 'authenticated', client });
  });

  it('verifies no secret of a caller who guessed too often, and every other caller’s', async () => {
    const client = aClient();
    const counter = counting({ 'token-failure': 3 });
    const from = (source: string, secret: string) =>
      authenticateClient(
        { ...memoryServer(client), rates: clientRates(counter, source, 60) },
        parameters,
        basic(client.clientId, secret),
      );
    const reasons = [];
    for (let tries = 0; tries < 6; tries += 1) {
      const answer = await from('198.51.100.9', 'guessed');
      reasons.push(answer.kind === 'refusal' && answer.refusal.reason);
    }
    expect(reasons).toEqual([...Array(3).fill('client_secret_wrong'), ...Array(3).fill('rate_limited')]);
    expect(await from('198.51.100.9', theSecret)).toMatchObject({ refusal: { reason: 'rate_limited' } });
    expect(await from('192.0.2.1', theSecret)).toEqual({ kind: 'authenticated', client });
  });

  it('counts an application wherever it calls from, once it has shown its secret', async () => {
    const client = aClient();
    const counter = counting({ 'token-client': 2 });
    const answers = [];
    for (const source of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      const server = { ...memoryServer(client), rates: clientRates(counter, source, 60) };
      answers.push(await authenticateClient(server, parameters, basic(client.clientId, theSecret)));
    }
    expect(answers.map((answer) => 'client' in answer)).toEqual([true, true, false]);
  });
});

describe('a refusal for asking too often', () => {
  it('is 429 with Retry-After in OAuth JSON', () => {
    const answer = oauthError({
      error: 'temporarily_unavailable',
      description: 'slow',
      retryAfterSeconds: 7,
    });
    expect(answer).toMatchObject({
      statusCode: 429,
      headers: { 'Retry-After': '7', 'Cache-Control': 'no-store' },
      body: '{"error":"temporarily_unavailable","error_description":"slow"}',
    });
  });
});
