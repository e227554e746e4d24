import { describe, expect, it } from 'vitest';
import { formActionOf } from '../../lambdas/authorization/pages/sign-in-page.ts';
import { clientRegistration } from '../../lambdas/clients/provisioning/registration-contract.ts';
import { registrationIssues } from '../../lambdas/clients/provisioning/registration-rules-contract.ts';
import { registration } from '../clients/provisioning/provisioning-double.ts';

/** Redirect URIs that could harm a member's browser, or that two URL parsers read differently: none is registered. */

const uriFields = ['redirectUris', 'applicationUri', 'privacyUri', 'termsOfServiceUri'] as const;

function refused(field: (typeof uriFields)[number], uri: string): boolean {
  const changed = registration({ [field]: field === 'redirectUris' ? [uri] : uri });
  if (!clientRegistration.safeParse(changed).success) return true;
  return registrationIssues(changed, 'sandbox', ['standard']).length > 0;
}

const tricks: readonly (readonly [string, string])[] = [
  ['a script', 'javascript:alert(1)'],
  ['a script in mixed case', 'JaVaScRiPt:alert(1)'],
  ['a script after spaces', ' javascript:alert(1)'],
  ['a script after a control character', '\u0001javascript:alert(1)'],
  ['a script with authority', 'javascript://app.example/%0aalert(1)'],
  ['a document in the address', 'data:text/html,<script>alert(1)</script>'],
  ['a blob', 'blob:https://app.example/1'],
  ['a file', 'file:///etc/passwd'],
  ['a view of the source', 'view-source:https://app.example/'],
  ['userinfo', 'https://app.example@evil.example/'],
  ['empty userinfo', 'https://@evil.example/'],
  ['a backslash before another host', 'https://app.example\\@evil.example/'],
  ['a wildcard host', 'https://*/'],
  ['a wildcard subdomain', 'https://*.example/'],
  ['a host that ends a directive of the policy', 'https://a;frame-ancestors/'],
  ['a host that ends the policy', 'https://a,b.example/'],
  ['a quoted host', "https://'self'/"],
  ['an uppercase host', 'https://APP.example/'],
  ['the default port', 'https://app.example:443/'],
  ['a trailing dot', 'https://app.example./'],
  ['dot segments', 'https://app.example/x/../'],
  ['encoded dot segments', 'https://app.example/x/%2e%2e/'],
  ['a hexadecimal address', 'https://0x7f.1/'],
  ['a decimal address', 'https://2130706433/'],
  ['an octal address', 'https://0177.0.0.1/'],
  ['an IPv6 address', 'https://[::1]/'],
  ['an IPv4 address inside IPv6', 'https://[::ffff:127.0.0.1]/'],
  ['a look-alike letter', 'https://аpp.example/'],
  ['a full-width host', 'https://ａｐｐ.example/'],
  ['a broken percent-encoding', 'https://app.example/%zz'],
  ['a line break', 'https://app.example/\r\nSet-Cookie:a=b'],
  ['a tab', 'https://app.example/\tx'],
  ['a null', 'https://app.example/\0'],
  ['angle brackets', 'https://app.example/<script>'],
  ['a quote', 'https://app.example/"onclick=alert(1)'],
  ['half a surrogate pair', 'https://app.example/\ud800'],
  ['no scheme', '//app.example/'],
  ['no host', 'https:///x'],
];

describe.each(uriFields)('a registration’s %s', (field) => {
  it.each(tricks)('is refused with %s', (_what, uri) => {
    expect(refused(field, uri)).toBe(true);
  });

  it.each([
    'https://app.example/cb',
    'https://app.example',
    'https://xn--pp-7kc.example/cb?tenant=1&x=%C3%A9',
  ])('may be %s', (uri) => {
    expect(refused(field, uri)).toBe(false);
  });
});

describe('a redirect URI', () => {
  it.each([
    'code=1',
    'state=1',
    'x=1&iss=1',
    'error=1',
    'c%6Fde=1',
  ])('has no parameter of ours: %s', (query) => {
    expect(refused('redirectUris', `https://app.example/cb?${query}`)).toBe(true);
  });

  it.each([
    'https://app.example/cb',
    'https://app.example:8443/cb',
    'http://localhost:3000/cb',
    'http://127.0.0.1:3000/cb',
  ])('becomes one source of the policy and no more: %s', (uri) => {
    expect(refused('redirectUris', uri)).toBe(false);
    expect(formActionOf(uri)).toMatch(/^https?:\/\/[a-z0-9.-]+(:\d+)?$/);
  });
});

describe('a name members see', () => {
  it.each([
    ['a right-to-left override', 'Sun\u202eesir'],
    ['an isolate', 'Sun\u2066rise'],
    ['a zero-width space', 'Sun\u200brise'],
    ['a line break', 'Sun\nYour plan recommends this app'],
    ['a line separator', 'Sun\u2028rise'],
    ['a null', 'Sun\0rise'],
    ['a byte order mark', '\ufeffSunrise'],
    ['only spaces', ' \u00a0 '],
  ])('is refused with %s', (_what, name) => {
    for (const field of ['clientName', 'displayName'] as const) {
      expect(registrationIssues(registration({ [field]: name }), 'sandbox', ['standard'])).not.toEqual([]);
    }
  });
});
