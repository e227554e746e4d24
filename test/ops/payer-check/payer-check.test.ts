import { describe, expect, it } from 'vitest';
import { fhirRefusals } from '../../../lambdas/catalog/fhir/fhir-refusals.ts';
import { cohortCase } from '../../../lambdas/catalog/payer/payer-cohort.ts';
import {
  cohortBulkBody,
  cohortMatchBody,
  cohortParameters,
} from '../../../lambdas/catalog/payer/payer-cohort-requests.ts';
import type { HttpResponse } from '../../../ops/http/client.ts';
import { tryOwnRequest } from '../../../ops/payer-check/own-request.ts';
import { createPartner } from '../../../ops/payer-check/partner.ts';
import { payerCheckProgram, payerChecks, runPayerChecks } from '../../../ops/payer-check/payer-check.ts';
import { type Change, type Faults, scriptedCredentials, scriptedPayer } from './scripted-payer.ts';

const run = (faults: Faults = {}) =>
  runPayerChecks(createPartner(scriptedCredentials, scriptedPayer(faults)));

const status =
  (to: number): Change =>
  (response) => ({ ...response, status: to });
const header =
  (name: string, value?: string): Change =>
  (response) => ({ ...response, headers: { ...response.headers, [name]: value } });
const text =
  (from: string | RegExp, to: string): Change =>
  (response) => ({ ...response, body: response.body.replace(from, to) });
const body =
  (to: string): Change =>
  (response) => ({ ...response, body: to });
const found = '{"resourceType":"Bundle","total":1,"entry":[{"resource":{"resourceType":"Condition"}}]}';
const token: Change = (response) => ({ ...response, status: 200, body: '{"access_token":"right"}' });

/** For each check a fault of a payer that this check must find: the response, and its change. */
const faultOf: Readonly<Record<string, readonly [response: string, change: Change]>> = {
  'SMART configuration names client_credentials and private_key_jwt': [
    'smart',
    text('private_key_jwt', 'none'),
  ],
  'CapabilityStatement is of FHIR 4.0.1 and has Patient and Group': ['metadata', text('4.0.1', '5.0.0')],
  'each operation has the URL of its OperationDefinition': [
    'metadata',
    text('OperationDefinition/export', 'export'),
  ],
  'a token by private_key_jwt': ['token', text('300', '86400')],
  'an assertion for another audience is refused': ['token:audience', token],
  'an expired assertion is refused': ['token:expired', token],
  'an assertion is accepted once': ['token:replay', token],
  'an assertion that another key signed is refused': ['token:signature', token],
  'a scope of members’ applications is refused': ['token:scope', token],
  'a call without a token is refused': ['no-token', status(404)],
  'a call with a token that nobody issued is refused': ['wrong-token', status(200)],
  'your organization is verified, and a group names it': [
    'file:match:output:Group',
    text(/"identifier":\[\{.*?\}\],/g, ''),
  ],
  'a member who matches: MemberIdentifier of type MB': ['match:90000001', text('MB', 'MR')],
  'another birth date does not match': ['match:different', status(200)],
  'two records that the rules cannot tell apart do not match': ['match:twice', status(409)],
  'a consent that has expired is not honored': ['match:expired', status(200)],
  'a consent for another recipient is not honored': ['match:other-recipient', status(403)],
  'a consent of another member is not honored': ['match:other-patient', status(200)],
  'a member who is unknown gets the answer of one who differs': [
    'match:unknown',
    text('processing', 'not-found'),
  ],
  'a match without a Consent is invalid': ['match:no-consent', status(422)],
  'a body that is not Parameters is invalid': ['match:not-parameters', status(500)],
  'a matched member’s Patient can be read': ['patient', text('p-90000001', 'another')],
  'a member who is not matched cannot be read': ['patient:other', status(403)],
  'claims come without amounts': ['claims', text('"sequence":1', '"amount":{"value":1}')],
  'a consent for regular data withholds labeled conditions': ['conditions:regular', body(found)],
  'a consent for sensitive data releases them': ['conditions:sensitive', body('{"resourceType":"Bundle"}')],
  'a bulk match without Prefer: respond-async is invalid': ['bulk:no-prefer', status(202)],
  'a bulk match without a MemberBundle is invalid': ['bulk:empty', status(202)],
  'a bulk match groups members by their outcome': [
    'file:match:output:Group',
    text(/"quantity":3/g, '"quantity":2'),
  ],
  'a broken MemberBundle is reported, and stops no other': [
    'file:match:error:OperationOutcome',
    text('MemberBundle 8', 'a bundle'),
  ],
  'the manifest of a match has every key': ['manifest:match', text('"transactionTime"', '"time"')],
  'a group can be read': ['group', text('g.match', 'another')],
  'a search lists your groups': ['groups', text('g.match', 'another')],
  'a group that is not yours is not found': ['group:other', status(403)],
  'a group that is not yours cannot be exported': ['export:group', status(202)],
  'an export with another exportType is invalid': ['export:type', status(202)],
  'a _typeFilter that is not supported is refused': ['export:filter', text('_typeFilter', 'a parameter')],
  'a patient outside the group is refused': ['export:patient', status(202)],
  'a running job has X-Progress and Retry-After': ['job:running', header('x-progress')],
  'the manifest of an export has every key': ['manifest:export', text('"error"', '"errors"')],
  'counts in the manifest are the lines of the files': ['manifest:export', text('"count":2', '"count":3')],
  'each file has resources of its type alone': ['file:export:output:Coverage', text('Coverage', 'Patient')],
  'files are NDJSON, compressed with gzip': ['file:export:output:Patient', header('content-encoding')],
  'a file without a token is refused': ['no-token:file', status(307)],
  '_type limits an export to its types': ['manifest:export', text('"Coverage"', '"Condition"')],
  '_typeFilter limits its type to what the search finds': [
    'manifest:export',
    text('"Patient"', '"Coverage"'),
  ],
  '_since leaves out what has not changed': ['manifest:export', text('"output":[]', '"output":[{}]')],
  'a running job can be cancelled, and is gone then': ['job:gone:GET', status(200)],
  'a job that has ended can be deleted, and its files are gone then': ['file:gone', status(307)],
  'too many jobs at once are refused with 429 and Retry-After': ['quota', header('retry-after')],
};

