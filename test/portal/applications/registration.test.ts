import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../lambdas/platform/kernel/canonical-json.ts';
import { differences, isSame } from '../../../lambdas/portal/applications/difference.ts';
import {
  checkedConfiguration,
  desiredClient,
  kindIssues,
  registrationOf,
} from '../../../lambdas/portal/applications/registration.ts';
import { applicationStateNames } from '../../../lambdas/portal/catalog/application-states.ts';
import fc from '../../support/property.ts';
import { application, configuration, service, terms } from './configurations.ts';

/** The key of RFC 7517 appendix A.1, with a key ID. */
const publicKey = {
  kty: 'EC',
  crv: 'P-256',
  kid: 'first',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
} as const;

describe('a configuration as a registration', () => {
  it('has the names of the environment, and the redirect URI of the guided call in the sandbox only', () => {
    const it = configuration();
    expect(registrationOf(it, 'sandbox', true, terms)).toEqual({
      clientName: 'Sunrise Health',
      displayName: 'Sunrise',
      grantTypes: ['authorization_code'],
      tokenEndpointAuthMethod: 'client_secret_basic',
      linesOfBusiness: ['DSNP', 'MAPD'],
      products: ['patient-access'],
      redirectUris: ['https://sunrise-health.org/callback', terms.tryItRedirectUri],
      postLogoutRedirectUris: ['https://sunrise-health.org/bye'],
      initiateLoginUri: 'https://sunrise-health.org/login',
      applicationUri: 'https://sunrise-health.org/',
      privacyUri: 'https://sunrise-health.org/privacy',
      termsOfServiceUri: 'https://sunrise-health.org/terms',
      contactEmail: 'support@sunrise-health.org',
      attested: true,
      pkceRequired: true,
      tier: 'standard',
    });
    expect(registrationOf(it, 'production', false, terms).redirectUris).toEqual(it.loginRedirectUris);
  });

  it('of a service has no address a member is sent to, and the form asks for none', () => {
    const { redirectUris, ...others } = registrationOf(service(), 'sandbox', false, terms);
    expect(redirectUris).toEqual([]);
    expect(others).not.toHaveProperty('postLogoutRedirectUris');
    expect(others).not.toHaveProperty('initiateLoginUri');
    expect(checkedConfiguration(service(), 'production', terms)).toMatchObject({ kind: 'configuration' });
  });

  it('of every other application needs all three, told together with what else is missing', () => {
    const { loginInitiateUri, loginRedirectUris, logoutRedirectUri, privacyUri, ...others } = configuration();
    const read = checkedConfiguration(others, 'sandbox', terms);
    expect(read.kind === 'configuration' ? [] : read.issues.map(({ path }) => path.join()).sort()).toEqual([
      'loginInitiateUri',
      'loginRedirectUris',
      'logoutRedirectUri',
      'privacyUri',
    ]);
    expect([loginInitiateUri, loginRedirectUris, logoutRedirectUri, privacyUri]).not.toContain(undefined);
  });

  it('of a mobile or desktop application may have redirect URIs of its own, and of no other', () => {
    const uris = ['com.example.sunrise:/callback', 'http://127.0.0.1/callback', 'http://[::1]:3000/callback'];
    const native = {
      applicationType: 'native',
      tokenEndpointAuthMethod: 'none',
      loginRedirectUris: uris,
    } as const;
    for (const environment of ['sandbox', 'production'] as const) {
      expect(
        checkedConfiguration(configuration({ ...native, loginRedirectUris: uris }), environment, terms),
      ).toMatchObject({ kind: 'configuration' });
      const page = configuration({ ...native, applicationType: 'single-page', loginRedirectUris: uris });
      const read = checkedConfiguration(page, environment, terms);
      expect(read.kind === 'configuration' ? [] : read.issues.map(({ path }) => path.join('.'))).toContain(
        'loginRedirectUris.0',
      );
    }
  });

  it('is accepted by the environment’s own rules, for each kind of application', () => {
    const kinds = [
      configuration(),
      configuration({ pkce: false }),
      configuration({ applicationType: 'native', tokenEndpointAuthMethod: 'none' }),
      configuration({
        tokenEndpointAuthMethod: 'private_key_jwt',
        jwksUri: 'https://sunrise-health.org/jwks',
      }),
      configuration({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [publicKey] } }),
      service(),
      configuration({
        products: ['patient-access', 'payer-access', 'provider-directory'],
        linesOfBusiness: ['MHBE', 'EGWP'],
      }),
    ];
    for (const kind of kinds) {
      for (const environment of ['sandbox', 'production'] as const) {
        expect(checkedConfiguration(kind, environment, terms)).toMatchObject({ kind: 'configuration' });
      }
    }
  });

  it('tells the environment’s refusals by the form’s fields', () => {
    const refused = (changed: object, environment: 'sandbox' | 'production' = 'sandbox') => {
      const checked = checkedConfiguration({ ...configuration(), ...changed }, environment, terms);
      return checked.kind === 'configuration' ? [] : checked.issues.map(({ path }) => path.join('.'));
    };
    expect(
      refused({ tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'https://a.example.org:8443/k' }),
    ).toEqual(['jwksUri']);
    const withKeys = (jwks: unknown) => refused({ tokenEndpointAuthMethod: 'private_key_jwt', jwks });
    expect(withKeys({ keys: [{ ...publicKey, x: 'no point' }] })).toEqual(['jwks']);
    expect(withKeys({ keys: [publicKey, publicKey] })).toEqual(['jwks']);
    expect(withKeys('{"keys":')).toEqual(['jwks']);
    expect(refused({ jwks: { keys: [publicKey] } })).toEqual(['jwks']);
    expect(refused({ contactEmail: 'a..b@example.org' })).toEqual(['contactEmail']);
    expect(refused({ loginRedirectUris: ['http://localhost:3000/cb'] })).toEqual([]);
    expect(refused({ loginRedirectUris: ['http://localhost:3000/cb'] }, 'production')).toEqual([
      'loginRedirectUris.0',
    ]);
  });

  it('takes no key with its private part, and says so', () => {
    const jwks = { keys: [{ ...publicKey, d: 'the-private-part' }] };
    const checked = checkedConfiguration(
      configuration({ tokenEndpointAuthMethod: 'private_key_jwt', jwks } as never),
      'sandbox',
      terms,
    );
    expect(checked).toEqual({
      kind: 'issues',
      issues: [{ path: ['jwks'], message: expect.stringContaining('use public keys only') }],
    });
  });

  it('carries the keys themselves to the environment', () => {
    const jwks = { keys: [publicKey] };
    const it = configuration({ tokenEndpointAuthMethod: 'private_key_jwt', jwks });
    expect(registrationOf(it, 'sandbox', false, terms)).toMatchObject({ jwks });
    expect(registrationOf(it, 'sandbox', false, terms)).not.toHaveProperty('jwksUri');
  });

  it('stays public or confidential', () => {
    const open = configuration({ applicationType: 'native', tokenEndpointAuthMethod: 'none' });
    expect(kindIssues(configuration(), open)).toHaveLength(1);
    expect(
      kindIssues(configuration(), configuration({ tokenEndpointAuthMethod: 'client_secret_post' })),
    ).toEqual([]);
  });
});

