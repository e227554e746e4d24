import { describe, expect, it } from 'vitest';
import { createTokenBucket } from '../../../local/limits/token-bucket.ts';
import { petsApi } from '../pets.ts';
import { goodKey, identified, serve, welcoming } from './serve.ts';

const withKey = (usageIdentifierKey: string | undefined) => ({
  guard: () => ({ ...welcoming(), usageIdentifierKey }),
});

describe('a method that requires an API key', () => {
  it.each([
    ['no key', undefined],
    ['an unknown key', 'nobody'],
    ['a disabled key', 'disabled'],
    ['a key without a plan for the stage', 'planless'],
  ])('refuses %s', async (_what, key) => {
    const api = serve(petsApi(), withKey(key));
    const refused = await api.call('/pets/1', { headers: identified });
    expect([refused.status, refused.refusal?.type]).toEqual([403, 'INVALID_API_KEY']);
  });

  it('takes the key from x-api-key where the API says HEADER', async () => {
    const resources = petsApi();
    resources.Api = { Type: 'AWS::ApiGateway::RestApi', Properties: { ApiKeySourceType: 'HEADER' } };
    const api = serve(resources, withKey(undefined));
    expect((await api.call('/pets/1', { headers: identified })).status).toBe(403);
    const headers = [...identified, ['X-Api-Key', goodKey]] as const;
    expect((await api.call('/pets/1', { headers })).status).toBe(200);
  });
});

describe('a usage plan', () => {
  it('throttles beyond its burst, and lets in again at its rate', async () => {
    const api = serve(petsApi());
    const statuses = [];
    for (let index = 0; index < 4; index += 1) {
      statuses.push((await api.call('/pets/1', { headers: identified })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    api.clock.now += 1_000;
    expect((await api.call('/pets/1', { headers: identified })).status).toBe(200);
    const again = await api.call('/pets/1', { headers: identified });
    expect(again.refusal?.type).toBe('THROTTLED');
  });

  it('holds its quota for the day, and begins anew with the next', async () => {
    const api = serve(petsApi());
    const call = async () => {
      api.clock.now += 10_000;
      return await api.call('/pets/1', { headers: identified });
    };
    for (let index = 0; index < 5; index += 1) expect((await call()).status).toBe(200);
    const beyond = await call();
    expect([beyond.status, beyond.refusal?.type]).toEqual([429, 'QUOTA_EXCEEDED']);
    api.clock.now += 86_400_000;
    expect((await call()).status).toBe(200);
  });

  it('does not meter methods that require no key', async () => {
    const api = serve(petsApi());
    for (let index = 0; index < 10; index += 1) expect((await api.call('/pets')).status).toBe(200);
  });
});

describe("a stage's throttle", () => {
  it('holds everybody back, key or not', async () => {
    const resources = petsApi();
    const stage = resources.Stage?.Properties ?? {};
    stage.MethodSettings = [
      { ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 },
    ];
    const api = serve(resources);
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await api.call('/pets')).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('createTokenBucket', () => {
  it('is never fuller than its burst', () => {
    const bucket = createTokenBucket(10, 2, 0);
    const taken = [1_000_000, 1_000_000, 1_000_000].map((now) => bucket.take(now));
    expect(taken).toEqual([true, true, false]);
  });

  it('gives nothing for a clock that is set back, and goes on from there', () => {
    const bucket = createTokenBucket(1, 1, 10_000_000);
    expect(bucket.take(10_000_000)).toBe(true);
    expect(bucket.take(0)).toBe(false);
    expect(bucket.take(999)).toBe(false);
    expect(bucket.take(1_000)).toBe(true);
  });
});
