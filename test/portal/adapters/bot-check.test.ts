import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { describe, expect, it } from 'vitest';
import { createAltchaCheck } from '../../../lambdas/portal/adapters/bot-check.ts';
import { createRecaptchaCheck } from '../../../lambdas/portal/adapters/recaptcha.ts';

/** A cost that differs from the others in this test. */
const cost = 20;

function services(secret = 'the secret of the bot checks') {
  const used = new Set<string>();
  const clock = { ms: Date.now() };
  return {
    clock,
    secret: async () => secret,
    useOnce: async (sha256: string) => used.size < used.add(sha256).size,
    now: () => clock.ms,
  };
}

interface Challenge {
  parameters: Record<string, unknown>;
  signature: string;
}

async function solved(check: ReturnType<typeof createAltchaCheck>) {
  const offer = await check.offer();
  if (offer.provider !== 'altcha') throw new Error('another bot check');
  const challenge = offer.challenge as Challenge;
  const solution = await solveChallenge({ challenge: challenge as never, deriveKey, counterStart: 1_000 });
  if (solution === null) throw new Error('not solved');
  return { challenge, solution };
}

const encoded = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');

describe('the proof of work', () => {
  it('is taken once, whoever sends it', async () => {
    const check = createAltchaCheck(services(), { cost });
    const answer = encoded(await solved(check));
    const [one, other] = [await check.check(answer, 'ip'), await check.check(answer, 'ip')];
    if (one.kind !== 'passed' || other.kind !== 'passed') {
      throw new Error('the answer is right');
    }
    expect(await one.use()).toBe(true);
    expect(await other.use()).toBe(false);
  });

  it('is too old after ten minutes, and not before', async () => {
    const given = services();
    const check = createAltchaCheck(given, { cost });
    const answer = encoded(await solved(check));
    given.clock.ms += 598_000;
    expect(await check.check(answer, 'ip')).toMatchObject({ kind: 'passed' });
    given.clock.ms += 2_000;
    expect(await check.check(answer, 'ip')).toEqual({ kind: 'failed' });
  });

  it('is refused where anything of it was changed, or another secret made it', async () => {
    const check = createAltchaCheck(services(), { cost });
    const right = await solved(check);
    const { challenge, solution } = right;
    const parameters = challenge.parameters;
    const wrong = [
      { challenge: { ...challenge, parameters: { ...parameters, expiresAt: 4_000_000_000 } }, solution },
      { challenge: { ...challenge, parameters: { ...parameters, cost: 1 } }, solution },
      { challenge: { ...challenge, parameters: { ...parameters, keySignature: undefined } }, solution },
      { challenge: { ...challenge, signature: '0'.repeat(64) }, solution },
      { challenge: { parameters }, solution },
      { challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } },
      { challenge, solution: { ...solution, derivedKey: 7 } },
      { ...right, more: true },
      { challenge },
      [],
      null,
    ];
    for (const payload of wrong)
      expect(await check.check(encoded(payload), 'ip')).toEqual({ kind: 'failed' });
    for (const text of ['', 'not base64 !', encoded('text'), '{}']) {
      expect(await check.check(text, 'ip')).toEqual({ kind: 'failed' });
    }
    const other = createAltchaCheck(services('another secret'), { cost });
    expect(await other.check(encoded(right), 'ip')).toEqual({ kind: 'failed' });
    expect(await check.check(encoded(right), 'ip')).toMatchObject({ kind: 'passed' });
  });
});

describe('reCAPTCHA', () => {
  const asked: { url: string; body: string }[] = [];
  const check = (answer: unknown, status = 200) =>
    createRecaptchaCheck(services('the site’s secret key'), {
      siteKey: 'site-key',
      hostname: 'developer.example.org',
      fetch: (async (url: string, init: RequestInit) => {
        asked.push({ url, body: String(init.body) });
        if (answer instanceof Error) throw answer;
        return Response.json(answer, { status });
      }) as typeof fetch,
    });
  const here = { success: true, hostname: 'developer.example.org' };

  it('is offered by its site key and asked of Google with the secret and the caller’s address', async () => {
    expect(await check(here).offer()).toEqual({ provider: 'recaptcha', siteKey: 'site-key' });
    expect(await check(here).check('token', '198.51.100.7')).toMatchObject({ kind: 'passed' });
    expect(asked.at(-1)?.url).toBe('https://www.google.com/recaptcha/api/siteverify');
    expect(asked.at(-1)?.body).toContain('response=token&remoteip=198.51.100.7');
  });

  it.each([
    ['Google says no', { ...here, success: false }],
    ['the answer was given on another site', { ...here, hostname: 'evil.example' }],
    ['no site is named', { success: true }],
    ['the score is low', { ...here, score: 0.3 }],
  ])('is not passed where %s', async (_, answer) => {
    expect(await check(answer).check('token', 'ip')).toEqual({ kind: 'failed' });
  });

  it.each([
    ['does not answer', new Error('timeout'), 200],
    ['answers with an error', {}, 500],
    ['answers something else', { ok: 1 }, 200],
  ])('is unavailable where Google %s: nobody gets in by that', async (_, answer, status) => {
    expect(await check(answer, status).check('token', 'ip')).toEqual({ kind: 'unavailable' });
  });

  it('counts an answer once', async () => {
    const one = check(here);
    const [first, second] = [await one.check('t', 'ip'), await one.check('t', 'ip')];
    if (first.kind !== 'passed' || second.kind !== 'passed') {
      throw new Error('passed');
    }
    expect([await first.use(), await second.use()]).toEqual([true, false]);
  });
});
