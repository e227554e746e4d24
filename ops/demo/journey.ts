/**
 * The order of the demo's calls for two apps: one that follows the contract (docs/service.md) literally, and one that calls as current apps
 * do.
 */

import { createHash } from 'node:crypto';
import {
  readClaimChain,
  readClaims,
  readClaimsOfOthers,
  readCoverage,
  readLaboratoryResults,
  readPriorAuthorizations,
  readUngrantedType,
} from './claims.ts';
import { authorizeInBrowser, refuseConsent } from './consent.ts';
import { readMetadata } from './metadata.ts';
import { readPatient, readRefusals, readRevoked } from './patient-access.ts';
import { expectedMember, randomText, registerApp, type Scene } from './scene.ts';
import { redeemAgain, redeemCode, requestMachineToken } from './tokens.ts';

/** Runs all calls for one line of business in one environment, for each of its members, including those that must be refused. */
export async function runJourney(scene: Scene): Promise<void> {
  await readMetadata(scene);
  await asDescribed(scene);
  await asSmartApp(scene);
}

/** Calls exactly by the contract: scope openid, no PKCE, JSON body, Basic (docs/service.md S6.1, S6.2). The app is not attested. */
async function asDescribed(scene: Scene): Promise<void> {
  const [member, other] = scene.members;
  if (member === undefined || other === undefined) throw new Error('a line of business without two members');
  const app = { clientName: 'Described App', attested: false, pkceRequired: false };
  const credentials = await registerApp(scene, app);
  const { clientId, subscriptionKey } = credentials;
  const path = `${scene.lob.toLowerCase()}/authorize`;
  const { code } = await authorizeInBrowser(scene, member, { ...app, clientId, scope: 'openid', path });
  const redemption = { credentials, code, form: 'json' } as const;
  const accessToken = await redeemCode(scene, redemption, member.patientId);
  const patient = expectedMember(member);
  const access = { accessToken, subscriptionKey };
  await readPatient(scene, patient, access);
  await readCoverage(scene, patient, access);
  await readClaims(scene, patient, access);
  await readPriorAuthorizations(scene, patient, access);
  await readClaimChain(scene, patient, access);
  await readLaboratoryResults(scene, patient, access);
  await readClaimsOfOthers(scene, other.patientId, access);
  await readRefusals(scene, patient, other.patientId, access);
  await requestMachineToken(scene, credentials);
  await redeemAgain(scene, redemption);
  await readRevoked(scene, patient, access);
}

/** Calls as current apps do: SMART scopes, PKCE, a form body, and the path in the other case. The app is attested. */
async function asSmartApp(scene: Scene): Promise<void> {
  const app = { clientName: 'SMART App', attested: true, pkceRequired: true };
  const credentials = await registerApp(scene, app);
  const { clientId, subscriptionKey } = credentials;
  for (const member of scene.members.slice(1)) {
    const codeVerifier = randomText();
    const asked = {
      ...app,
      clientId,
      scope: 'openid fhirUser launch/patient patient/Patient.rs patient/Coverage.rs',
      path: `${scene.lob}/authorize/`,
      codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    };
    await refuseConsent(scene, member, asked);
    const { code } = await authorizeInBrowser(scene, member, asked);
    const redemption = { credentials, code, form: 'form', codeVerifier } as const;
    const accessToken = await redeemCode(scene, redemption, member.patientId);
    const access = { accessToken, subscriptionKey };
    await readPatient(scene, expectedMember(member), access);
    await readCoverage(scene, expectedMember(member), access);
    await readUngrantedType(scene, member.patientId, access);
  }
}
