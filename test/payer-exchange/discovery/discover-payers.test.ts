import { describe, expect, it } from 'vitest';
import { discoverPayers } from '../../../lambdas/payer-exchange/discovery/discover-payers.ts';
import type { PayerWebAnswer } from '../../../lambdas/payer-exchange/discovery/payer-web-port.ts';
import {
  answerOf,
  base,
  capabilities,
  configuration,
  naic,
  published,
  redirectTo,
  smartConfiguration,
  webOf,
} from '../payer-web.ts';

const domain = 'https://former.test';
const wellKnown = `${domain}/.well-known/davinci-configuration`;

describe('a payer', () => {
  it('is found by its davinci-configuration, with its token endpoint and its version', async () => {
    const { found, faults } = await discoverPayers(webOf(published()), `${domain}/`, [naic('54321')]);
    expect(faults).toEqual([]);
    expect(found).toEqual([
      {
        name: 'Former Plan',
        identifiers: [naic('54321')],
        fhirBase: base,
        tokenEndpoint: smartConfiguration.token_endpoint,
        version: '2.2',
      },
    ]);
  });

  it.each([
    [
      'of the newest supported version',
      { 'davinci_pdex_payer_endpoint#2.1': base, 'davinci_pdex_payer_endpoint#9.0': 'https://x.test' },
      '2.1',
    ],
    ['without a version, which its CapabilityStatement names', { davinci_pdex_payer_endpoint: base }, '2.1'],
    ['under the older key', { davinci_payer_to_payer_endpoint: base }, '2.1'],
  ])('is found by its endpoint %s', async (_which, endpoints, version) => {
    const web = webOf({ ...published(), [wellKnown]: { identifier: naic('54321'), endpoints } });
    expect((await discoverPayers(web, domain)).found).toMatchObject([{ fhirBase: base, version }]);
  });

  it('is found by a payer index, each endpoint once, with its identifiers at the first', async () => {
    const other = 'https://api.former.test/medicaid/fhir';
    const group = (address: string, name: string) => ({
      plan_endpoints: { davinci_pdex_payer_endpoint: address },
      plan_identifiers: { plan_name: name },
    });
    const { [wellKnown]: _none, ...rest } = published();
    const web = webOf({
      ...rest,
      [`${domain}/.well-known/payer-index`]: {
        copied_from_url: null,
        identifier: [
          {
            system: 'https://directory.cms.gov/payer_identification_system/fpi',
            value: 'x',
            is_fpi: true,
            payerLegalName: 'Former Plan, Inc.',
            payerContactWebsite: 'https://former.test/help',
          },
          { system: 'https://directory.cms.gov/payer_identification_system/naic_id', value: '54321' },
        ],
        plan_groups: [group(base, 'Gold'), group(base, 'Silver'), group(other, 'Medicaid')],
      },
      [`${other}/.well-known/smart-configuration`]: smartConfiguration,
      [`${other}/metadata`]: capabilities,
    });
    expect((await discoverPayers(web, domain)).found).toMatchObject([
      {
        name: 'Former Plan, Inc.',
        fhirBase: base,
        identifiers: [naic('54321')],
        contact: 'https://former.test/help',
      },
      { name: 'Medicaid', fhirBase: other, identifiers: [] },
    ]);
  });

  it('is found at its FHIR base where it publishes nothing else', async () => {
    const { [wellKnown]: _none, ...rest } = published();
    const { found } = await discoverPayers(webOf(rest), base);
    expect(found).toMatchObject([{ fhirBase: base, identifiers: [], version: '2.1' }]);
  });

  it('is found behind a redirect to a public host', async () => {
    const web = webOf({
      ...published(),
      [wellKnown]: redirectTo('https://www.former.test/payer.json'),
      'https://www.former.test/payer.json': configuration(),
    });
    expect((await discoverPayers(web, domain)).found).toHaveLength(1);
  });
});

const failed = (code: Extract<PayerWebAnswer, { kind: 'failed' }>['code']) => ({ kind: 'failed', code });
const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;

