import { createHash, randomBytes } from 'node:crypto';
import { authorizationServerEndpoints, fhirBase } from '../../../lambdas/catalog/addresses.ts';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { decide, http, memberOf, originsOf, redirectUri } from '../journey.ts';
import type { Shown } from './applications.ts';

/** An application that runs in one environment with the credentials that the portal shows. */
export interface RunningApplication {
  /** The authorization request to which the application sends a member. */
  authorizationUrl(): string;
  /**
   * Obtains a token: a member signs in and shares.
   *
   * @returns the access token
   */
  token(): Promise<string>;
  /** Reads that member's Patient. @returns the status */
  read(token: string): Promise<number>;
}

export function runApplication(
  environment: Environment,
  lob: LineOfBusiness,
  { clientId, clientSecret, subscriptionKey }: Shown,
): RunningApplication {
  const origins = originsOf(environment);
  const endpoints = authorizationServerEndpoints(origins, lob);
  const base = fhirBase(origins, lob, 'patient-access');
  const member = memberOf(environment, lob);
  const verifier = randomBytes(32).toString('base64url');
  const authorizationUrl = () =>
    `${endpoints.authorization}?${new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'launch/patient patient/Patient.rs',
      state: 'of-the-app',
      aud: base,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })}`;
  return {
    authorizationUrl,
    async token() {
      const back = await decide(authorizationUrl(), member);
      const answer = await http({
        method: 'POST',
        url: endpoints.token,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: back.searchParams.get('code') ?? '',
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }).toString(),
      });
      const { access_token: token } = JSON.parse(answer.body) as { access_token?: string };
      if (token === undefined) throw new Error(`no token: ${answer.status} ${answer.body}`);
      return token;
    },
    async read(token) {
      const url = `${base}/Patient/${member.patientId}`;
      const headers = { authorization: `Bearer ${token}`, 'x-api-subscription-key': subscriptionKey };
      return (await http({ method: 'GET', url, headers })).status;
    },
  };
}
