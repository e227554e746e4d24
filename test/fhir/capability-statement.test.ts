import { describe, expect, it } from 'vitest';
import {
  type PatientAccessType,
  patientAccessTypes,
  servedResource,
} from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { fhirRoutes } from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { type Interface, interfaceNames, offers } from '../../lambdas/catalog/fhir/interfaces.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import type { SubscriptionKeyRequirement } from '../../lambdas/catalog/subscription-key-requirements.ts';
import { capabilityStatement } from '../../lambdas/fhir/capability-statement.ts';
import { payerCapabilities } from '../../lambdas/payer-access/payer-capabilities.ts';
import { directoryCapabilities } from '../../lambdas/provider-directory/search/directory-capabilities.ts';

const origins = {
  auth: 'https://auth.example.org',
  token: 'https://token.example.org',
  apiTemplate: 'https://{lob}.api.example.org',
};
const host = (lob: LineOfBusiness, subscriptionKey: SubscriptionKeyRequirement = 'required') => ({
  origins,
  lob,
  subscriptionKey,
});
function restOf(...described: Parameters<typeof capabilityStatement>) {
  const [rest] = capabilityStatement(...described).rest ?? [];
  if (rest === undefined) throw new Error('a statement describes one server');
  return rest;
}
const offered = lineOfBusinessCodes.flatMap((lob) =>
  interfaceNames.filter((name) => offers(lob, name)).map((name) => [lob, name] as const),
);

