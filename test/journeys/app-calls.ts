import { createHash, randomBytes } from 'node:crypto';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { decide, localFetch, memberOf, originsOf, redirectUri, type register } from './journey.ts';

/** Calls that an application repeats while keys, credentials or versions change. */

export type App = Awaited<ReturnType<typeof register>>;

const verifier = randomBytes(32).toString('base64url');

/** Obtains a token: a member signs in and consents, and the code is exchanged. */
export async function memberToken(
  app: App,
  lob: LineOfBusiness,
  index = 0,
  scope = 'launch/patient patient/Patient.rs',
  redirect = redirectUri,
): Promise<string> {
  const origins = originsOf('sandbox');
  const { authorization, token } = authorizationServerEndpoints(origins, lob);
  const url = `${authorization}?${new URLSearchParams({
    client_id: app.clientId,
    response_type: 'code',
    redirect_uri: redirect,
    scope,
    state: 'of-the-app',
    aud: fhirBase(origins, lob, 'patient-access'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })}`;
  const back = await decide(url, memberOf('sandbox', lob, index), 'Share my data', redirect);
  const answer = await localFetch(token, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: redirect,
      code_verifier: verifier,
    }),
  });
  const { access_token } = (await answer.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`no token: ${answer.status}`);
  return access_token;
}

/**
 * Requests a client-credentials token.
 *
 * @returns the token.
 * @throws Error with the status otherwise
 */
export async function machineToken(app: App): Promise<string> {
  const answer = await localFetch(`${originsOf('sandbox').token}/token/v2`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-api-subscription-key': app.subscriptionKey,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      scope: app.machineScope ?? '',
    }),
  });
  const { access_token } = (await answer.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`no machine token: ${answer.status}`);
  return access_token;
}

/**
 * Reads the Patient of the LOB’s first member.
 *
 * @returns the status
 */
export async function read(app: App, lob: LineOfBusiness, token: string): Promise<number> {
  const { patientId } = memberOf('sandbox', lob);
  const answer = await localFetch(
    `${fhirBase(originsOf('sandbox'), lob, 'patient-access')}/Patient/${patientId}`,
    { headers: { authorization: `Bearer ${token}`, 'x-api-subscription-key': app.subscriptionKey } },
  );
  await answer.text();
  return answer.status;
}

/** Repeats calls until `end`. A call that returns a text has failed, for this reason. */
export function createLoad() {
  const failures: string[] = [];
  let over = false;
  const loops: Promise<void>[] = [];
  return {
    failures,
    repeatedly(pauseMs: number, call: () => Promise<string | undefined>) {
      const loop = async () => {
        while (!over) {
          const failure = await call().catch((error: unknown) => String(error));
          if (failure !== undefined) failures.push(failure);
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
      };
      loops.push(loop());
    },
    async end() {
      over = true;
      await Promise.all(loops);
    },
  };
}
