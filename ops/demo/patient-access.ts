/** Reads a Patient in the demo: as the app, without credentials, and for another member. */

import { randomUUID } from 'node:crypto';
import { type HttpResponse, headerText } from '../http/client.ts';
import { expectEqual, expectMatch, expectObject, expectTrue } from './expect.ts';
import { checkPatient, type ExpectedMember } from './patient-check.ts';
import type { Scene } from './scene.ts';

/** Credentials of an app's API calls. */
export interface AppCredentials {
  readonly accessToken: string;
  readonly subscriptionKey: string;
}

export async function get(
  scene: Scene,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  return await scene.transcript.http({ method: 'GET', url: `${scene.baseUrl}${path}`, headers });
}

export function headersOf({ accessToken, subscriptionKey }: AppCredentials): Record<string, string> {
  return { authorization: `Bearer ${accessToken}`, 'x-api-subscription-key': subscriptionKey };
}

const patientPath = '/extfhirpatientaccess/v1/Patient';

/** Reads a Patient in both renditions, and on the older path (docs/service.md S5.6, S5.9). */
export async function readPatient(
  scene: Scene,
  member: ExpectedMember,
  access: AppCredentials,
): Promise<void> {
  const { transcript, environment, lob } = scene;
  const path = `${patientPath}/${member.patientId}`;
  transcript.heading(`${environment} ${lob}: the app reads the Patient`);
  const response = await get(scene, path, headersOf(access));
  expectEqual('the status of the Patient', response.status, 200);
  expectMatch('Content-Type', headerText(response, 'content-type'), /^application\/json/);
  checkPatient(response.body, member, 'described');

  transcript.heading(`${environment} ${lob}: the same resource as application/fhir+json`);
  const fhir = await get(scene, path, { ...headersOf(access), accept: 'application/fhir+json' });
  expectEqual('the status of the Patient', fhir.status, 200);
  expectMatch('Content-Type', headerText(fhir, 'content-type'), /^application\/fhir\+json/);
  checkPatient(fhir.body, member, 'fhir');

  transcript.heading(`${environment} ${lob}: the same resource on the deprecated path`);
  const older = await get(scene, `/v1/fhir/patientaccess/Patient/${member.patientId}`, headersOf(access));
  expectEqual('the status of the older path', older.status, 200);
  expectEqual('the Patient of the older path', older.body, response.body);
  expectMatch('Deprecation', headerText(older, 'deprecation'), /./);
  expectMatch('Link', headerText(older, 'link'), /rel="?successor-version"?/);
}

/** Checks the refusals: without token or key, and for another member's ID, which gets the same response as an ID that does not exist. */
export async function readRefusals(
  scene: Scene,
  member: ExpectedMember,
  otherPatientId: string,
  access: AppCredentials,
): Promise<void> {
  const { transcript, environment, lob } = scene;
  const { accessToken, subscriptionKey } = access;
  const path = `${patientPath}/${member.patientId}`;
  transcript.heading(`${environment} ${lob}: calls that must be refused`);
  if (await requiresKey(scene)) {
    await expectRefusals(scene, 'without a key', path, { authorization: `Bearer ${accessToken}` }, 401);
    const unknown = { ...headersOf(access), 'x-api-subscription-key': `unknown-${'x'.repeat(32)}` };
    await expectRefusals(scene, 'with an unknown key', path, unknown, 403);
  }
  await expectRefusals(scene, 'without a token', path, { 'x-api-subscription-key': subscriptionKey }, 401);
  const tampered = `${accessToken.slice(0, -8)}${accessToken.endsWith('A'.repeat(8)) ? 'B' : 'A'.repeat(8)}`;
  const wrong = await expectRefusals(
    scene,
    'with a tampered token',
    path,
    headersOf({ accessToken: tampered, subscriptionKey }),
    401,
  );
  expectMatch('WWW-Authenticate', headerText(wrong, 'www-authenticate'), /Bearer.*invalid_token/);
  const others = await expectRefusals(
    scene,
    "for another member's id",
    `${patientPath}/${otherPatientId}`,
    headersOf(access),
    404,
  );
  const nobody = await expectRefusals(
    scene,
    'for an unknown id',
    `${patientPath}/${randomUUID()}`,
    headersOf(access),
    404,
  );
  expectEqual("the answer for another member's id", others.body, nobody.body);
}

/** Checks that the tokens of a code that was used twice are refused at the next call. */
export async function readRevoked(
  scene: Scene,
  member: ExpectedMember,
  access: AppCredentials,
): Promise<void> {
  const { transcript, environment, lob } = scene;
  transcript.heading(`${environment} ${lob}: the token issued for that code no longer works`);
  await expectRefusals(
    scene,
    'of a revoked grant',
    `${patientPath}/${member.patientId}`,
    headersOf(access),
    401,
  );
}

/** Whether the environment requires a subscription key in addition to a member's token, as its CapabilityStatement says. */
async function requiresKey(scene: Scene): Promise<boolean> {
  const { body } = await get(scene, '/extfhirpatientaccess/v1/metadata', {});
  return !body.includes('x-api-subscription-key is optional');
}

export async function expectRefusals(
  scene: Scene,
  what: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  status: number,
): Promise<HttpResponse> {
  const response = await get(scene, path, headers);
  expectEqual(`the status of a call ${what}`, response.status, status);
  expectEqual(
    `the answer to a call ${what}`,
    expectObject(what, response.body).resourceType,
    'OperationOutcome',
  );
  expectTrue(
    `no internal details in the response to a call ${what}`,
    !/DynamoDB|node_modules|at \w+ \(|stack/i.test(response.body),
    response.body,
  );
  return response;
}
