import { describe, expect, it } from 'vitest';
import { fhirRoutes } from '../../lambdas/catalog/fhir-routes.ts';
import { interfaceNames, offers } from '../../lambdas/catalog/interfaces.ts';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { capabilityStatement } from '../../lambdas/fhir/capability-statement.ts';

const origins = {
  auth: 'https://auth.example.org',
  token: 'https://token.example.org',
  apiTemplate: 'https://{lob}.api.example.org',
};
const offered = lineOfBusinessCodes.flatMap((lob) =>
  interfaceNames.filter((name) => offers(lob, name)).map((name) => [lob, name] as const),
);

describe('the CapabilityStatement', () => {
  it.each(offered)('of %s %s names its own base and R4', (lob, name) => {
    const statement = capabilityStatement(origins, lob, name);
    expect(statement).toMatchObject({ kind: 'instance', fhirVersion: '4.0.1', status: 'active' });
    expect(statement.implementation.url).toMatch(
      new RegExp(`^https://${lob.toLowerCase()}\\.api\\.example\\.org/extfhir[a-z]+/v1$`),
    );
    expect(statement.name).toMatch(/^[A-Z][A-Za-z0-9_]*$/);
  });

  it('names every interaction there is a route for, once, and no other', () => {
    for (const name of interfaceNames) {
      const [rest] = capabilityStatement(origins, 'DSNP', name).rest;
      const named = (rest?.resource ?? []).flatMap(({ type, interaction }) =>
        interaction.map(({ code }) => `${type}.${code}`),
      );
      const routed = new Set(
        fhirRoutes
          .filter((route) => route.interface === name && route.operation.includes('.'))
          .map((route) => route.operation),
      );
      expect(named.sort()).toEqual([...routed].sort());
    }
  });

  it('sends SMART clients to the LOB’s authorization server, and directory clients nowhere', () => {
    const [rest] = capabilityStatement(origins, 'MAPD', 'patient-access').rest;
    expect(rest?.security).toMatchObject({
      cors: true,
      service: [{ coding: [{ code: 'SMART-on-FHIR' }] }],
      extension: [
        {
          extension: [
            { url: 'authorize', valueUri: 'https://auth.example.org/fhir-oauth2/sec/mapd/authorize' },
            { url: 'token', valueUri: 'https://auth.example.org/fhir-oauth2/pub/mapd/token' },
            { url: 'introspect', valueUri: 'https://auth.example.org/fhir-oauth2/pub/mapd/introspect' },
            { url: 'revoke', valueUri: 'https://auth.example.org/fhir-oauth2/pub/mapd/revoke' },
          ],
        },
      ],
    });
    const [directory] = capabilityStatement(origins, 'MAPD', 'provider-directory').rest;
    expect(JSON.stringify(directory)).not.toMatch(/oauth|SMART/i);
  });
});
