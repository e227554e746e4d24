/** A payer in memory that answers the self-test as the guides require. A fault changes one of its responses. */

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { decodeJwt, jwtVerify } from 'jose';
import type { HttpRequest, HttpResponse } from '../../../ops/http/client.ts';
import type { PartnerCredentials, PartnerPorts } from '../../../ops/payer-check/partner-calls.ts';

export type Change = (response: HttpResponse) => HttpResponse;
/** Changes of responses, by the scripted payer's name of the response. */
export type Faults = Readonly<Record<string, Change>>;

const base = 'https://dsnp.api.sandbox.example.org/extfhirpayeraccess/v1';
const tokenEndpoint = 'https://token.sandbox.example.org/token/v2';
const npi = { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' };
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });

export const scriptedCredentials: PartnerCredentials = {
  ...{ base, lob: 'DSNP', subscriptionKey: 'key', clientId: 'client' },
  jwk: { ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES384' },
};

type Json = Readonly<Record<string, unknown>>;
type Named = readonly [
  name: string,
  status: number,
  body: Json | string,
  headers?: Readonly<Record<string, string>>,
];

interface ScriptedJob {
  readonly kind: 'match' | 'export';
  readonly output: readonly Json[];
  readonly error: readonly Json[];
  polls: number;
}

const outcome = { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'processing' }] };
const refusal = (name: string, status: number, headers = {}): Named => [name, status, outcome, headers];
const coding = (code: string) => ({ coding: [{ code }] });

/** The name of the self-test's case with these parameters. */
function caseOf(parameters: readonly { readonly name: string; readonly resource: never }[]) {
  const resource = (name: string) =>
    JSON.stringify(parameters.find((each) => each.name === name)?.resource ?? null);
  const [patient, coverage, consent] = ['MemberPatient', 'CoverageToMatch', 'Consent'].map(resource) as [
    string,
    string,
    string,
  ];
  const number = /"subscriberId":"DSNP(\w+)"/.exec(coverage)?.[1] ?? '';
  const policy = consent.includes('#sensitive') ? 'sensitive' : 'regular';
  const rows = [
    ['broken', patient === 'null'],
    ['unknown', number.startsWith('X')],
    ['different', patient.includes('1951-03-15')],
    ['twice', patient.includes('90000005')],
    ['expired', consent.includes('2020-12-31')],
    ['other-recipient', consent.includes('0000000000')],
    ['other-patient', consent.includes('Patient/2')],
  ] as const;
  const name = rows.find(([, isIt]) => isIt)?.[0] ?? 'match';
  return { name, number, policy };
}

const outcomes: Readonly<Record<string, string>> = {
  match: 'match',
  ...{
    expired: 'consentconstraint',
    'other-recipient': 'consentconstraint',
    'other-patient': 'consentconstraint',
  },
};

/**
 * The payer's connections for the self-test.
 *
 * @param faults changes of responses by name; `*` changes every response.
 */
