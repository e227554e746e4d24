import { describe, expect, it } from 'vitest';
import { patientAccessTypes } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { cohortMembers } from '../../lambdas/catalog/payer/payer-cohort.ts';
import type { PostmanItem } from '../../portal-static/build/documents/postman.ts';
import { member, operationsOf, postman, service } from './documents.ts';

const items = postman.item.flatMap(({ item }) => item);
const variables = new Map(postman.variable.map(({ key, value }) => [key, value]));
const operations = operationsOf(member);

/** Names of the requests for an operation: the token endpoint has one for each grant type, every other operation has one. */
const namesOf = (summary: string) =>
  summary === 'Token request (authorization code, refresh token)'
    ? ['Token request: authorization code', 'Token request: refresh token']
    : [summary];

function item(summary: string): PostmanItem {
  const found = items.find(({ name }) => namesOf(summary).includes(name));
  if (found === undefined) throw new Error(`no request is called ${summary}`);
  return found;
}

/** The address of a request without its query, with variables filled in as Postman does. */
function address({ request }: PostmanItem): string {
  const filled = request.url.raw.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? '');
  // The value of a variable may contain another variable.
  return (filled.split('?')[0] ?? '').replace(
    /\{\{(\w+)\}\}/g,
    (_, name: string) => variables.get(name) ?? '',
  );
}

/** Variable for the ID in a path. In Payer Access the ID of a Patient comes from a match. */
const idOf = (path: string, type: string) =>
  path.includes('payeraccess') && type === 'Patient' ? 'matched_patient_id' : `${type.toLowerCase()}_id`;

