import * as oauth from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { fhirBase, memberIssuer } from '../../lambdas/catalog/addresses.ts';
import { environments } from '../../lambdas/catalog/environments.ts';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { decide, localFetch, memberOf, originsOf, redirectUri, register, registrationOf } from './journey.ts';

/** oauth4webapi refuses plain http, and Node can't resolve `*.localhost`; all other checks of the library are on. */
const http = {
  [oauth.customFetch]: (url: string, options: object) => localFetch(url, options),
  [oauth.allowInsecureRequests]: true,
};

const everywhere = environments.flatMap((environment) =>
  lineOfBusinessCodes.map((lob) => ({ environment, lob })),
);

describe.each(
  everywhere,
)('an app of $lob in $environment, by a client library nobody here wrote', (where) => {
  const { environment, lob } = where;

  it('discovers, gets a member’s consent, and reads that member’s Patient', async () => {
    const origins = originsOf(environment);
    const member = memberOf(environment, lob);
    const { clientId, clientSecret, subscriptionKey } = await register(environment, registrationOf(lob));

    const issuer = new URL(memberIssuer(origins, lob));
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oauth2' }),
    );
    const client: oauth.Client = { client_id: clientId };
    const state = oauth.generateRandomState();
    const nonce = oauth.generateRandomNonce();
    const verifier = oauth.generateRandomCodeVerifier();
    const authorization = new URL(server.authorization_endpoint ?? '');
    authorization.search = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid fhirUser launch/patient patient/Patient.rs',
      state,
      nonce,
      aud: fhirBase(origins, lob, 'patient-access'),
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();

    const callback = await decide(authorization.href, member);
    const parameters = oauth.validateAuthResponse(server, client, callback, state);
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.ClientSecretBasic(clientSecret),
        parameters,
        redirectUri,
        verifier,
        http,
      ),
      { expectedNonce: nonce, requireIdToken: true },
    );
    expect(tokens.token_type).toBe('bearer');
    expect(tokens.expires_in).toBe(1_800);
    expect(tokens.patient).toBe(member.patientId);
    expect(oauth.getValidatedIdTokenClaims(tokens)?.fhirUser).toBe(
      `${fhirBase(origins, lob, 'patient-access')}/Patient/${member.patientId}`,
    );

    const answer = await oauth.protectedResourceRequest(
      tokens.access_token,
      'GET',
      new URL(`${fhirBase(origins, lob, 'patient-access')}/Patient/${member.patientId}`),
      new Headers({ 'x-api-subscription-key': subscriptionKey, accept: 'application/json' }),
      null,
      http,
    );
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(member.resources[0]?.json);
  });
});

describe.each(environments)('a machine in %s', (environment) => {
  it('gets a token from the machine-to-machine host, which reads no member’s data', async () => {
    const origins = originsOf(environment);
    const { clientId, clientSecret, subscriptionKey } = await register(environment, registrationOf('DSNP'));
    const issuer = new URL(origins.token);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oauth2' }),
    );
    expect(server.token_endpoint).toBe(`${origins.token}/token/v2`);
    const [scope] = server.scopes_supported ?? [];
    expect(scope).toMatch(/^.+\/\.default$/);
    const tokens = await oauth.processClientCredentialsResponse(
      server,
      { client_id: clientId },
      await oauth.clientCredentialsGrantRequest(
        server,
        { client_id: clientId },
        oauth.ClientSecretPost(clientSecret),
        { scope: scope ?? '' },
        { ...http, headers: new Headers({ 'x-api-subscription-key': subscriptionKey }) },
      ),
    );
    expect(tokens.expires_in).toBe(300);

    const member = memberOf(environment, 'DSNP');
    const refused = await localFetch(
      `${fhirBase(origins, 'DSNP', 'patient-access')}/Patient/${member.patientId}`,
      {
        headers: {
          authorization: `Bearer ${tokens.access_token}`,
          'x-api-subscription-key': subscriptionKey,
        },
      },
    );
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ resourceType: 'OperationOutcome' });
  });
});
