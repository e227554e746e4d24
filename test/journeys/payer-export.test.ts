import { createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { fhirBase, machineTokenEndpoint } from '../../lambdas/catalog/addresses.ts';
import { payerToPayer } from '../../lambdas/catalog/payer/export-parameters.ts';
import type { SyntheticMember } from '../../ops/generator/members.ts';
import { runOps } from '../../ops/program.ts';
import { localFetch, memberOf, originsOf } from './journey.ts';
import { payerNpi as npi, registerPayer } from './payer-client.ts';
import { systemFile } from './system-file.ts';

/**
 * Another payer's client, as it could be written from the guides alone: a token by private_key_jwt, a bulk match, an export of the matched
 * members, its files, and their removal. And what becomes of a file when a member's grant ends.
 */

const lob = 'DSNP';
const base = fhirBase(originsOf('sandbox'), lob, 'payer-access');

let headers: Record<string, string>;
let clientId: string;
let kid: string;
let privateKey: KeyObject;

const base64Url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function assertion(): string {
  const claims = {
    ...{ iss: clientId, sub: clientId, aud: machineTokenEndpoint(originsOf('sandbox')), jti: randomUUID() },
    exp: Math.floor(Date.now() / 1000) + 240,
  };
  const signed = `${base64Url({ alg: 'ES384', kid, typ: 'JWT' })}.${base64Url(claims)}`;
  const key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return `${signed}.${sign('sha384', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

beforeAll(async () => {
  const app = await registerPayer(lob);
  ({ clientId, kid, privateKey } = app);
  const answer = await localFetch(machineTokenEndpoint(originsOf('sandbox')), {
    method: 'POST',
    headers: { 'x-api-subscription-key': app.subscriptionKey },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'system/*.rs',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion(),
    }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  headers = { authorization: `Bearer ${access_token}`, 'x-api-subscription-key': app.subscriptionKey };
});

interface Manifest {
  readonly output: readonly { readonly type: string; readonly url: string; readonly count: number }[];
  readonly error: Manifest['output'];
}

/** Begins a job and polls it as it says. @returns its address and manifest */
async function runJob(path: string, body: object) {
  const begun = await localFetch(`${base}/${path}`, {
    method: 'POST',
    headers: { ...headers, prefer: 'respond-async', 'content-type': 'application/fhir+json' },
    body: JSON.stringify(body),
  });
  expect(begun.status, await begun.text()).toBe(202);
  const job = begun.headers.get('content-location') ?? '';
  let manifest: Manifest | undefined;
  await expect
    .poll(
      async () => {
        const status = await localFetch(job, { headers });
        const text = await status.text();
        if (status.status === 200) manifest = JSON.parse(text) as Manifest;
        else expect(status.headers.get('x-progress'), text).toMatch(/accepted|\d+ of \d+ members/);
        return status.status;
      },
      { timeout: 90_000, interval: 500 },
    )
    .toBe(200);
  if (manifest === undefined) throw new Error('there is no manifest');
  return { job, manifest };
}

/** A file by its redirect, without the token. */
async function download(url: string): Promise<readonly { readonly [name: string]: unknown }[]> {
  const redirect = await localFetch(url, { headers, redirect: 'manual' });
  expect(redirect.status).toBe(307);
  const file = await fetch(redirect.headers.get('location') ?? '');
  expect(file.status).toBe(200);
  return (await file.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function bundleOf({ memberId, resources }: SyntheticMember) {
  const { json = '{}' } = resources.find(({ resourceType }) => resourceType === 'Patient') ?? {};
  const { name, gender, birthDate } = JSON.parse(json);
  const concept = (code: string) => ({ coding: [{ code }] });
  const policy = 'http://hl7.org/fhir/us/davinci-hrex/StructureDefinition-hrex-consent.html#regular';
  const year = new Date().getUTCFullYear();
  const consent = {
    ...{ resourceType: 'Consent', status: 'active', scope: concept('patient-privacy') },
    ...{ patient: { reference: 'Patient/1' }, policy: [{ uri: policy }] },
    provision: {
      type: 'permit',
      period: { start: `${year - 1}-01-01`, end: `${year + 1}-12-31` },
      actor: [{ role: concept('IRCP'), reference: { identifier: npi } }],
      action: [concept('disclose')],
    },
  };
  const parts = {
    MemberPatient: { resourceType: 'Patient', id: '1', name, gender, birthDate },
    CoverageToMatch: {
      resourceType: 'Coverage',
      subscriberId: memberId,
      beneficiary: { reference: 'Patient/1' },
    },
    Consent: consent,
  };
  return {
    name: 'MemberBundle',
    part: Object.entries(parts).map(([part, resource]) => ({ name: part, resource })),
  };
}

/** The member phones, and an operator ends what they share. */
async function endGrants(patientId: string): Promise<void> {
  const terminal = { out: () => {}, err: () => {} };
  const about = ['--lob', lob, '--patient', patientId, '--client', clientId, '--reason', 'member_asked'];
  expect(await runOps(['grants', 'end', ...about, '--system', systemFile()], {}, terminal)).toBe(0);
}

it('matches, exports, downloads and deletes; and gets no file of a member whose grant has ended', async () => {
  const member = memberOf('sandbox', lob);
  const body = { resourceType: 'Parameters', parameter: [bundleOf(member), { name: 'MemberBundle' }] };
  const match = await runJob('Group/$bulk-member-match', body);
  expect(match.manifest.error).toHaveLength(1);
  const [{ url = '' } = {}] = match.manifest.output.filter(({ type }) => type === 'Group');
  const [group] = await download(url);
  expect(group).toMatchObject({
    code: { coding: [{ code: 'match' }] },
    member: [{ entity: { reference: `Patient/${member.patientId}` } }],
  });

  const parameter = [{ name: 'exportType', valueString: payerToPayer }];
  const exported = await runJob(`Group/${group?.id}/$davinci-data-export`, {
    resourceType: 'Parameters',
    parameter,
  });
  const { output } = exported.manifest;
  expect(exported.manifest.error).toEqual([]);
  expect(output.map(({ type }) => type)).toEqual(expect.arrayContaining(['Patient', 'ExplanationOfBenefit']));
  for (const { type, url: file, count } of output) {
    const lines = await download(file);
    expect(lines, type).toHaveLength(count);
    for (const { resourceType } of lines) expect(resourceType).toBe(type);
  }

  await endGrants(member.patientId);
  const file = output[0]?.url ?? '';
  const withheld = await localFetch(file, { headers, redirect: 'manual' });
  expect([withheld.status, withheld.headers.get('location')]).toEqual([410, null]);
  expect(JSON.parse(await withheld.text()).resourceType).toBe('OperationOutcome');

  for (const job of [match.job, exported.job]) {
    expect((await localFetch(job, { method: 'DELETE', headers })).status).toBe(202);
    expect((await localFetch(job, { headers })).status).toBe(404);
  }
  expect((await localFetch(file, { headers, redirect: 'manual' })).status).toBe(404);
});