describe('what an environment shall know of an application', () => {
  it('is, state by state, a client that acts in production when approved only', () => {
    const states = applicationStateNames.map((state) => {
      const it = application({ state, production: configuration() });
      return [
        state,
        desiredClient(it, 'sandbox', terms)?.state,
        desiredClient(it, 'production', terms)?.state,
      ];
    });
    expect(states).toEqual([
      ['registered_in_sandbox', 'active', 'suspended'],
      ['promoted_to_production', 'active', 'suspended'],
      ['awaiting_operator_approval', 'active', 'suspended'],
      ['approved', 'active', 'active'],
      ['changes_requested', 'active', 'suspended'],
      ['rejected', 'active', 'suspended'],
      ['suspended', 'active', 'suspended'],
      ['revoked', 'active', 'revoked'],
      ['withdrawn', 'revoked', 'revoked'],
    ]);
    expect(desiredClient(application(), 'production', terms)).toBeUndefined();
  });

  it('is what was approved, whatever is proposed beside it', () => {
    const approved = { configuration: configuration(), sha256: 'x' };
    const change = configuration({ applicationName: 'Another' });
    const it = application({ state: 'approved', production: change, change, approved });
    expect(desiredClient(it, 'production', terms)?.registration.clientName).toBe('Sunrise Health');
  });
});

describe('a difference', () => {
  it('names the fields that differ, in the form’s order, and says null for what is absent', () => {
    const { displayName: _, ...before } = configuration();
    const after = configuration({ privacyUri: 'https://sunrise-health.org/p2' });
    expect(differences(before, after)).toEqual([
      { field: 'displayName', before: null, after: 'Sunrise' },
      { field: 'privacyUri', before: before.privacyUri, after: 'https://sunrise-health.org/p2' },
    ]);
    expect(differences(after, after)).toEqual([]);
  });

  it('is none between texts whose members stand in another order', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(isSame({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(isSame(['a', 'b'], ['b', 'a'])).toBe(false);
  });
});
