import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { expect } from 'vitest';
import { machineTokenEndpoint } from '../../lambdas/catalog/addresses.ts';
import type { Environment } from '../../lambdas/catalog/environments.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { OrganizationIdentifier } from '../../lambdas/catalog/payer/organization-identifiers.ts';
import type { SyntheticMember } from '../../ops/generator/members.ts';
import type { PayerHoldings } from '../abuse/payer-requests.ts';
import { localFetch, originsOf, provision, register, registrationOf } from './journey.ts';

/** Registers another payer's application, with a key pair and a verified organization, and makes its client's calls. */

export const payerNpi: OrganizationIdentifier = {
  system: 'http://hl7.org/fhir/sid/us-npi',
  value: '1234567893',
};

export interface PayerApplication {
  readonly environment: Environment;
  readonly clientId: string;
  readonly subscriptionKey: string;
  /** Scope of the environment's client-credentials tokens. */
  readonly machineScope: string;
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** A key pair of a payer's application, and the public JWK that is registered. */
export function payerKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const kid = randomUUID();
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const jwk = { kty: 'EC', crv: 'P-384', x, y, kid, alg: 'ES384', use: 'sig' } as const;
  return { kid, privateKey, jwk };
}

/** Registers the application as the portal does, and verifies its organization as an operator does. */
export async function registerPayer(
  lob: LineOfBusiness,
  environment: Environment = 'sandbox',
  organization: readonly OrganizationIdentifier[] = [payerNpi],
): Promise<PayerApplication> {
  const { kid, privateKey, jwk } = payerKey();
  const {
    clientId,
    subscriptionKey,
    machineScope = '',
  } = await register(environment, {
    ...registrationOf(lob),
    products: ['payer-access'],
    grantTypes: ['client_credentials'],
    redirectUris: [],
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [jwk] },
  });
  const action = 'verify-organization';
  await provision(environment, {
    action,
    requestId: randomUUID(),
    clientId,
    organization: [...organization],
  });
  return { environment, clientId, subscriptionKey, machineScope, kid, privateKey };
}

const base64Url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function assertionOf({ environment, clientId, kid, privateKey }: PayerApplication): string {
  const aud = machineTokenEndpoint(originsOf(environment));
  const exp = Math.floor(Date.now() / 1000) + 240;
  const claims = { iss: clientId, sub: clientId, aud, jti: randomUUID(), exp };
  const signed = `${base64Url({ alg: 'ES384', kid, typ: 'JWT' })}.${base64Url(claims)}`;
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${signed}.${sign('sha384', Buffer.from(signed), key).toString('base64url')}`;
}

/**
 * Headers with the application's credentials.
 *
 * @param asked further parameters of the token request
 */
export async function payerHeaders(
  app: PayerApplication,
  asked: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const answer = await localFetch(machineTokenEndpoint(originsOf(app.environment)), {
    method: 'POST',
    headers: { 'x-api-subscription-key': app.subscriptionKey },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'system/*.rs',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertionOf(app),
      ...asked,
    }),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  const { access_token } = JSON.parse(text) as { access_token: string };
  return { authorization: `Bearer ${access_token}`, 'x-api-subscription-key': app.subscriptionKey };
}

export interface Manifest {
  readonly output: readonly { readonly type: string; readonly url: string; readonly count: number }[];
  readonly error: Manifest['output'];
}

/**
 * A client for the jobs of a payer.
 *
 * @param base address of the interface
 */
export function createPayerClient(base: string, headers: Readonly<Record<string, string>>) {
  /** Begins a job. @returns its address */
  async function beginJob(path: string, body: object): Promise<string> {
    const begun = await localFetch(`${base}/${path}`, {
      method: 'POST',
      headers: { ...headers, prefer: 'respond-async', 'content-type': 'application/fhir+json' },
      body: JSON.stringify(body),
    });
    expect(begun.status, await begun.text()).toBe(202);
    return begun.headers.get('content-location') ?? '';
  }

  /**
   * Begins a job and polls it as often as `Retry-After` says.
   *
   * @returns its address and manifest
   */
  async function runJob(path: string, body: object) {
    const job = await beginJob(path, body);
    let manifest: Manifest | undefined;
    await expect
      .poll(
        async () => {
          const status = await localFetch(job, { headers });
          const text = await status.text();
          if (status.status === 200) manifest = JSON.parse(text) as Manifest;
          else expect(status.headers.get('x-progress'), text).toMatch(/accepted|in line|\d+ of \d+ members/);
          return status.status;
        },
        { timeout: 90_000, interval: 500 },
      )
      .toBe(200);
    if (manifest === undefined) throw new Error('there is no manifest');
    return { job, manifest };
  }

  /** Downloads a file by its redirect, without the token. */
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

  return { beginJob, runJob, download };
}

/** A MemberBundle that matches a member, with a Consent for this organization. */
export function bundleOf(
  { memberId, resources }: SyntheticMember,
  organization: OrganizationIdentifier = payerNpi,
) {
  const { json = '{}' } = resources.find(({ resourceType }) => resourceType === 'Patient') ?? {};
  const { name, gender, birthDate } = JSON.parse(json);
  const concept = (system: string, code: string) => ({
    coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }],
  });
  const policy = 'http://hl7.org/fhir/us/davinci-hrex/StructureDefinition-hrex-consent.html#regular';
  const year = new Date().getUTCFullYear();
  const consent = {
    ...{ resourceType: 'Consent', status: 'active', scope: concept('consentscope', 'patient-privacy') },
    ...{ patient: { reference: 'Patient/1' }, policy: [{ uri: policy }] },
    // The present time, since a member of a shared system may have ended the payer's permission in an earlier journey.
    dateTime: new Date().toISOString(),
    provision: {
      type: 'permit',
      period: { start: `${year - 1}-01-01`, end: `${year + 1}-12-31` },
      actor: [{ role: concept('v3-ParticipationType', 'IRCP'), reference: { identifier: organization } }],
      action: [concept('consentaction', 'disclose')],
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

/** Matches a member and exports the group. Returns their IDs. */
export async function payerHoldings(
  base: string,
  headers: Readonly<Record<string, string>>,
  member: SyntheticMember,
): Promise<PayerHoldings> {
  const { runJob, download } = createPayerClient(base, headers);
  const bundle = bundleOf(member);
  const body = { resourceType: 'Parameters', parameter: [bundle] };
  const match = await runJob('Group/$bulk-member-match', body);
  const [{ url = '' } = {}] = match.manifest.output.filter(({ type }) => type === 'Group');
  const [group] = await download(url);
  const groupId = String(group?.id);
  const exported = await runJob(`Group/${groupId}/$export`, { resourceType: 'Parameters' });
  const idOf = ({ job }: { readonly job: string }) => job.split('/').at(-1) ?? '';
  return {
    ...{ patientId: member.patientId, groupId, exportJob: idOf(exported), matchJob: idOf(match), bundle },
    ids: new Map(member.resources.map(({ resourceType, id }) => [resourceType as string, id])),
    file: exported.manifest.output[0]?.url.split('/').at(-1) ?? '',
  };
}