describe('the self-test of payers', () => {
  it('passes where a payer answers as the guides say', async () => {
    const failed = (await run()).filter(({ isPassed }) => !isPassed);
    expect(failed).toEqual([]);
  });

  it('has a fault for each check, and each check a name of its own', () => {
    expect(payerChecks.map(({ name }) => name)).toEqual(Object.keys(faultOf));
  });

  it.each(Object.entries(faultOf))('fails on a fault: %s', async (name, [response, change]) => {
    const verdict = (await run({ [response]: change })).find((each) => each.name === name);
    expect(verdict).toMatchObject({ isPassed: false });
    expect(verdict?.reason).toMatch(/^expected .+, received /s);
  });

  it('stops at a token that is refused, says what the assertion had, and waits as a 503 says', async () => {
    const waits: number[] = [];
    const { http, ...ports } = scriptedPayer({ token: (response) => ({ ...response, status: 401 }) });
    const busy = new Set<string>();
    const partner = createPartner(scriptedCredentials, {
      ...ports,
      http: async (request) => {
        if (busy.has(request.url)) return await http(request);
        busy.add(request.url);
        return { status: 503, headers: { 'retry-after': '7' }, body: '' };
      },
      wait: async (seconds) => void waits.push(seconds),
    });
    const verdicts = await runPayerChecks(partner, () => {}, true);
    const last = verdicts.at(-1);
    expect(verdicts.filter(({ isPassed }) => !isPassed)).toEqual([last]);
    expect(last).toMatchObject({ name: 'a token by private_key_jwt', isPassed: false });
    expect(last?.reason).toMatch(/received 401 .*kid one, alg ES384, iss client, sub client, aud https:/s);
    expect(waits.length).toBeGreaterThan(0);
    expect(new Set(waits)).toEqual(new Set([7]));
  });

  it.each([
    ['an empty object', { status: 200, headers: {}, body: '{}' }],
    [
      'an OperationOutcome of 404',
      { status: 404, headers: {}, body: '{"resourceType":"OperationOutcome","issue":[{}]}' },
    ],
    ['a page', { status: 500, headers: {}, body: '<html>' }],
  ] satisfies readonly (readonly [
    string,
    HttpResponse,
  ])[])('fails each check where everything is answered with %s', async (_, response) => {
    const passed = (await run({ '*': () => response })).filter(({ isPassed }) => isPassed);
    expect(passed).toEqual([]);
  });

  it.each([
    [['--base', 'https://dsnp.example.org'], '--base, --key, --client and --jwk are required'],
    [['--bse', 'x'], "Unknown option '--bse'"],
    [['--key', '--client', 'c'], "Option '--key' argument is ambiguous"],
    [['--base', 'dsnp', '--key', '-k', '--client', '--c', '--jwk', 'k.json'], '--base must be an address'],
    [
      ['--base', 'dsnp', '--key', 'k', '--client', 'c', '--jwk', 'k.json'],
      '--base must be an address such as https://dsnp.api.sandbox.example.org',
    ],
    [
      ['--base', 'https://example.org', '--key', 'k', '--client', 'c', '--jwk', 'k.json'],
      'the host does not begin with a line of business; give --lob',
    ],
    [
      ['--base', 'https://dsnp.example.org', '--key', 'k', '--client', 'c', '--jwk', 'none.json'],
      '--jwk: none.json is not a private key as a JWK',
    ],
  ])('says what is wrong with %j', async (args, message) => {
    const lines: string[] = [];
    const code = await payerCheckProgram(args, { out: () => {}, err: (line) => void lines.push(line) });
    expect(code).toBe(2);
    expect(lines.join()).toContain(message);
  });
});

