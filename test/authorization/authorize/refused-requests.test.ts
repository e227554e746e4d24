import { describe, expect, it } from 'vitest';
import { authorizationRefusalsByAddress } from '../../../lambdas/platform/kernel/rates.ts';
import { aClient, theRedirectUri } from '../builders.ts';
import { audience, memoryPages, openSignIn } from '../memory-pages.ts';
import type { Changes } from '../refreshing.ts';

/** The trace that a refused authorization request leaves: a line for the log of calls, and facts on the error page. */

function world(errorsOrigin?: string) {
  const client = aClient();
  const pages = memoryPages(client);
  const refuse = async (changes: Changes) => {
    Object.assign(pages.server, { errorsOrigin });
    return (await openSignIn(pages, client, changes)).page;
  };
  return { client, pages, refuse };
}

describe('a refused authorization request', () => {
  it.each<[Changes, string, string, string]>([
    [
      { redirect_uri: 'http://localhost:3001/cb' },
      'redirect_uri_unregistered',
      `one of the registered redirect URIs: ${theRedirectUri}`,
      'redirect_uri=http://localhost:3001/cb',
    ],
    [{ redirect_uri: undefined }, 'redirect_uri_missing', '`redirect_uri`', 'no redirect_uri'],
    [
      { scope: 'launch/unknown' },
      'invalid_scope',
      'at least one scope of the application’s interfaces: patient-access',
      'scope=launch/unknown',
    ],
    [
      { aud: 'https://other.example' },
      'invalid_request',
      `the FHIR base of this line of business in \`aud\`: ${audience}`,
      'aud=https://other.example',
    ],
    [
      { code_challenge: 'a-guess', code_challenge_method: 'plain' },
      'invalid_request',
      'a `code_challenge` of 43 characters with `code_challenge_method=S256`',
      'code_challenge of 7 characters, code_challenge_method=plain',
    ],
    [
      { state: 'S'.repeat(2_001) },
      'invalid_request',
      'a short `state` and `nonce`',
      'state of 2001 characters, nonce of 7 characters',
    ],
    [{ x: ['1', '2'] }, 'invalid_request', 'each parameter once', 'x was sent more than once'],
  ])('%j is logged as %s, with what was expected and what was sent', async (changes, reason, expected, received) => {
    const { client, refuse } = world();
    const { refused } = await refuse(changes);
    expect(refused).toEqual({ clientId: client.clientId, reason, expected, received });
  });

  it('is logged without the values of parameters that may be secret or name a member', async () => {
    const { refuse } = world();
    const secrets = { state: 'state-secret', nonce: 'nonce-secret', login_hint: 'rosa@example.org' };
    for (const wrong of [
      { aud: 'x' },
      { redirect_uri: 'https://x.example' },
      { id_token_hint: 'hint-secret' },
    ]) {
      expect(JSON.stringify((await refuse({ ...secrets, ...wrong })).refused)).not.toMatch(/secret|rosa/);
    }
  });

  it('is logged without the query of an address, and with the scopes that have the form of one', async () => {
    const { refuse } = world();
    const { refused } = await refuse({ redirect_uri: 'https://name@x.example/cb?member=rosa' });
    expect(refused?.received).toBe('redirect_uri=https://…@x.example/cb?… (11 characters)');
    const scope = 'system/Patient.read rosa@example.org launch/encounter';
    expect((await refuse({ scope })).refused?.received).toBe(
      'scope=system/Patient.read launch/encounter 1 of another form',
    );
  });

  it('is logged with a short text, whose invisible characters are encoded', async () => {
    const { refuse } = world();
    const { refused } = await refuse({ redirect_uri: `https://x.example/\u202e${'y'.repeat(5_000)}` });
    expect(refused?.received).toMatch(/^redirect_uri=https:\/\/x\.example\/%E2%80%AEy+…$/);
    expect(refused?.received.length).toBeLessThan(700);
  });

  it('is neither logged nor audited for a client that is not registered, or beyond the limit of an address', async () => {
    const { pages, refuse } = world();
    expect((await refuse({ client_id: 'stranger' })).refused).toBeUndefined();
    expect(pages.events).toEqual([]);
    for (let n = 0; n < authorizationRefusalsByAddress.limit; n += 1) await refuse({ aud: 'x' });
    const beyond = await refuse({ aud: 'x' });
    expect(beyond).toMatchObject({
      kind: 'redirect',
      location: expect.stringContaining('error=invalid_request'),
    });
    expect(beyond.refused).toBeUndefined();
    expect(pages.events).toHaveLength(authorizationRefusalsByAddress.limit);
  });

  it('shows code, address, request ID and the error’s explanation to developers, and members the request ID alone', async () => {
    const changes = { redirect_uri: 'https://unregistered.test/<script>' };
    const developers = await world('https://developer.example.org').refuse(changes);
    const members = await world().refuse(changes);
    const html = developers.kind === 'page' ? developers.html : '';
    expect(html).toContain('<code>redirect_uri_unregistered</code>');
    expect(html).toContain('<code>https://auth.sandbox.example.org/fhir-oauth2/sec/dsnp/authorize</code>');
    expect(html).toContain('href="https://developer.example.org/docs/errors#page-redirect_uri_unregistered"');
    expect(html).toMatch(/Request ID<\/dt><dd><code>[\w-]+<\/code>/);
    expect(html).not.toContain('unregistered.test');
    const plain = members.kind === 'page' ? members.html : '';
    expect(plain).toMatch(/Request ID<\/dt><dd><code>[\w-]+<\/code>/);
    expect(plain).not.toMatch(/redirect_uri_unregistered|developer\.example/);
  });
});
