import { describe, expect, it } from 'vitest';
import { bearerError } from '../../../lambdas/platform/http/bearer-error.ts';

describe('a refusal to the bearer of a token', () => {
  it('asks for a token and says nothing more where none was sent', () => {
    const answer = bearerError({ description: 'an access token is needed' });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers).toMatchObject({
      // RFC 6750 section 3: "This scheme MUST be followed by one or more auth-param values."
      'WWW-Authenticate': expect.stringMatching(/^Bearer realm="[^"]+"$/),
      'Cache-Control': 'no-store',
    });
    expect(answer.body).toBe('{}');
  });

  it.each([
    ['invalid_request', 400],
    ['invalid_token', 401],
    ['insufficient_scope', 403],
  ] as const)('names %s in header and body, with %i', (error, status) => {
    const answer = bearerError({ error, description: 'why' });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers?.['WWW-Authenticate']).toBe(`Bearer error="${error}", error_description="why"`);
    expect(JSON.parse(answer.body)).toEqual({ error, error_description: 'why' });
  });

  it('asks to wait by 429, which is no matter of the token', () => {
    const answer = bearerError({
      error: 'temporarily_unavailable',
      description: 'slow',
      retryAfterSeconds: 7,
    });
    expect(answer.statusCode).toBe(429);
    expect(answer.headers).toMatchObject({ 'Retry-After': '7', 'Cache-Control': 'no-store' });
    expect(answer.headers).not.toHaveProperty('WWW-Authenticate');
  });
});
