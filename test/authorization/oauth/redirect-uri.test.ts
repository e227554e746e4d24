import { describe, expect, it } from 'vitest';
import { matchesRegistered } from '../../../lambdas/authorization/oauth/redirect-uri.ts';
import { formActionOf } from '../../../lambdas/authorization/pages/sign-in-page.ts';

/** Redirect URIs of native apps (RFC 8252), as the authorization endpoint, the consent page and the redemption of a code compare them. */

const matches = (
  registered: string,
  sent: string,
  tokenEndpointAuthMethod: 'none' | 'client_secret_basic' = 'none',
) => matchesRegistered({ redirectUris: [registered], tokenEndpointAuthMethod }, sent);

describe('a loopback redirect URI', () => {
  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1/cb', true],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb', true],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:51004/cb', true],
    ['http://[::1]/cb?a=b', 'http://[::1]:51004/cb?a=b', true],
    ['http://127.0.0.1', 'http://127.0.0.1:1', true],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/other', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb/', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb?x=1', false],
    ['http://127.0.0.1/cb', 'http://[::1]:51004/cb', false],
    ['http://127.0.0.1/cb', 'http://localhost:51004/cb', false],
    ['http://127.0.0.1/cb', 'https://127.0.0.1:51004/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004@evil.example/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb#x', false],
    ['http://127.0.0.1', 'http://127.0.0.1.evil.example', false],
    ['http://localhost/cb', 'http://localhost:51004/cb', false],
    ['https://app.example.com/cb', 'https://app.example.com:8443/cb', false],
  ])('%s of a public client lets it come back at %s: %s', (registered, sent, expected) => {
    expect(matches(registered, sent)).toBe(expected);
  });

  it('of a confidential client is compared letter by letter', () => {
    expect(matches('http://127.0.0.1/cb', 'http://127.0.0.1/cb', 'client_secret_basic')).toBe(true);
    expect(matches('http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb', 'client_secret_basic')).toBe(false);
  });
});

describe('a redirect URI of a scheme of the app’s own', () => {
  it('is compared letter by letter', () => {
    const registered = 'com.example.app:/cb';
    expect(matches(registered, registered)).toBe(true);
    for (const sent of [
      'com.example.app:/cb/',
      'com.example.app:/CB',
      'com.example.app://cb',
      'com.example.app:',
    ]) {
      expect(matches(registered, sent)).toBe(false);
    }
  });
});

describe('the pages’ Content-Security-Policy', () => {
  it.each([
    ['https://app.example.com/cb', 'https://app.example.com'],
    ['http://127.0.0.1:51004/cb', 'http://127.0.0.1:51004'],
    ['com.example.app:/cb', 'com.example.app:'],
    // A Content Security Policy (CSP3) can't name an IPv6 address, so the scheme is allowed.
    ['http://[::1]:51004/cb', 'http:'],
  ])('lets the form lead to %s by %s', (redirectUri, source) => {
    expect(formActionOf(redirectUri)).toBe(source);
  });
});
