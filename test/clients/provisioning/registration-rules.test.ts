import { describe, expect, it } from 'vitest';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import { demonstration } from '../../../lambdas/catalog/oauth/demonstration.ts';
import type { ClientRegistration } from '../../../lambdas/clients/provisioning/registration-contract.ts';
import { registrationIssues } from '../../../lambdas/clients/provisioning/registration-rules-contract.ts';
import { registration } from './provisioning-double.ts';

function issuePaths(changed: Partial<ClientRegistration>, environment: Environment = 'sandbox'): string[] {
  return registrationIssues(registration(changed), environment, ['standard']).map(({ path }) => path);
}

describe('a registration', () => {
  it('is accepted as an app would send it', () => {
    expect(issuePaths({})).toEqual([]);
    expect(issuePaths({ grantTypes: ['client_credentials'], redirectUris: [] })).toEqual([]);
    expect(issuePaths({ tokenEndpointAuthMethod: 'none' })).toEqual([]);
    expect(issuePaths({ pkceRequired: false })).toEqual([]);
  });

  it.each<[string, Partial<ClientRegistration>, string]>([
    [
      'a public client without PKCE',
      { tokenEndpointAuthMethod: 'none', pkceRequired: false },
      'pkceRequired',
    ],
    [
      'client credentials for a public client',
      { tokenEndpointAuthMethod: 'none', grantTypes: ['authorization_code', 'client_credentials'] },
      'grantTypes',
    ],
    ['authorization_code without a redirect URI', { redirectUris: [] }, 'redirectUris'],
    [
      'a provider directory for MHBE alone, which has none',
      { linesOfBusiness: ['MHBE'], products: ['provider-directory'] },
      'products',
    ],
    ['a line of business twice', { linesOfBusiness: ['DSNP', 'DSNP'] }, 'linesOfBusiness'],
    ['a tier nobody configured', { tier: 'platinum' }, 'tier'],
    ['a name that turns the text around', { clientName: 'Sun\u202eesir' }, 'clientName'],
    ['a display name of spaces', { displayName: '   ' }, 'displayName'],
    ['a script where a link belongs', { applicationUri: 'javascript:alert(1)' }, 'applicationUri'],
    ['a privacy page over plain http', { privacyUri: 'http://sunrise.example/' }, 'privacyUri'],
  ])('is refused with %s', (_what, changed, path) => {
    expect(issuePaths(changed)).toEqual([`registration.${path}`]);
  });

  describe('of the demonstration', () => {
    const published: Partial<ClientRegistration> = {
      grantTypes: [demonstration.grantType],
      tokenEndpointAuthMethod: 'none',
      linesOfBusiness: [demonstration.lineOfBusiness],
      redirectUris: [],
      tier: demonstration.tier,
      demonstratedPatientId: 'patient-1',
    };
    const issues = (changed: Partial<ClientRegistration>, environment: Environment = 'sandbox') =>
      registrationIssues(registration({ ...published, ...changed }), environment, [
        'standard',
        demonstration.tier,
      ]).map(({ path }) => path);

    it('is accepted in the sandbox, and never in production', () => {
      expect(issues({})).toEqual([]);
      expect(issues({}, 'production')).toEqual(['registration.grantTypes']);
    });

    it.each<[string, Partial<ClientRegistration>, string]>([
      ['a secret', { tokenEndpointAuthMethod: 'client_secret_basic' }, 'grantTypes'],
      [
        'another grant type beside it',
        { grantTypes: [demonstration.grantType, 'client_credentials'] },
        'grantTypes',
      ],
      ['another line of business', { linesOfBusiness: ['MAPD'] }, 'grantTypes'],
      ['the tier of applications', { tier: 'standard' }, 'grantTypes'],
      ['no member', { demonstratedPatientId: undefined }, 'demonstratedPatientId'],
    ])('is refused with %s', (_what, changed, path) => {
      expect(issues(changed)).toContain(`registration.${path}`);
    });

    it('lends its tier and its member to no other registration', () => {
      const other = (changed: Partial<ClientRegistration>) =>
        registrationIssues(registration(changed), 'sandbox', ['standard', demonstration.tier]).length;
      expect(other({ tier: demonstration.tier })).toBe(1);
      expect(other({ demonstratedPatientId: 'patient-1' })).toBe(1);
    });
  });

  it('keeps a directory where one of its lines of business has it', () => {
    expect(issuePaths({ linesOfBusiness: ['MHBE', 'EGWP'], products: ['provider-directory'] })).toEqual([]);
  });
});

describe('a redirect URI', () => {
  const accepted = (uri: string, environment: Environment) =>
    issuePaths({ redirectUris: [uri] }, environment).length === 0;

  it.each([
    ['https://sunrise.example/callback', true, true],
    ['https://sunrise.example/callback?app=1', true, true],
    ['http://localhost:3000/callback', true, false],
    ['http://portal.localhost:8080/try/callback', true, false],
    ['http://notlocalhost/callback', false, false],
    ['http://127.0.0.1/callback', true, false],
    ['http://sunrise.example/callback', false, false],
    ['http://localhost.sunrise.example/callback', false, false],
    ['http://localhost@sunrise.example/callback', false, false],
    ['https://user:pass@sunrise.example/callback', false, false],
    ['https://sunrise.example/callback#done', false, false],
    ['https://sunrise.example/callback#', false, false],
    ['https://sunrise.example/a b', false, false],
    [' https://sunrise.example/', false, false],
    ['data:text/html,x', false, false],
    ['sunrise://callback', false, false],
    ['https:sunrise.example', false, false],
  ])('%s is accepted in the sandbox: %s, in production: %s', (uri, inSandbox, inProduction) => {
    expect(accepted(uri, 'sandbox')).toBe(inSandbox);
    expect(accepted(uri, 'production')).toBe(inProduction);
  });

  it.each([
    ['com.example.sunrise:/callback', true],
    ['com.example.sunrise:/callback?app=1', true],
    ['com.example.sunrise://callback', true],
    ['http://127.0.0.1/callback', true],
    ['http://127.0.0.1:51004/callback', true],
    ['http://[::1]/callback', true],
    ['http://[::1]:51004/callback', true],
    // RFC 8252 section 7.1: the scheme must be a reversed domain name.
    ['sunrise:/callback', false],
    ['javascript:/alert', false],
    ['data:/x', false],
    ['Com.Example:/callback', false],
    ['com.example.sunrise:callback', false],
    ['com.example.sunrise:/callback#done', false],
    ['com.example.sunrise:/callback?code=1', false],
    ['com.example.sunrise:/a b', false],
    // RFC 8252 section 8.3: the name `localhost` may resolve to another address.
    ['http://localhost/callback', false],
    ['http://127.0.0.2/callback', false],
    ['http://127.0.0.1.example.com/callback', false],
    ['http://127.0.0.1@evil.example/callback', false],
    ['http://[::2]/callback', false],
  ])('of a native app may be %s: %s, and of no confidential client in production', (uri, allowed) => {
    const native = issuePaths(
      { tokenEndpointAuthMethod: 'none', grantTypes: ['authorization_code'], redirectUris: [uri] },
      'production',
    );
    expect(native).toEqual(allowed ? [] : ['registration.redirectUris.0']);
    expect(accepted(uri, 'production')).toBe(false);
  });

  it('is named by its place in the list', () => {
    expect(issuePaths({ redirectUris: ['https://sunrise.example/', 'ftp://x'] })).toEqual([
      'registration.redirectUris.1',
    ]);
  });
});
