import { describe, expect, it } from 'vitest';
import { type Interface, interfaceNames } from '../../../lambdas/catalog/fhir/interfaces.ts';
import type { LoggedCall } from '../../../lambdas/clients/provisioning/provisioning-contract.ts';
import type { Evidence } from '../../../lambdas/portal/api/views.ts';
import { callView, evidenceIn, untestedProducts } from '../../../lambdas/portal/applications/evidence.ts';
import {
  addressesToCheck,
  hasBlocker,
  type PreflightInput,
  preflight,
  type Reachability,
} from '../../../lambdas/portal/applications/preflight-checks.ts';
import { attestation } from '../../../lambdas/portal/catalog/agreements.ts';
import { application, configuration, service } from './configurations.ts';

const seen = (product: Interface): Evidence => ({
  product,
  lob: 'DSNP',
  at: '2026-03-02T10:00:00.000Z',
  route: '/r',
  requestId: 'r',
});

function run(changed: Partial<PreflightInput> = {}) {
  const results = preflight({
    configuration: configuration(),
    application: application({
      attestation: { textVersion: attestation.version, at: '2026-03-02T10:00:00.000Z', by: 'Dana' },
    }),
    evidence: [seen('patient-access')],
    sandboxAway: false,
    issues: [],
    reachability: new Map(addressesToCheck(configuration()).map((uri) => [uri, 'answers' as Reachability])),
    ...changed,
  });
  return {
    results,
    blocked: hasBlocker(results),
    of: (id: string) => results.find((check) => check.id === id),
  };
}

describe('the pre-flight', () => {
  it('passes whole for an application with nothing left to do', () => {
    expect(run().results.map(({ result }) => result)).toEqual(Array(run().results.length).fill('pass'));
    const ids = run().results.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps a submission back for values production refuses, each at its field', () => {
    const { results, blocked } = run({
      issues: [
        { path: ['tosUri'], message: 'https://' },
        { path: ['loginRedirectUris', 0], message: 'https://' },
      ],
    });
    expect(blocked).toBe(true);
    expect(results.filter(({ result }) => result === 'fail').map(({ field }) => field)).toEqual([
      'tosUri',
      'loginRedirectUris',
    ]);
  });

  it('keeps it back for a policy that does not answer, and only warns of a login address', () => {
    const { privacyUri, loginInitiateUri = '' } = configuration();
    const silent = run({ reachability: new Map([[privacyUri, 'silent']]) });
    expect(silent.blocked).toBe(true);
    expect(silent.of('address-privacyUri')).toMatchObject({ result: 'fail', field: 'privacyUri' });
    expect(run({ reachability: new Map([[loginInitiateUri, 'refuses']]) })).toMatchObject({ blocked: false });
  });

  it('says what it could not look at, and lets it pass', () => {
    const { blocked, of } = run({ reachability: new Map() });
    expect(blocked).toBe(false);
    expect(of('address-tosUri')).toMatchObject({ result: 'skipped' });
  });

  it('warns without an attestation, or with an older one, and lets it pass', () => {
    for (const it of [
      application(),
      application({ attestation: { textVersion: '2020-01-01', at: '2020-01-02T00:00:00.000Z', by: 'Dana' } }),
    ]) {
      const { blocked, of } = run({ application: it });
      expect(blocked).toBe(false);
      expect(of('attestation')?.result).toBe('warn');
    }
    const detailOf = (grantType: 'authorization_code' | 'client_credentials') =>
      run({ application: application(), configuration: configuration({ grantType }) }).of('attestation')
        ?.detail;
    expect(detailOf('authorization_code')).toContain('Members see a warning');
    expect(detailOf('client_credentials')).toContain('No member signs in');
  });

  it('keeps it back while a product was not called in the sandbox', () => {
    expect(run({ evidence: [] }).of('evidence-patient-access')).toMatchObject({ result: 'fail' });
  });

  it('warns of values that were not tried out, and tells the others', () => {
    const grown = configuration({ linesOfBusiness: ['DSNP', 'MAPD', 'EGWP'] });
    expect(run({ configuration: grown }).of('sandbox-difference-linesOfBusiness')?.result).toBe('warn');
    const moved = configuration({ tosUri: 'https://sunrise-health.org/terms-2' });
    expect(run({ configuration: moved }).of('sandbox-difference')?.detail).toContain('tosUri');
  });

  it('warns of keys that were made in a browser, by their names, and lets them pass', () => {
    const key = (kid: string) => ({ kty: 'EC', crv: 'P-384', x: 'x', y: 'y', kid }) as const;
    const withKeys = (...kids: string[]) =>
      configuration({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: kids.map(key) } });
    const carried = run({ configuration: withKeys('ours', 'browser-made-AbC', 'browser-made-dEf') });
    expect(carried.blocked).toBe(false);
    expect(carried.of('own-keys')).toMatchObject({ result: 'warn', field: 'jwks' });
    expect(carried.of('own-keys')?.detail).toMatch(
      /^browser-made-AbC, browser-made-dEf were created in a browser/,
    );
    expect(run({ configuration: withKeys('ours') }).of('own-keys')?.result).toBe('pass');
    // An application without own keys has no check of keys.
    expect(run().of('own-keys')).toBeUndefined();
  });

  it('warns of a contact that looks like an example', () => {
    const { of, blocked } = run({
      configuration: configuration({ contactEmail: 'me@example.org', supportPhone: '+1 (202) 555-0123' }),
    });
    expect(blocked).toBe(false);
    expect(of('contact-contactEmail')?.result).toBe('warn');
    expect(of('contact-supportPhone')?.result).toBe('warn');
  });
});

