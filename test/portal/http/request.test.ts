import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  noContent,
  publicRoute,
  response,
  sessionRead,
  sessionRoute,
} from '../../../lambdas/portal/api/route-handler.ts';
import { createPortalHandler } from '../../../lambdas/portal/http/handler.ts';
import { developer, echo, handler, signedIn } from '../../platform/http/stubbed-routes.ts';
import { portalEvent, portalOrigin } from './event.ts';

/** The portal's HTTP layer: the request as a route receives it. */

describe('the caller’s address', () => {
  const told = publicRoute(z.strictObject({}), async ({ ip }) => response(200, { ip }));
  const ipOf = async (headers: Record<string, string>) => {
    const send = handler({ signIn: told });
    return JSON.parse((await send({ method: 'POST', path: '/api/session', body: {}, headers })).body).ip;
  };

  it.each([
    ['as CloudFront and the API add it', '203.0.113.9, 130.176.1.1', '203.0.113.9'],
    ['whatever the viewer says of itself', '10.0.0.1, 192.0.2.1, 203.0.113.9, 130.176.1.1', '203.0.113.9'],
    ['of IPv6, without the spaces', '2001:db8::7 ,130.176.1.1', '2001:db8::7'],
    ['of the connection, where no CloudFront stands before it', '203.0.113.9', '198.51.100.7'],
    ['of the connection, where the viewer sent an empty one', ', 130.176.1.1', '198.51.100.7'],
  ])('is the one %s', async (_what, forwarded, ip) => {
    expect(await ipOf({ 'X-Forwarded-For': forwarded })).toBe(ip);
  });

  it('is the connection’s without the header', async () => {
    expect(await ipOf({})).toBe('198.51.100.7');
  });
});

describe('a session’s token', () => {
  it('is looked up only where it has the form of one', async () => {
    const asked: string[] = [];
    const handle = createPortalHandler<'portal-accounts'>({
      origin: portalOrigin,
      routes: { account: sessionRead(async () => noContent()) } as never,
      sessions: {
        find: async (token) => {
          asked.push(token);
          return developer;
        },
      },
      log: () => undefined,
    });
    const good = `${'aZ09-_'.repeat(7)}x`;
    for (const token of [good, `${good}x`, good.slice(1), `${good.slice(1)}+`, '']) {
      const answer = await handle(
        portalEvent({ path: '/api/account', cookies: { '__Host-session': token } }),
      );
      expect(answer.statusCode).toBe(token === good ? 204 : 401);
    }
    expect(asked).toEqual([good]);
  });
});

describe('a body', () => {
  const patch = async (body: Buffer | string, isBase64Encoded: boolean) => {
    const event = portalEvent({ method: 'PATCH', path: '/api/account', body: '', ...signedIn });
    const handle = createPortalHandler<'portal-accounts'>({
      origin: portalOrigin,
      routes: { updateAccount: echo } as never,
      sessions: { find: async () => developer },
      log: () => undefined,
    });
    const text = typeof body === 'string' ? body : body.toString('base64');
    const answer = await handle({ ...event, body: text, isBase64Encoded });
    return {
      status: answer.statusCode,
      body: JSON.parse(answer.body),
      type: answer.headers?.['Content-Type'],
    };
  };
  const name = Buffer.from('{"firstName":"Zoë"}');

  it('in base64 is read as what it was', async () => {
    expect(await patch(name, true)).toEqual({
      status: 200,
      body: { got: { firstName: 'Zoë' }, by: 'account-1' },
      type: 'application/json',
    });
  });

  it('is not decoded where it isn’t base64', async () => {
    expect((await patch(name, false)).body).toMatchObject({ code: 'invalid_json' });
  });

  it('that is no UTF-8 is refused, and not mended', async () => {
    const broken = Buffer.concat([
      Buffer.from('{"firstName":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    expect(await patch(broken, true)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
  });

  it('names fifty fields that are wrong at most, and no name longer than a hundred characters', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}${'x'.repeat(200)}`, 1]));
    const { body } = await patch(JSON.stringify({ firstName: 'a', ...unknown }), false);
    expect(body.errors).toHaveLength(50);
    for (const { pointer } of body.errors) expect(pointer).toHaveLength(101);
  });

  it('says what was expected even where a schema says nothing', async () => {
    // Functions load no locale of Zod; another test file of this worker may have loaded one.
    z.config({ localeError: undefined });
    const silent = sessionRoute(z.strictObject({ firstName: z.string() }), async () => noContent());
    const send = handler({ updateAccount: silent });
    const { problem } = await send({ method: 'PATCH', path: '/api/account', body: {}, ...signedIn });
    expect(problem.errors[0]).toMatchObject({ pointer: '/firstName', code: 'missing' });
    expect(problem.errors[0].expected).toBe('a value in the documented format');
  });
});

describe('the query', () => {
  it('reaches the route, each parameter by its name', async () => {
    const send = handler({ account: sessionRead(async ({ query }) => response(200, query)) });
    const answer = await send({ path: '/api/account', query: { page: ['2'], q: [''] }, ...signedIn });
    expect(JSON.parse(answer.body)).toEqual({ page: '2', q: '' });
  });

  it('names only what was sent twice', async () => {
    const { problem } = await handler()({
      path: '/api/account',
      query: { page: ['1'], q: ['a', 'b'] },
      ...signedIn,
    });
    expect(problem.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/q']);
  });
});

describe('an answer without a body', () => {
  it('says no type of one', async () => {
    const answer = await handler()({ path: '/api/account', ...signedIn });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(answer.headers).not.toHaveProperty('Content-Type');
  });
});
