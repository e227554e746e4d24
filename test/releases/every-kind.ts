/** Calls a local system so that its tables have an item of each kind: with applications, sign-ins, codes, sessions and a drop. */

import { createInvoke } from '../../ops/command-line/invoke.ts';
import { type LocalSystem, localOrigins, localSystemFile } from '../../ops/command-line/system.ts';
import { createBrowser, type Location } from '../../ops/demo/browser.ts';
import { authorizationRequestUrl } from '../../ops/demo/consent.ts';
import { createMask } from '../../ops/demo/mask.ts';
import { runDemo } from '../../ops/demo/program.ts';
import {
  basic,
  createScene,
  randomText,
  redirectUri,
  registerApp,
  type Scene,
} from '../../ops/demo/scene.ts';
import { createTranscript } from '../../ops/demo/transcript.ts';
import { createHttp } from '../../ops/http/client.ts';
import { sensitiveBoxes } from '../support/member-token.ts';

/** Line of business whose members sign in. */
const lob = 'DSNP';

export async function writeEveryKind(system: LocalSystem): Promise<void> {
  // The smoke test leaves loads, a known browser, audit events and ended grants.
  const code = await runDemo(['--target', localSystemFile, '--lob', lob, '--quiet'], {
    out: console.error,
    err: console.error,
  });
  if (code !== 0) throw new Error('the smoke test failed');
  const environment = 'sandbox';
  const scene = createScene({
    environment,
    lob,
    origins: localOrigins(system, environment),
    provisioningFunction: system.functions[environment].provisioning,
    invoke: createInvoke(system),
    transcript: createTranscript(createHttp(), createMask(), () => {}),
  });
  await leaveGrants(scene);
  await leaveSession(scene);
}

const keep = 'Keep me signed in on this browser for 15 minutes';

/** Leaves a grant with refresh tokens, a code that nobody redeems, an SSO session, and an unfinished interaction. */
async function leaveGrants(scene: Scene): Promise<void> {
  const app = { clientName: 'Kept Items', attested: true, pkceRequired: false };
  const credentials = await registerApp(scene, app);
  const scope = 'openid fhirUser launch/patient offline_access patient/*.rs';
  const asked = { ...app, clientId: credentials.clientId, scope, path: `${lob.toLowerCase()}/authorize` };
  const browser = createBrowser(scene.transcript.http, redirectUri);
  const open = async () => await browser.open(authorizationRequestUrl(scene, asked, randomText()));
  const first = await share(scene, browser, await open());
  await scene.transcript.http({
    method: 'POST',
    url: `${scene.origins.auth}/fhir-oauth2/pub/${lob.toLowerCase()}/token`,
    headers: { 'content-type': 'application/json', authorization: basic(credentials) },
    body: JSON.stringify({ grant_type: 'authorization_code', code: first, redirect_uri: redirectUri }),
  });
  const other = createBrowser(scene.transcript.http, redirectUri);
  await share(scene, other, await other.open(authorizationRequestUrl(scene, asked, randomText())));
  const third = createBrowser(scene.transcript.http, redirectUri);
  await third.open(authorizationRequestUrl(scene, asked, randomText()));
}

async function share(
  scene: Scene,
  browser: ReturnType<typeof createBrowser>,
  page: Location,
): Promise<string> {
  const consent = await browser.submit(page, { ...memberFields(scene), [keep]: 'yes' }, 'Sign in');
  const end = await browser.submit(consent, sensitiveBoxes(consent), 'Share my data');
  const code = end.kind === 'app' ? new URL(end.url).searchParams.get('code') : null;
  if (code === null) throw new Error(`no code: ${end.url}`);
  return code;
}

/** Leaves a session at the connected apps. */
async function leaveSession(scene: Scene): Promise<void> {
  const browser = createBrowser(scene.transcript.http, redirectUri);
  const signIn = await browser.open(
    `${scene.origins.auth}/fhir-oauth2/sec/${lob.toLowerCase()}/connected-apps`,
  );
  await browser.submit(signIn, memberFields(scene), 'Sign in');
}

function memberFields({ members: [member] }: Scene): Record<string, string> {
  if (member === undefined) throw new Error('no synthetic member');
  return { 'Member ID or e-mail': member.memberId, Password: member.password };
}