export function scriptedPayer(faults: Faults = {}): PartnerPorts {
  const used = new Set<unknown>();
  const jobs = new Map<string, ScriptedJob>();
  const files = new Map<string, { readonly name: string; readonly lines: readonly Json[] }>();
  let policyOfSilas = 'regular';
  let count = 0;

  async function tokenFor(body: string): Promise<Named> {
    const form = new URLSearchParams(body);
    const assertion = form.get('client_assertion') ?? '';
    const { aud, exp = 0, jti } = decodeJwt(assertion);
    const error = (name: string, code = 'invalid_client'): Named => [`token:${name}`, 400, { error: code }];
    const isSigned = await jwtVerify(assertion, publicKey as KeyObject, { currentDate: new Date(0) }).then(
      () => true,
      () => false,
    );
    if (aud !== tokenEndpoint) return error('audience');
    if (exp < Date.now() / 1000) return error('expired');
    if (used.has(jti)) return error('replay');
    if (!isSigned) return error('signature');
    if (form.get('scope')?.startsWith('patient/')) return error('scope', 'invalid_scope');
    used.add(jti);
    const token = { access_token: 'right', token_type: 'Bearer', expires_in: 300, scope: 'system/*.rs' };
    return ['token', 200, token, { 'cache-control': 'no-store' }];
  }

  function begin(
    kind: ScriptedJob['kind'],
    output: readonly (readonly Json[])[],
    error: readonly Json[] = [],
  ): Named {
    if ([...jobs.values()].filter(({ polls }) => polls < 2).length >= 5)
      return refusal('quota', 429, { 'retry-after': '60' });
    count += 1;
    const id = `job-${count}`;
    const entry = (lines: readonly Json[], list: string): Json => {
      const type = String(lines[0]?.resourceType);
      const url = `${base}/jobs/${id}/files/${type}`;
      files.set(url, { name: `file:${kind}:${list}:${type}`, lines });
      return { type, url, count: lines.length };
    };
    const errors = error.length === 0 ? [] : [entry(error, 'error')];
    jobs.set(`${base}/jobs/${id}`, {
      kind,
      output: output.map((lines) => entry(lines, 'output')),
      error: errors,
      polls: 0,
    });
    return [`${kind}:begun`, 202, '', { 'content-location': `${base}/jobs/${id}` }];
  }

  function match(body: Json): Named {
    const parameters = body.parameter as never;
    if (body.resourceType !== 'Parameters') return refusal('match:not-parameters', 400);
    if (!JSON.stringify(parameters).includes('"Consent"')) return refusal('match:no-consent', 400);
    const { name, number, policy } = caseOf(parameters);
    if (name !== 'match') return refusal(`match:${name}`, 422);
    if (number === '90000002') policyOfSilas = policy;
    const parameter = [
      { name: 'MemberIdentifier', valueIdentifier: { type: coding('MB'), value: `DSNP${number}` } },
      { name: 'MemberId', valueReference: { reference: `Patient/p-${number}` } },
    ];
    return [`match:${number}`, 200, { resourceType: 'Parameters', parameter }];
  }

  function bulkMatch({ headers, body = '' }: HttpRequest): Named {
    if (headers?.prefer === undefined) return refusal('bulk:no-prefer', 400);
    const bundles = JSON.parse(body).parameter as readonly { readonly part: never }[];
    if (bundles.length === 0) return refusal('bulk:empty', 400);
    const names = bundles.map(({ part }) => caseOf(part).name);
    const groups = ['match', 'nomatch', 'consentconstraint'].map((code) => ({
      ...{ resourceType: 'Group', id: 'g.match', identifier: [npi], code: coding(code) },
      quantity: names.filter((name) => name !== 'broken' && (outcomes[name] ?? 'nomatch') === code).length,
    }));
    const broken = names.flatMap((name, at) =>
      name === 'broken' ? [{ ...outcome, issue: [{ diagnostics: `MemberBundle ${at + 1}: broken` }] }] : [],
    );
    return begin('match', [groups], broken);
  }

  function exportGroup(
    path: string,
    parameters: readonly { readonly name: string; readonly valueString: string }[],
  ): Named {
    const value = (name: string) => parameters.find((each) => each.name === name)?.valueString;
    if (!path.startsWith('Group/g.match/')) return refusal('export:group', 404);
    if (value('exportType') !== 'hl7.fhir.us.davinci-pdex#payertopayer') return refusal('export:type', 400);
    const filter = value('_typeFilter');
    if (filter?.includes('unknown-parameter'))
      return ['export:filter', 400, { ...outcome, text: '_typeFilter' }];
    if (value('patient') !== undefined) return refusal('export:patient', 400);
    const asked = value('_type')?.split(',') ?? ['Patient', 'Coverage', 'Condition'];
    // A `_typeFilter` matches no resource of its type.
    const types = asked.filter((type) => !filter?.startsWith(`${type}?`));
    const lines = types.map((resourceType) => [
      { resourceType, id: '1' },
      { resourceType, id: '2' },
    ]);
    return begin('export', value('_since') === undefined ? lines : []);
  }

  function onJob(method: string, url: string): Named {
    const job = jobs.get(url);
    if (job === undefined) return refusal(`job:gone:${method}`, 404);
    if (method === 'DELETE') {
      jobs.delete(url);
      return ['job:removed', 202, ''];
    }
    job.polls += 1;
    if (job.polls === 1)
      return ['job:running', 202, '', { 'x-progress': '0 of 1 members', 'retry-after': '1' }];
    const { kind, output, error } = job;
    const manifest = {
      transactionTime: '2026-11-23T10:00:00Z',
      request: base,
      requiresAccessToken: true,
      output,
      error,
    };
    return [`manifest:${kind}`, 200, manifest];
  }

  function onFile(url: string): Named {
    const isThere = jobs.has(url.replace(/\/files\/.*/, ''));
    return isThere ? ['file:redirect', 307, '', { location: url }] : refusal('file:gone', 404);
  }

  function read(path: string): Named {
    const [, id = ''] = /^(?:Patient|Group)\/([\w.-]+)$/.exec(path) ?? [];
    if (path.startsWith('Patient/')) {
      return id.startsWith('p-')
        ? ['patient', 200, { resourceType: 'Patient', id }]
        : refusal('patient:other', 404);
    }
    if (path.startsWith('Group/')) {
      return id === 'g.match' ? ['group', 200, { resourceType: 'Group', id }] : refusal('group:other', 404);
    }
    if (path.startsWith('Group?')) return ['groups', 200, { entry: [{ resource: { id: 'g.match' } }] }];
    const isShown = path.startsWith('ExplanationOfBenefit') || policyOfSilas === 'sensitive';
    const entry = isShown ? [{ resource: { resourceType: 'Condition', item: [{ sequence: 1 }] } }] : [];
    const name = path.startsWith('Condition') ? `conditions:${policyOfSilas}` : 'claims';
    return [name, 200, { resourceType: 'Bundle', total: entry.length, ...(entry.length > 0 && { entry }) }];
  }

  function discovery(path: string): Named | undefined {
    if (path === '.well-known/smart-configuration') {
      return [
        'smart',
        200,
        {
          token_endpoint: tokenEndpoint,
          grant_types_supported: ['client_credentials'],
          token_endpoint_auth_methods_supported: ['private_key_jwt'],
          token_endpoint_auth_signing_alg_values_supported: ['ES384'],
        },
      ];
    }
    if (path !== 'metadata') return undefined;
    const operation = ['member-match', 'bulk-member-match', 'davinci-data-export', 'export'].map((name) => ({
      ...{ name, definition: `http://example.org/OperationDefinition/${name}` },
    }));
    const resource = [{ type: 'Patient' }, { type: 'Group', operation }];
    return [
      'metadata',
      200,
      { resourceType: 'CapabilityStatement', fhirVersion: '4.0.1', rest: [{ resource }] },
    ];
  }

  async function answer(request: HttpRequest): Promise<Named> {
    const { method, url, headers = {}, body = '' } = request;
    if (url === tokenEndpoint) return await tokenFor(body);
    const path = url.slice(base.length + 1);
    const found = discovery(path);
    if (found !== undefined) return found;
    const isFile = path.includes('/files/');
    if (headers.authorization === undefined)
      return refusal(isFile ? 'no-token:file' : 'no-token', 401, { 'content-type': 'application/json' });
    if (headers.authorization !== 'Bearer right')
      return refusal('wrong-token', 401, { 'content-type': 'application/json' });
    if (isFile) return onFile(url);
    if (path.startsWith('jobs/')) return onJob(method, url);
    if (path === 'Patient/$member-match') return match(JSON.parse(body));
    if (path === 'Group/$bulk-member-match') return bulkMatch(request);
    if (path.includes('$')) return exportGroup(path, body === '' ? [] : JSON.parse(body).parameter);
    return read(path);
  }

  const changed = ([name, status, body, headers = {}]: Named): HttpResponse => {
    const response = { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
    return (faults[name] ?? faults['*'])?.(response) ?? response;
  };
  return {
    http: async (request) => changed(await answer(request)),
    async download(url) {
      const { name, lines } = files.get(url) ?? { name: 'file:none', lines: [] };
      const headers = { 'content-type': 'application/fhir+ndjson', 'content-encoding': 'gzip' };
      return changed([name, 200, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), headers]);
    },
    wait: async () => {},
  };
}
