import { describe, expect, it } from 'vitest';
import { petsApi } from '../pets.ts';
import { FunctionFails, identified, policy, serve, welcoming } from './serve.ts';

const guardCalls = (api: ReturnType<typeof serve>) =>
  api.invoked.filter(({ name }) => name === 'guard').length;

describe('a REQUEST authorizer', () => {
  it('refuses a call without an identity source, unasked', async () => {
    const api = serve(petsApi());
    const missing = await api.call('/pets/1', { headers: [['x-pet-key', 'k']] });
    const empty = await api.call('/pets/1', {
      headers: [
        ['x-pet-key', 'k'],
        ['Authorization', ''],
      ],
    });
    expect([missing.status, empty.status]).toEqual([401, 401]);
    expect(missing.header('www-authenticate')).toBe('Bearer');
    expect(missing.body).toBe('{"error":"Unauthorized","at":"/pets/{id}"}');
    expect(api.invoked).toEqual([]);
  });

  it('is told the method ARN, and its context reaches the function as text', async () => {
    const api = serve(petsApi());
    expect((await api.call('/pets/1', { headers: identified })).status).toBe(200);
    expect(api.invoked[0]?.event).toMatchObject({
      type: 'REQUEST',
      resource: '/pets/{id}',
      pathParameters: { id: '1' },
      stageVariables: { colour: 'brown' },
    });
    expect(api.invoked[0]?.event.methodArn).toMatch(
      /^arn:aws:execute-api:us-east-2:111122223333:[a-z0-9]{10}\/live\/GET\/pets\/1$/,
    );
    const { authorizer, identity } = api.invoked[1]?.event.requestContext ?? {};
    expect(authorizer).toMatchObject({ principalId: 'someone', name: 'someone', count: '2', member: 'true' });
    expect(identity).toMatchObject({ apiKeyId: 'k1' });
  });

  it('is asked again only after its TTL, or for another identity', async () => {
    const api = serve(petsApi());
    await api.call('/pets/1', { headers: identified });
    await api.call('/pets/2', { headers: identified });
    expect(guardCalls(api)).toBe(1);
    await api.call('/pets/1', {
      headers: [
        ['x-pet-key', 'k'],
        ['authorization', 'Bearer other'],
      ],
    });
    expect(guardCalls(api)).toBe(2);
    api.clock.now += 30_000;
    await api.call('/pets/1', { headers: identified });
    expect(guardCalls(api)).toBe(3);
  });

  it('is not remembered for longer when the clock is set back', async () => {
    const api = serve(petsApi());
    await api.call('/pets/1', { headers: identified });
    api.clock.now -= 3_600_000;
    await api.call('/pets/1', { headers: identified });
    expect(guardCalls(api)).toBe(2);
  });

  it('has its remembered policy evaluated against each call', async () => {
    const api = serve(petsApi(), {
      guard: (event) => ({ ...welcoming(), policyDocument: policy('Allow', event.methodArn) }),
    });
    expect((await api.call('/pets/1', { headers: identified })).status).toBe(200);
    const other = await api.call('/pets/2', { headers: identified });
    expect([other.status, other.body]).toEqual([403, '{"refused":"ACCESS_DENIED"}']);
    expect(guardCalls(api)).toBe(1);
  });

  it('denies where any statement denies', async () => {
    const Statement = [
      ...policy('Allow', '*').Statement,
      ...policy('Deny', 'arn:aws:execute-api:*:*:*/live/GET/*').Statement,
    ];
    const api = serve(petsApi(), { guard: () => ({ ...welcoming(), policyDocument: { Statement } }) });
    const denied = await api.call('/pets/1', { headers: identified });
    expect(denied.refusal).toMatchObject({ type: 'ACCESS_DENIED', statusCode: 403 });
    expect(denied.refusal?.message).toContain('explicit deny');
  });

  it('refuses with 401 where it throws Unauthorized', async () => {
    const api = serve(petsApi(), {
      guard: () => {
        throw new FunctionFails('Error', 'Unauthorized');
      },
    });
    expect((await api.call('/pets/1', { headers: identified })).status).toBe(401);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['no policy', { principalId: 'x' }],
    ['no principal', { policyDocument: policy('Allow', '*') }],
    ['a context that is no map of scalars', { ...welcoming(), context: { list: ['a'] } }],
    ['a context with null', { ...welcoming(), context: { name: null } }],
    ['more than 8 KB', { ...welcoming(), context: { name: 'a'.repeat(8_192) } }],
    ['an effect that is none', { ...welcoming(), policyDocument: policy('Maybe', '*') }],
  ])('is misconfigured where it returns %s', async (_what, answer) => {
    const api = serve(petsApi(), { guard: () => answer });
    const refused = await api.call('/pets/1', { headers: identified });
    expect([refused.status, refused.refusal?.type]).toEqual([500, 'AUTHORIZER_CONFIGURATION_ERROR']);
    expect(refused.body).toBe('{"message":null}');
  });

  it('is misconfigured where it fails, and a failure is not remembered', async () => {
    let failing = true;
    const api = serve(petsApi(), {
      guard: () => {
        if (failing) throw new FunctionFails('TypeError', 'x is not a function');
        return welcoming();
      },
    });
    expect((await api.call('/pets/1', { headers: identified })).status).toBe(500);
    failing = false;
    expect((await api.call('/pets/1', { headers: identified })).status).toBe(200);
  });

  it('is refused at the start where it is of a type this runner does not know', () => {
    const resources = petsApi();
    Object.assign(resources.Authorizer?.Properties ?? {}, { Type: 'TOKEN' });
    expect(() => serve(resources)).toThrow('type TOKEN is not known');
  });
});