describe('the CapabilityStatement', () => {
  it.each(offered)('of %s %s names its own base and R4', (lob, name) => {
    const statement = capabilityStatement(host(lob), name);
    expect(statement).toMatchObject({ kind: 'instance', fhirVersion: '4.0.1', status: 'active' });
    expect(statement.implementation?.url).toMatch(
      new RegExp(`^https://${lob.toLowerCase()}\\.api\\.example\\.org/extfhir[a-z]+/v1$`),
    );
    expect(statement.name).toMatch(/^[A-Z][A-Za-z0-9_]*$/);
  });

  it('names every interaction and operation there is a route for, once, and no other', () => {
    for (const name of interfaceNames) {
      const isDirectory = name === 'provider-directory';
      const others = { 'provider-directory': directoryCapabilities, 'payer-access': payerCapabilities };
      const rest = restOf(host('DSNP'), name, name === 'patient-access' ? [] : others[name]());
      const named = (rest.resource ?? []).flatMap(({ type, interaction = [], operation = [] }) => [
        ...interaction.map(({ code }) => `${isDirectory ? 'directory.' : ''}${type}.${code}`),
        ...operation.map((each) => `${type}.${each.name}`),
      ]);
      const routed = new Set(
        fhirRoutes
          .filter((route) => route.interface === name && route.operation.includes('.'))
          .filter(({ path }) => !path.includes('/public/'))
          .map((route) => route.operation),
      );
      named.push(...(rest.operation ?? []).map((each) => `publication.${each.name}`));
      expect(named.sort()).toEqual([...routed].sort());
    }
  });

  const typesOf = (name: (typeof interfaceNames)[number]) => restOf(host('DSNP'), name).resource ?? [];

  it('has for each type what the table of resources has: parameters, includes, profiles', () => {
    for (const resource of typesOf('patient-access')) {
      const row = servedResource(resource.type as PatientAccessType);
      const profiles = resource.supportedProfile ?? [];
      expect(profiles.filter((profile) => profile.includes('|'))).toEqual(row.supportedProfiles);
      // Some clients compare a profile's URL without its version, so both are listed.
      expect(profiles.filter((profile) => !profile.includes('|'))).toEqual([
        ...new Set(row.supportedProfiles.map((profile) => profile.split('|')[0])),
      ]);
      expect(resource.searchRevInclude ?? []).toEqual(row.revIncludes);
      const includes = row.includes.length === 0 ? [] : [...row.includes, '*'];
      expect(resource.searchInclude ?? []).toEqual(includes.map((each) => `${resource.type}:${each}`));
      const expected = row.interactions.includes('search-type')
        ? ['_id', '_lastUpdated', '_source', ...row.searchParameters.map(({ name }) => name)]
        : [];
      expect((resource.searchParam ?? []).map(({ name }) => name)).toEqual(expected);
    }
    expect(typesOf('patient-access').map(({ type }) => type)).toEqual([...patientAccessTypes]);
    const [payerPatient, ...payerTypes] = typesOf('payer-access');
    const served = ({
      type,
      interaction,
      searchParam,
    }: {
      type: string;
      interaction?: unknown;
      searchParam?: unknown;
    }) => ({
      ...{ type, interaction, searchParam },
    });
    expect(typesOf('payer-access').slice(0, -1).map(served)).toEqual(typesOf('patient-access').map(served));
    expect([
      { type: payerPatient?.type, operation: payerPatient?.operation },
      ...payerTypes.slice(-1),
    ]).toEqual([
      {
        type: 'Patient',
        operation: [
          {
            name: 'everything',
            definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
          },
          {
            name: 'member-match',
            definition: 'http://hl7.org/fhir/us/davinci-hrex/OperationDefinition/member-match',
          },
        ],
      },
      {
        type: 'Group',
        operation: [
          {
            name: 'bulk-member-match',
            definition: 'http://hl7.org/fhir/us/davinci-pdex/OperationDefinition/BulkMemberMatch',
          },
          {
            name: 'davinci-data-export',
            definition: 'http://hl7.org/fhir/us/davinci-atr/OperationDefinition/davinci-data-export',
          },
          {
            name: 'export',
            definition: 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition/group-export',
          },
        ],
      },
    ]);
  });

  it('defines every parameter by a URL, a type and words, each name once (cpb-12)', () => {
    for (const { searchParam = [] } of typesOf('patient-access')) {
      expect(new Set(searchParam.map(({ name }) => name)).size).toBe(searchParam.length);
      for (const { type, definition, documentation } of searchParam) {
        expect(['date', 'reference', 'string', 'token', 'uri']).toContain(type);
        if (definition !== undefined)
          expect(definition).toMatch(
            /^http:\/\/hl7\.org\/fhir\/(us\/(carin-bb|core|davinci-pdex)\/)?SearchParameter\//,
          );
        expect(documentation).not.toBe('');
      }
    }
  });

  it('claims CARIN Blue Button and US Core for Patient Access, Plan-Net for the directory, and defines $everything and $docref', () => {
    const claims = interfaceNames.map((name) => capabilityStatement(host('DSNP'), name).instantiates);
    expect(claims).toEqual([
      [
        'http://hl7.org/fhir/us/carin-bb/CapabilityStatement/c4bb',
        'http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server',
      ],
      undefined,
      ['http://hl7.org/fhir/us/davinci-pdex-plan-net/CapabilityStatement/plan-net'],
    ]);
    const patient = typesOf('patient-access').find(({ type }) => type === 'Patient');
    expect(patient?.operation).toEqual([
      { name: 'everything', definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything' },
    ]);
    const documents = typesOf('patient-access').find(({ type }) => type === 'DocumentReference');
    expect(documents?.operation).toEqual([
      { name: 'docref', definition: 'http://hl7.org/fhir/us/core/OperationDefinition/docref' },
    ]);
  });

  it('sends SMART clients to the LOB’s authorization server, and directory clients nowhere', () => {
    const rest = restOf(host('MAPD'), 'patient-access');
    expect(rest.security).toMatchObject({
      cors: true,
      service: [{ coding: [{ code: 'SMART-on-FHIR' }] }],
      extension: [
        {
          extension: [
            { url: 'authorize', valueUri: 'https://auth.example.org/fhir-oauth2/sec/mapd/authorize' },
            { url: 'token', valueUri: 'https://auth.example.org/fhir-oauth2/pub/mapd/token' },
            { url: 'introspect', valueUri: 'https://auth.example.org/fhir-oauth2/pub/mapd/introspect' },
            { url: 'revoke', valueUri: 'https://auth.example.org/fhir-oauth2/pub/mapd/revoke' },
            { url: 'manage', valueUri: 'https://auth.example.org/fhir-oauth2/sec/mapd/connected-apps' },
          ],
        },
      ],
    });
    const directory = restOf(host('MAPD'), 'provider-directory');
    expect(JSON.stringify(directory)).not.toMatch(/oauth|SMART/i);
  });

  it('says of the subscription key what the environment asks for', () => {
    const words = (name: Interface, demand: SubscriptionKeyRequirement) => {
      const rest = restOf(host('DSNP', demand), name);
      expect(rest.documentation).toContain(rest.security?.description);
      return rest.security?.description;
    };
    expect(words('patient-access', 'required')).toContain('and a subscription key in the header');
    expect(words('patient-access', 'optional')).toContain('x-api-subscription-key is optional');
    // These interfaces have no member's token, so the key is always required.
    for (const name of ['payer-access', 'provider-directory'] as const) {
      expect(words(name, 'optional')).toBe(words(name, 'required'));
    }
  });

  it('sends nobody of Payer Access to a member’s authorization endpoint', () => {
    const rest = restOf(host('DSNP'), 'payer-access');
    expect(JSON.stringify(rest)).not.toMatch(/authorize|SMART/);
    expect(rest.security?.service?.[0]?.coding?.[0]?.code).toBe('OAuth');
  });
});
