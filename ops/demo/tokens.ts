/** Token requests of the demo. */

import type { Credentials } from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import { type HttpResponse, headerText } from '../http/client.ts';
import { expectEqual, expectMatch, expectObject, expectTrue } from './expect.ts';
import { basic, redirectUri, type Scene } from './scene.ts';

/** Format of the token request: JSON (docs/service.md S6.2), or the form of RFC 6749. */
export type TokenRequestForm = 'json' | 'form';

interface Redemption {
  readonly credentials: Required<Credentials>;
  readonly code: string;
  readonly form: TokenRequestForm;
  readonly codeVerifier?: string;
}

/** Redeems a code by JSON and Basic, or by a form (docs/service.md S6.2). */
async function postCode(scene: Scene, redemption: Redemption): Promise<HttpResponse> {
  const { credentials, code, form, codeVerifier } = redemption;
  const body = {
    code,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
  };
  scene.transcript.mask.add(codeVerifier);
  return await scene.transcript.http({
    method: 'POST',
    url: `${scene.origins.auth}/fhir-oauth2/pub/${scene.lob.toLowerCase()}/token`,
    headers: {
      'content-type': form === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      accept: 'application/json',
      authorization: basic(credentials),
    },
    body: form === 'json' ? JSON.stringify(body) : new URLSearchParams(body).toString(),
  });
}

/**
 * Redeems a code, and checks every member of the response.
 *
 * @returns the access token.
 */
export async function redeemCode(scene: Scene, redemption: Redemption, patientId: string): Promise<string> {
  const { transcript, environment, lob } = scene;
  transcript.heading(`${environment} ${lob}: the app exchanges the code (${redemption.form})`);
  const response = await postCode(scene, redemption);
  expectEqual('the token answer’s status', response.status, 200);
  const answer = checkToken(response);
  expectEqual('expires_in', answer.expires_in, 1800);
  expectEqual('patient', answer.patient, patientId);
  expectMatch('scope', answer.scope, /(^| )patient\/(\*|Patient)\.(read|rs?)( |$)/);
  expectMatch('id_token', answer.id_token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  return String(answer.access_token);
}

/** Checks that a code used twice is refused (RFC 6749 section 4.1.2). The caller checks that the first token was revoked. */
export async function redeemAgain(scene: Scene, redemption: Redemption): Promise<void> {
  const { transcript, environment, lob } = scene;
  transcript.heading(`${environment} ${lob}: the same code is presented again`);
  const response = await postCode(scene, redemption);
  expectEqual('the status of a code used twice', response.status, 400);
  expectEqual('error', expectObject('the refusal', response.body).error, 'invalid_grant');
}

/** Requests a token by client credentials (docs/service.md S6.3). */
export async function requestMachineToken(scene: Scene, credentials: Required<Credentials>): Promise<void> {
  const { transcript, environment, lob } = scene;
  transcript.heading(`${environment} ${lob}: the app requests a machine token (client credentials)`);
  const send = (clientSecret: string) =>
    transcript.http({
      method: 'POST',
      url: `${scene.origins.token}/token/v2`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-api-subscription-key': credentials.subscriptionKey,
      },
      body: new URLSearchParams({
        client_id: credentials.clientId,
        grant_type: 'client_credentials',
        client_secret: clientSecret,
        scope: credentials.machineScope,
      }).toString(),
    });
  const response = await send(credentials.clientSecret);
  expectEqual('the token answer’s status', response.status, 200);
  const answer = checkToken(response);
  expectEqual('expires_in', answer.expires_in, 300);
  expectEqual('scope', answer.scope, credentials.machineScope);
  expectEqual('patient in a machine’s token response', answer.patient, undefined);

  const refused = await send(`not-${credentials.clientSecret}`);
  expectEqual('the status of a wrong secret', refused.status, 401);
  expectEqual('error', expectObject('the refusal', refused.body).error, 'invalid_client');
}

/** Checks the members that every token response has (RFC 6749 section 5.1). */
function checkToken(response: HttpResponse): Record<string, unknown> {
  expectMatch('the token answer’s type', headerText(response, 'content-type'), /^application\/json/);
  expectMatch('Cache-Control', headerText(response, 'cache-control'), /no-store/);
  const answer = expectObject('the token answer', response.body);
  expectEqual('token_type', answer.token_type, 'Bearer');
  const token = expectMatch('access_token', answer.access_token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  expectTrue('an access token without PHI', !/birthDate|given_name/.test(payloadOf(token)), 'claims');
  return answer;
}

function payloadOf(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
}
