import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { complete, errorOf, exchange, newApp, readPatient } from './conformance.ts';

/** Those tests of the Basic OP plan (conformance-oidc.test.ts) that take half a minute. */

describe('a code used twice', () => {
  it('is refused half a minute later, and its access token ends', async () => {
    const app = await newApp();
    const used = await complete(app);
    expect((await readPatient(app, used.tokens.access_token)).status).toBe(200);
    await sleep(30_500);
    expect(await errorOf(await exchange(app, used.code, used.asked))).toEqual([400, 'invalid_grant']);
    expect((await readPatient(app, used.tokens.access_token)).status).toBe(401);
  });
});