const logged = (changed: Partial<LoggedCall> = {}): LoggedCall => ({
  time: 1_000,
  requestId: 'r-1',
  host: 'mapd.api.sandbox.example.org',
  method: 'GET',
  route: '/extfhirpatientaccess/v1/Patient/{id}',
  status: 200,
  ...changed,
});

describe('evidence', () => {
  it('is the oldest successful call of a product', () => {
    const calls = [
      logged({ time: 3_000, requestId: 'late' }),
      logged({ requestId: 'first' }),
      logged({ time: 1, status: 500 }),
    ];
    expect(evidenceIn(calls, configuration(), ['patient-access'])).toEqual([
      {
        product: 'patient-access',
        lob: 'MAPD',
        at: '1970-01-01T00:00:01.000Z',
        route: '/extfhirpatientaccess/v1/Patient/{id}',
        requestId: 'first',
      },
    ]);
  });

  it('of Patient Access is any data that was read or searched, by the older path too, and no metadata', () => {
    const proven = (route: string) =>
      evidenceIn([logged({ route })], configuration(), ['patient-access']).length;
    expect(proven('/v1/fhir/patientaccess/Patient/{id}')).toBe(1);
    expect(proven('/extfhirpatientaccess/v1/Coverage')).toBe(1);
    expect(proven('/extfhirpatientaccess/v1/ExplanationOfBenefit/_search')).toBe(1);
    expect(proven('/extfhirpatientaccess/v1/ExplanationOfBenefit/{id}')).toBe(1);
    expect(proven('/extfhirpatientaccess/v1/Patient/{id}/{operation}')).toBe(1);
    expect(proven('/extfhirpatientaccess/v1/.well-known/smart-configuration')).toBe(0);
    expect(proven('/extfhirpatientaccess/v1/metadata')).toBe(0);
    expect(proven('/extfhirpayeraccess/v1/metadata')).toBe(0);
  });

  it('is a call that the gateway logs as its resource path, with the credentials of the application', () => {
    const ofWeb = (route: string) =>
      evidenceIn([logged({ route })], configuration(), ['provider-directory']).length;
    const ofService = (route: string) =>
      evidenceIn([logged({ route })], service(), ['payer-access', 'provider-directory']).map(
        ({ product }) => product,
      );
    expect(ofWeb('/extfhirproviderdir/v1/{proxy+}')).toBe(1);
    expect(ofWeb('/extfhirproviderdir/v1/public/{proxy+}')).toBe(0);
    expect(ofWeb('/extfhirproviderdir/v1/metadata')).toBe(0);
    expect(ofService('/extfhirproviderdir/v1/{proxy+}')).toEqual(['provider-directory']);
    expect(ofService('/extfhirpayeraccess/v1/{proxy+}')).toEqual(['payer-access']);
    expect(ofService('/extfhirpayeraccess/v1/fhir/metadata')).toEqual([]);
  });

  it('of a service is a token only for the product it can’t call', () => {
    const token = logged({ route: '/token/v2', host: 'token.sandbox.example.org', method: 'POST' });
    expect(evidenceIn([token], service(), interfaceNames)).toMatchObject([
      { product: 'patient-access', lob: 'DSNP', route: '/token/v2' },
    ]);
    expect(evidenceIn([token], configuration(), interfaceNames)).toEqual([]);
  });

  it('is not asked for where an application with members can call nothing', () => {
    const all = configuration({ products: ['patient-access', 'payer-access', 'provider-directory'] });
    expect(untestedProducts(all, [])).toEqual(['patient-access', 'provider-directory']);
    expect(untestedProducts(all, [seen('patient-access')])).toEqual(['provider-directory']);
    expect(untestedProducts({ ...service(), products: all.products }, [])).toEqual(all.products);
  });

  it('and the log tell a call without anything of a member', () => {
    expect(callView(logged({ responseType: 'THROTTLED', latencyMs: 7 }))).toEqual({
      at: '1970-01-01T00:00:01.000Z',
      host: 'mapd.api.sandbox.example.org',
      lob: 'MAPD',
      method: 'GET',
      route: '/extfhirpatientaccess/v1/Patient/{id}',
      status: 200,
      responseType: 'THROTTLED',
      requestId: 'r-1',
      latencyMs: 7,
    });
  });
});