describe('a partner’s own request', () => {
  const bodies: string[] = [];
  const attempt = async (kind: 'match' | 'bulk', body: string, response?: HttpResponse) => {
    const { http, ...ports } = scriptedPayer();
    const partner = createPartner(scriptedCredentials, {
      ...ports,
      async http(request) {
        if (!request.url.includes('-match')) return await http(request);
        bodies.push(request.body ?? '');
        return response ?? (await http(request));
      },
    });
    const { isMatched, lines } = await tryOwnRequest(partner, kind, body);
    return [isMatched, lines.join('\n')] as const;
  };
  const outcomeOf = (status: number, code: string, diagnostics: string): HttpResponse => ({
    status,
    headers: {},
    body: JSON.stringify({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code, diagnostics, expression: ['Consent.status'] }],
    }),
  });
  const npi = { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' };
  const matched = cohortParameters(cohortCase('match'), 'DSNP', npi);
  const matching = JSON.stringify(cohortMatchBody(matched), undefined, 3);

  it('is sent as it is, and a match is printed', async () => {
    const [isMatched, text] = await attempt('match', matching);
    expect([isMatched, bodies.at(-1)]).toEqual([true, matching]);
    expect(text).toMatch(/member-match: 200\nThe member is matched\.\n {2}MemberIdentifier: .*DSNP/);
  });

  it('is explained where it is refused: the rule it breaks, and never a reason about a member', async () => {
    const { diagnostics } = fhirRefusals['member-not-matched'];
    const [, unmatched] = await attempt('match', '{}', outcomeOf(422, 'processing', diagnostics));
    expect(unmatched).toContain('breaks no rule, and no member is matched');
    const [isMatched, faulty] = await attempt(
      'match',
      '{}',
      outcomeOf(422, 'business-rule', 'status is draft'),
    );
    expect(isMatched).toBe(false);
    expect(faulty).toMatch(
      /breaks the rules below.*\n {2}error business-rule: status is draft \(Consent\.status\)/,
    );
    expect((await attempt('match', 'no JSON', outcomeOf(400, 'invalid', 'x')))[1]).toContain('is malformed');
    expect((await attempt('bulk', '{}', { status: 500, headers: {}, body: '<html>' }))[1]).toContain(
      'expected',
    );
  });

  it('of many members is waited for: its groups, and what is wrong with single ones', async () => {
    const [isMatched, text] = await attempt('bulk', JSON.stringify(cohortBulkBody([matched, []])));
    expect(text).toMatch(/bulk-member-match: 202\n/);
    expect(text).toContain('Group/g.match');
    expect(text).toContain('MemberBundle 2: broken');
    expect(isMatched).toBe(true);
  });

  it('is one file that can be read', async () => {
    const errors: string[] = [];
    const needed = [
      '--base',
      'https://dsnp.example.org',
      '--key',
      'k',
      '--client',
      'c',
      '--jwk',
      'none.json',
    ];
    const io = { out: () => {}, err: (text: string) => void errors.push(text) };
    expect(await payerCheckProgram([...needed, '--match', 'a', '--bulk', 'b'], io)).toBe(2);
    expect(errors[0]).toContain('none.json is not a private key');
  });
});