describe('an operator is told why nothing was found', () => {
  it.each<[string, object, string]>([
    ['answers slowly', failed('too-slow'), 'too-slow'],
    ['answers endlessly', failed('too-large'), 'too-large'],
    ['is not on the internet', failed('not-public'), 'not-public'],
    ['is away', failed('unreachable'), 'unreachable'],
    ['fails', answerOf('', { status: 500 }), 'wrong-status'],
    ['is 50,000 levels deep', answerOf(deep), 'too-deep'],
    ['has a name twice', answerOf('{"identifier":1,"identifier":2}'), 'too-deep'],
    ['has no identifier', { endpoints: {} }, 'wrong-configuration'],
    ['has another shape', { identifier: naic('54321'), endpoints: [base] }, 'wrong-configuration'],
    ['has no endpoint for payers', configuration('davinci_pdex_patient_endpoint'), 'no-payer-endpoint'],
    ['names our own host', configuration(undefined, 'https://dsnp.api.plan.example/x'), 'own-host'],
    [
      'names our own host in capitals, with a dot',
      configuration(undefined, 'https://AUTH.plan.example./x'),
      'own-host',
    ],
    ['names http', configuration(undefined, 'http://api.former.test/p2p/fhir'), 'not-https'],
    ['names a port', configuration(undefined, 'https://api.former.test:8443/fhir'), 'not-https'],
    ['names a user', configuration(undefined, 'https://me@api.former.test/fhir'), 'not-https'],
    ['names no URL', configuration(undefined, 'fhir'), 'not-https'],
    ['redirects to our own host', redirectTo('https://token.plan.example/x'), 'own-host'],
    ['redirects to http', redirectTo('http://former.test/x'), 'not-https'],
    ['redirects to this machine', redirectTo('http://localhost:8080/x'), 'not-https'],
    ['redirects for ever', redirectTo(wellKnown), 'too-many-redirects'],
    ['redirects nowhere', answerOf('', { status: 302 }), 'wrong-status'],
  ])('whose document %s', async (_how, answer, code) => {
    for (const loopback of [false, true]) {
      const { found, faults } = await discoverPayers(
        webOf({ ...published(), [wellKnown]: answer }, loopback),
        domain,
      );
      expect(found).toEqual([]);
      expect(faults).toMatchObject([{ code }]);
    }
  });

  it.each<[string, string, object, string]>([
    [
      'no SMART configuration',
      '/.well-known/smart-configuration',
      answerOf('', { status: 404 }),
      'wrong-status',
    ],
    ['no token endpoint', '/.well-known/smart-configuration', {}, 'no-token-endpoint'],
    [
      'our token endpoint',
      '/.well-known/smart-configuration',
      { ...smartConfiguration, token_endpoint: 'https://token.plan.example/token/v2' },
      'own-host',
    ],
    [
      'secrets only',
      '/.well-known/smart-configuration',
      { ...smartConfiguration, token_endpoint_auth_methods_supported: ['client_secret_basic'] },
      'no-private-key-jwt',
    ],
    [
      'codes only',
      '/.well-known/smart-configuration',
      { ...smartConfiguration, grant_types_supported: ['authorization_code'] },
      'no-private-key-jwt',
    ],
    [
      'a page for metadata',
      '/metadata',
      answerOf('<html>', { headers: { 'content-type': 'text/html' } }),
      'not-json',
    ],
    ['a list for metadata', '/metadata', answerOf('[]'), 'not-json'],
    ['DSTU2', '/metadata', { ...capabilities, fhirVersion: '1.0.2' }, 'not-r4'],
    ['no match of members', '/metadata', { ...capabilities, rest: [] }, 'no-member-match'],
  ])('whose base has %s', async (_what, path, answer, code) => {
    const web = webOf({ ...published(), [`${base}${path}`]: answer });
    expect(await discoverPayers(web, domain)).toMatchObject({ found: [], faults: [{ code }] });
  });

  it('that has another identifier than the requested one, and its base is not called', async () => {
    const web = webOf(published());
    const { faults } = await discoverPayers(web, domain, [naic('11111')]);
    expect(faults).toMatchObject([{ code: 'other-identifier' }]);
    expect(web.asked).toEqual([wellKnown]);
  });

  it('whose version is unknown', async () => {
    const { implementationGuide: _none, ...unversioned } = capabilities;
    const web = webOf({
      ...published(),
      [wellKnown]: configuration('davinci_pdex_payer_endpoint#3.0'),
      [`${base}/metadata`]: unversioned,
    });
    expect((await discoverPayers(web, domain)).faults).toMatchObject([{ code: 'version-unknown' }]);
  });

  it('where it publishes nothing and is no base', async () => {
    const web = webOf({});
    expect((await discoverPayers(web, domain)).faults).toEqual([
      { code: 'no-configuration', address: domain },
    ]);
  });

  it('of our own host, without a request to it', async () => {
    const web = webOf({});
    expect((await discoverPayers(web, 'https://dsnp.api.plan.example')).faults).toMatchObject([
      { code: 'own-host' },
    ]);
    expect(web.asked).toEqual([]);
  });
});
