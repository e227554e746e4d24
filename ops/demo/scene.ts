/** One LOB in one environment, as the demo calls it. */

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  apiOrigin,
  type EnvironmentOrigins,
  fhirBase,
  machineTokenEndpoint,
} from '../../lambdas/catalog/addresses.ts';
import type { Environment } from '../../lambdas/catalog/environments.ts';
import { interfaceNames, offers } from '../../lambdas/catalog/fhir/interfaces.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type {
  Credentials,
  ProvisioningAnswer,
} from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import type { Invoke } from '../command-line/invoke.ts';
import { type SyntheticMember, syntheticMembers } from '../generator/members.ts';
import { Unexpected } from './expect.ts';
import type { ExpectedMember } from './patient-check.ts';
import type { Transcript } from './transcript.ts';

/** A line of business in an environment, with its URLs, members and clients. */
export interface Scene {
  readonly environment: Environment;
  readonly lob: LineOfBusiness;
  readonly origins: EnvironmentOrigins;
  /** {base_url} (docs/service.md S1.5). */
  readonly baseUrl: string;
  /** The `aud` of an authorization request. */
  readonly audience: string;
  readonly members: readonly SyntheticMember[];
  readonly provisioningFunction: string;
  readonly invoke: Invoke;
  readonly transcript: Transcript;
  /**
   * Longest time in milliseconds that a new subscription key takes to be known to the gateway.
   *
   * @default none: it is known at once
   */
  readonly keyKnownWithinMs?: number;
}

export function createScene(parts: Omit<Scene, 'baseUrl' | 'audience' | 'members'>): Scene {
  const { environment, lob, origins } = parts;
  return {
    ...parts,
    baseUrl: apiOrigin(origins, lob),
    audience: fhirBase(origins, lob, 'patient-access'),
    members: syntheticMembers(environment).filter((member) => member.lob === lob),
  };
}

/** No server listens at this URL; the demo's browser stops before it. */
export const redirectUri = 'https://app.example/callback';

/** Registers a confidential app with both grants, through `provisioning`. */
export async function registerApp(
  scene: Scene,
  app: { readonly clientName: string; readonly pkceRequired: boolean; readonly attested: boolean },
): Promise<Required<Credentials>> {
  const { environment, lob, transcript, invoke, provisioningFunction } = scene;
  transcript.heading(`${environment} ${lob}: the platform team registers "${app.clientName}"`);
  const request = {
    action: 'register',
    requestId: randomUUID(),
    registration: {
      ...app,
      grantTypes: ['authorization_code', 'client_credentials'],
      tokenEndpointAuthMethod: 'client_secret_basic',
      linesOfBusiness: [lob],
      products: interfaceNames.filter((name) => offers(lob, name)),
      redirectUris: [redirectUri],
      tier: 'standard',
    },
  };
  transcript.note(`invoke ${provisioningFunction} ${JSON.stringify(request)}`);
  const answer = (await invoke(provisioningFunction, request)) as ProvisioningAnswer;
  if (answer.kind !== 'credentials') throw new Unexpected('the registration', 'credentials', answer);
  const { clientId, clientSecret, subscriptionKey, machineScope } = answer.credentials;
  if (clientSecret === undefined || machineScope === undefined) {
    throw new Unexpected(
      'the credentials',
      'a client secret and a machine scope',
      Object.keys(answer.credentials),
    );
  }
  transcript.mask.add(clientSecret, subscriptionKey);
  transcript.note(
    `client id ${clientId}, client secret ${clientSecret}, subscription key ${subscriptionKey}`,
  );
  const credentials = { clientId, clientSecret, subscriptionKey, machineScope };
  if (scene.keyKnownWithinMs !== undefined) await untilKeyIsKnown(scene, credentials, scene.keyKnownWithinMs);
  return credentials;
}

const keyAskedEveryMs = 5_000;

/** Waits until the gateway no longer refuses a new key with 403, as it does for some minutes (docs/runbook.md). */
async function untilKeyIsKnown(
  { transcript, origins }: Scene,
  { clientId, clientSecret, subscriptionKey, machineScope }: Required<Credentials>,
  withinMs: number,
): Promise<void> {
  const form = { client_id: clientId, client_secret: clientSecret, scope: machineScope };
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-api-subscription-key': subscriptionKey,
  };
  const request = { method: 'POST', url: machineTokenEndpoint(origins), headers, body } as const;
  for (const until = Date.now() + withinMs; ; await pause(keyAskedEveryMs)) {
    const { status } = await transcript.http(request);
    if (status !== 403) return;
    if (Date.now() >= until) throw new Unexpected('the new key', 'known within ten minutes', status);
  }
}

export function expectedMember(member: SyntheticMember): ExpectedMember {
  const [patient, ...resources] = member.resources;
  if (patient === undefined) throw new Error('a synthetic member without a Patient');
  const { patientId, memberId, lob } = member;
  return {
    patientId,
    memberId,
    lob,
    json: patient.json,
    resources,
    ...(patient.fhirJson === undefined ? {} : { fhirJson: patient.fhirJson }),
  };
}

export function basic({ clientId, clientSecret }: Required<Credentials>): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

export function randomText(): string {
  return randomBytes(32).toString('base64url');
}
