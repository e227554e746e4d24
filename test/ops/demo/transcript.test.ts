import { describe, expect, it } from 'vitest';
import { createMask } from '../../../ops/demo/mask.ts';
import { createTranscript } from '../../../ops/demo/transcript.ts';
import type { HttpRequest, HttpResponse } from '../../../ops/http/client.ts';

const jwt = `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.${'s'.repeat(40)}`;
const secret = 'sekrit+/with=odd&characters';
const key = 'subscription-key-of-forty-characters-abc';

async function told(request: HttpRequest, response: Partial<HttpResponse>): Promise<string> {
  const lines: string[] = [];
  const mask = createMask();
  mask.add(secret);
  const transcript = createTranscript(
    async () => ({ status: 200, headers: {}, body: '', ...response }),
    mask,
    (line) => lines.push(line),
  );
  await transcript.http(request);
  return lines.join('\n');
}

describe('the transcript', () => {
  it('shows requests and answers without their secrets', async () => {
    const basic = Buffer.from(`client:${secret}`).toString('base64');
    const text = await told(
      {
        method: 'POST',
        url: 'http://auth.sandbox.localhost/token?code=abcdefghijklmnopqrstuvwxyz&state=shown',
        headers: {
          authorization: `Basic ${basic}`,
          'x-api-subscription-key': key,
          cookie: '__Host-session=the-cookie-value',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ client_secret: secret, again: key }).toString(),
      },
      {
        headers: { 'content-type': 'application/json', 'set-cookie': ['b=another-cookie-value; Path=/'] },
        body: JSON.stringify({ access_token: jwt, note: `${secret} the-cookie-value another-cookie-value` }),
      },
    );
    for (const hidden of [secret, encodeURIComponent(secret), basic, key, jwt, 'abcdefghijklmnopqrst']) {
      expect(text).not.toContain(hidden);
    }
    expect(text).not.toMatch(/the-cookie-value|another-cookie-value/);
    expect(text).toContain('state=shown');
    expect(text).toContain('sekr…');
    expect(text).toContain('POST http://auth.sandbox.localhost/token');
  });

  it('hides a bearer token that is no JWT', async () => {
    const text = await told(
      { method: 'GET', url: 'http://x.localhost/', headers: { authorization: 'Bearer opaque-token-value' } },
      {},
    );
    expect(text).not.toContain('opaque-token-value');
    expect(text).toContain('Bearer opaq…');
  });

  it('shows a page as a person meets it', async () => {
    const body =
      '<h1>Sign in</h1><form><label>Password<input name="p"></label><button>Sign in</button></form>';
    const text = await told(
      { method: 'GET', url: 'http://x.localhost/' },
      { headers: { 'content-type': 'text/html' }, body },
    );
    expect(text).toMatch(/\[page\] Sign in[\s\S]*field {2}Password[\s\S]*button Sign in/);
    expect(text).not.toContain('<form>');
  });
});
