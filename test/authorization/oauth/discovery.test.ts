import { describe, expect, it } from 'vitest';
import { findDiscoveryDocument } from '../../../lambdas/authorization/oauth/discovery.ts';
import { grantableScope } from '../../../lambdas/authorization/oauth/scope-grant.ts';
import { patientAccessTypes } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { authorizationServerMetadata } from '../../../lambdas/catalog/oauth/authorization-server-metadata.ts';
import { machineServerMetadata } from '../../../lambdas/catalog/oauth/machine-server-metadata.ts';
import { smartConfiguration } from '../../../lambdas/catalog/oauth/smart-configuration.ts';

const origins = {
  auth: 'https://auth.sandbox.example.org',
  token: 'https://token.sandbox.example.org',
  apiTemplate: 'https://{lob}.api.sandbox.example.org',
};
const resourceId = '11111111-2222-4333-8444-555555555555';
const at = (path: string) => findDiscoveryDocument(path, origins, resourceId);

describe('what is published', () => {
  it.each(lineOfBusinessCodes)('of %s stands where either specification looks for it', (lob) => {
    const issuer = `/fhir-oauth2/${lob.toLowerCase()}`;
    const metadata = authorizationServerMetadata(origins, lob);
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      for (const slash of ['', '/']) {
        expect(at(`${issuer}/.well-known/${name}${slash}`)).toEqual({ kind: 'metadata', metadata });
        expect(at(`/.well-known/${name}${issuer}${slash}`)).toEqual({ kind: 'metadata', metadata });
      }
    }
    expect(at(`/fhir-oauth2/pub/${lob.toLowerCase()}/jwks`)).toEqual({ kind: 'jwks', issuer: lob });
    expect(at(`/fhir-oauth2/pub/${lob.toLowerCase()}/jwks/`)).toEqual({ kind: 'jwks', issuer: lob });
  });

  it('names each type that is served, in both spellings, and each scope it names can be granted', () => {
    const { scopes_supported, ...metadata } = smartConfiguration(origins, 'DSNP');
    expect(authorizationServerMetadata(origins, 'DSNP').scopes_supported).toEqual(scopes_supported);
    const types = ['*', ...patientAccessTypes];
    const whole = [
      ...['openid', 'fhirUser', 'launch/patient', 'offline_access'],
      ...types.flatMap((type) =>
        ['patient', 'user'].flatMap((context) => [`${context}/${type}.read`, `${context}/${type}.rs`]),
      ),
    ];
    expect(scopes_supported.slice(0, whole.length)).toEqual(whole);
    const limited = scopes_supported.slice(whole.length);
    expect(limited).toContain(
      'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory',
    );
    for (const scope of limited)
      expect(scope).toMatch(/^(patient|user)\/(Condition|Observation)\.rs\?category=/);
    for (const scope of scopes_supported) {
      const granted = grantableScope(`openid launch/patient ${scope}`, ['patient-access'])?.split(' ');
      expect(new Set(granted)).toEqual(new Set(['openid', 'launch/patient', scope]));
    }
    expect(metadata.capabilities).toEqual(
      expect.arrayContaining(['permission-patient', 'permission-user', 'permission-v1', 'permission-v2']),
    );
  });

  it('names the page where a member ends an application’s access', () => {
    expect(smartConfiguration(origins, 'EGWP').management_endpoint).toBe(
      'https://auth.sandbox.example.org/fhir-oauth2/sec/egwp/connected-apps',
    );
  });

  it('names where a logout goes', () => {
    expect(smartConfiguration(origins, 'DSNP').end_session_endpoint).toMatch(
      /\/fhir-oauth2\/sec\/dsnp\/logout$/,
    );
  });

  it('of the token host stands at its root', () => {
    const metadata = machineServerMetadata(origins, resourceId);
    expect(at('/.well-known/oauth-authorization-server')).toEqual({ kind: 'metadata', metadata });
    expect(at('/.well-known/jwks.json')).toEqual({ kind: 'jwks', issuer: 'M2M' });
  });

  it.each([
    '/',
    '/.well-known/openid-configuration',
    '/.well-known/jwks.json/',
    '/.well-known/oauth-authorization-server/',
    '/fhir-oauth2/nobody/.well-known/openid-configuration',
    '/fhir-oauth2//.well-known/openid-configuration',
    '/x/fhir-oauth2/dsnp/.well-known/openid-configuration',
    '/fhir-oauth2/dsnp/.well-known/openid-configuration/x',
    '/fhir-oauth2/x/dsnp/.well-known/openid-configuration',
    '/fhir-oauth2/dsnp/.well-known/other',
    '/x/.well-known/openid-configuration/fhir-oauth2/dsnp',
    '/.well-known/openid-configuration/fhir-oauth2/dsnp/x',
    '/fhir-oauth2/pub/nobody/jwks',
    '/x/fhir-oauth2/pub/dsnp/jwks',
    '/fhir-oauth2/pub/dsnp/jwks/x',
    '/fhir-oauth2/pub/m2m/jwks',
  ])('is nothing at %s', (path) => {
    expect(at(path)).toBeUndefined();
  });
});