describe('postman-collection.json', () => {
  it('has a request for every operation, in a folder of its tag', () => {
    expect(items.map(({ name }) => name).sort()).toEqual(
      operations.flatMap(({ operation }) => namesOf(operation.summary ?? '')).sort(),
    );
    for (const folder of postman.item.slice(0, -1)) {
      for (const { name } of folder.item) {
        const found = operations.find(({ operation }) => namesOf(operation.summary ?? '').includes(name));
        expect(found?.operation.tags, name).toEqual([folder.name]);
      }
    }
  });

  it('can be run from its first request to its last: tokens before their use, their end at the end', () => {
    const place = (name: string) => items.findIndex((each) => each.name === name);
    expect(place('Token request: authorization code')).toBeLessThan(place('Token request: refresh token'));
    expect(place('Token request: refresh token')).toBeLessThan(place('Read a Patient'));
    for (const type of patientAccessTypes.filter((each) => each !== 'Patient')) {
      const read = items.findIndex(({ name }) => new RegExp(`^Read an? ${type}$`).test(name));
      expect(read, type).toBeGreaterThan(place('Search ExplanationOfBenefit'));
      expect(read, type).toBeGreaterThan(place('All data of a Patient'));
      expect(variables.has(`${type.toLowerCase()}_id`)).toBe(true);
    }
    expect(postman.item.at(-1)?.item.map(({ name }) => name)).toEqual(['Revoke a token']);
    const payer = [
      ...['Match a member', 'Match many members', 'Get the status of a job', 'Download a file of a job'],
      ...[
        'Search Coverage of a matched member',
        'Search groups',
        'Read a group',
        'Export the data of a group',
      ],
      'Cancel a job',
    ];
    expect([...payer].sort((one, other) => place(one) - place(other))).toEqual(payer);
    const kept = [...JSON.stringify(postman.event).matchAll(/set\('(\w+)'/g)].map(([, name]) => name);
    expect(kept).toEqual([
      ...['access_token', 'token', 'patient_id', 'refresh_token'],
      ...['matched_patient_id', 'job_id', 'job_file'],
    ]);
    for (const name of kept) expect(variables.has(name ?? '')).toBe(true);
  });

  it('calls the sandbox’s own addresses with its variables filled in', () => {
    const { auth, token, apiTemplate } = service.environments.sandbox.origins;
    const dsnp = apiTemplate.replace('{lob}', 'dsnp');
    for (const { operation, path, method } of operations) {
      const request = item(operation.summary ?? '');
      const [, type = ''] = /\/(\w+)\/\{id\}/.exec(path) ?? [];
      const filled = path
        .replace('{lob}', 'dsnp')
        .replace('{id}', variables.get(idOf(path, type)) ?? '')
        .replace('{job}/files/{file}', '/files/')
        .replace('{job}', '')
        .replace('{versionId}', '1')
        .replace('{publication}', 'from-a-manifest')
        .replace('{folder}/{file}', 'bulk/Location-001.ndjson')
        .replace('{contract}/{year}', 'H0000/2026')
        .replace('{operation}', '$everything');
      const hosts = [auth, token, dsnp].map((host) => `${host}${filled}`);
      expect(hosts, path).toContain(address(request));
      expect(request.request.method).toBe(method);
      expect(address(request).startsWith(dsnp), path).toBe(/^\/(ext|v1)/.test(path));
      expect(address(request).startsWith(token), path).toBe(
        operation.tags?.[0] === 'Machine to machine' || /^\/\.well-known\/[^/]+$/.test(path),
      );
    }
  });

  it('matches a member of the sandbox for another payer, and names the member in each search by form', () => {
    const bodyOf = (name: string) => JSON.stringify(item(name).request.body);
    const { number, family } = cohortMembers.matched;
    for (const name of ['Match a member', 'Match many members']) {
      for (const text of [number, family, '{{organization_npi}}']) expect(bodyOf(name)).toContain(text);
    }
    const forms = items.filter(({ name }) => /of a matched member with POST$/.test(name));
    expect(forms.length).toBeGreaterThan(20);
    const shared = [
      'Organization',
      'Practitioner',
      'Location',
      'Medication',
      'PractitionerRole',
      'Provenance',
    ];
    const ofMembers = forms.filter(({ name }) => !shared.includes(name.split(' ')[1] ?? ''));
    for (const { name } of ofMembers.filter((each) => each.request.body?.mode === 'urlencoded')) {
      expect(bodyOf(name), name).toMatch(/"(_id|patient)","value":"\{\{matched_patient_id\}\}"/);
    }
  });

  it('has no address that a fragment would cut', () => {
    expect(items.map(({ request }) => request.url.raw).filter((raw) => raw.includes('#'))).toEqual([]);
  });

  it('uses only variables it has', () => {
    const used = [...JSON.stringify(postman).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter((name) => !variables.has(name))).toEqual([]);
  });

  it('sends the subscription key and a token where the operation asks for them, and nowhere else', () => {
    for (const { operation } of operations) {
      const { request } = item(operation.summary ?? '');
      const schemes = Object.keys(Object.assign({}, ...(operation.security ?? [])));
      const keys = request.header.filter(({ key }) => key === 'x-api-subscription-key');
      expect(keys, operation.summary).toHaveLength(schemes.includes('subscriptionKey') ? 1 : 0);
      expect(request.auth === undefined, operation.summary).toBe(schemes.includes('memberToken'));
      expect(request.auth?.type === 'bearer', operation.summary).toBe(schemes.includes('backendToken'));
    }
  });

  it('gets a member’s token by the authorization code grant with PKCE, and says for which server', () => {
    if (postman.auth.type !== 'oauth2') throw new Error('no OAuth 2.0');
    const settings = new Map(postman.auth.oauth2.map(({ key, value }) => [key, value]));
    expect(settings.get('grant_type')).toBe('authorization_code_with_pkce');
    expect(settings.get('challengeAlgorithm')).toBe('S256');
    expect(settings.get('authUrl')).toBe('{{auth_url}}/fhir-oauth2/sec/{{lob}}/authorize');
    expect(settings.get('accessTokenUrl')).toBe('{{auth_url}}/fhir-oauth2/pub/{{lob}}/token');
    expect(settings.get('authRequestParams')).toEqual([
      { key: 'aud', value: '{{base_url}}/extfhirpatientaccess/v1', enabled: true, send_as: 'request_url' },
    ]);
  });

  it('writes down no secret and no key', () => {
    for (const name of [
      'client_id',
      'client_secret',
      'subscription_key',
      'access_token',
      'payer_access_token',
      'refresh_token',
      'token',
    ]) {
      expect(variables.get(name), name).toBe('');
    }
  });
});
