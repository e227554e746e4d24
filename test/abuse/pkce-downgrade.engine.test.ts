import { afterAll, describe, expect, it } from 'vitest';
import type { OAuthClient } from '../../lambdas/authorization/oauth/oauth-client.ts';
import { rfc7636, theRedirectUri } from '../authorization/builders.ts';
import { eventOf, redirectOf } from '../authorization/events.ts';
import { startHandlerWorld } from '../authorization/handler-world.ts';
import { authorizationQuery, basic, obtainCode } from '../authorization/journey.ts';

/** Attempts to get a code or a token with weaker PKCE than the client must use (RFC 7636, RFC 9700 section 2.1.1). */

const world = await startHandlerWorld();
afterAll(() => world.stop());
const bound = await world.register();
const exempt = await world.register({ pkceRequired: false });
// A public client that was registered by mistake with `pkceRequired: false`; it must use PKCE all the same.
const open = await world.register({ tokenEndpointAuthMethod: 'none', pkceRequired: false, secrets: [] });

type Changes = Readonly<Record<string, string | undefined>>;

async function asked(client: OAuthClient, changes: Changes): Promise<string> {
  const query = new URLSearchParams(authorizationQuery(client.clientId));
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const answer = await world.authorize(
    eventOf({ path: '/fhir-oauth2/sec/dsnp/authorize', query: `${query}` }),
  );
  return answer.statusCode === 200 ? 'accepted' : (redirectOf(answer).get('error') ?? '');
}

async function redeem(client: OAuthClient, code: string, verifier: string | undefined): Promise<string> {
  const answer = await world.token(
    eventOf({
      path: '/fhir-oauth2/pub/dsnp/token',
      headers: client === open ? {} : { authorization: basic(client.clientId) },
      json: {
        grant_type: 'authorization_code',
        code,
        redirect_uri: theRedirectUri,
        ...(client === open && { client_id: client.clientId }),
        ...(verifier !== undefined && { code_verifier: verifier }),
      },
    }),
  );
  return JSON.parse(answer.body).error ?? 'issued';
}

const without = { code_challenge: undefined, code_challenge_method: undefined };

describe('an authorization request', () => {
  it.each<[string, Changes]>([
    ['no challenge', without],
    ['an empty challenge', { code_challenge: '' }],
    ['a method only', { code_challenge: undefined }],
    ['a challenge without method, which would mean plain', { code_challenge_method: undefined }],
    ['plain', { code_challenge_method: 'plain' }],
    ['s256', { code_challenge_method: 's256' }],
    ['S512', { code_challenge_method: 'S512' }],
    ['none', { code_challenge_method: 'none' }],
    ['a short challenge', { code_challenge: rfc7636.challenge.slice(1) }],
    ['a long challenge', { code_challenge: `${rfc7636.challenge}A` }],
    ['a padded challenge', { code_challenge: `${rfc7636.challenge.slice(0, 42)}=` }],
    ['base64 that is not for URLs', { code_challenge: `+${rfc7636.challenge.slice(1)}` }],
  ])('with %s is refused', async (_what, changes) => {
    expect(await asked(bound, changes)).toBe('invalid_request');
    expect(await asked(open, changes)).toBe('invalid_request');
  });

  it('of an exempt client may do without, but not with half of it, nor without state', async () => {
    expect(await asked(exempt, without)).toBe('accepted');
    expect(await asked(exempt, { ...without, state: undefined })).toBe('invalid_request');
    expect(await asked(exempt, { code_challenge_method: 'plain' })).toBe('invalid_request');
    expect(await asked(exempt, { code_challenge: undefined })).toBe('invalid_request');
  });
});

describe('a code with a challenge', () => {
  it.each<[string, string | undefined]>([
    ['no verifier', undefined],
    ['an empty one', ''],
    ['another', 'A'.repeat(43)],
    ['the challenge itself, as plain would have it', rfc7636.challenge],
    ['a short one', rfc7636.verifier.slice(1)],
    ['a long one', 'A'.repeat(129)],
    ['one with a space', `${rfc7636.verifier} `],
    ['one with a line break', `${rfc7636.verifier}\n`],
  ])('buys nothing with %s, and is used up by the try', async (_what, verifier) => {
    for (const client of [bound, open]) {
      const code = await obtainCode(world, authorizationQuery(client.clientId));
      expect(await redeem(client, code, verifier)).toBe('invalid_grant');
      expect(await redeem(client, code, rfc7636.verifier)).toBe('invalid_grant');
    }
  });
});

describe('a code without a challenge', () => {
  it('buys nothing with a verifier: someone took the challenge out', async () => {
    const query = new URLSearchParams(authorizationQuery(exempt.clientId));
    query.delete('code_challenge');
    query.delete('code_challenge_method');
    const code = await obtainCode(world, `${query}`);
    expect(await redeem(exempt, code, rfc7636.verifier)).toBe('invalid_grant');
    expect(await redeem(exempt, await obtainCode(world, `${query}`), undefined)).toBe('issued');
  });
});
