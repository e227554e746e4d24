import {
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import * as oauth from 'oauth4webapi';
import { beforeAll, describe, expect, it } from 'vitest';
import { fhirBase, memberIssuer } from '../../lambdas/catalog/addresses.ts';
import type { ClientJwk } from '../../lambdas/catalog/oauth/client-jwks.ts';
import type { ClientRegistration } from '../../lambdas/clients/provisioning/registration-contract.ts';
import { runOps } from '../../ops/program.ts';
import {
  decide,
  localFetch,
  memberOf,
  originsOf,
  redirectUri,
  register,
  registrationOf,
  runningSystem,
} from './journey.ts';
import { systemFile } from './system-file.ts';

/** An app's use of tokens through an independent client library. */

/** oauth4webapi refuses plain http, and Node can't resolve `*.localhost`; all other checks of the library are on. */
const http = {
  [oauth.customFetch]: (url: string, options: object) => localFetch(url, options),
  [oauth.allowInsecureRequests]: true,
};
const lob = 'DSNP';
const lasting = 'openid fhirUser launch/patient offline_access patient/Patient.rs';

interface App {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authenticate: oauth.ClientAuth;
  readonly subscriptionKey: string;
}

/** Connects with only the FHIR base and the app's credentials, as in SMART App Launch. */
async function connect(
  changes: Partial<ClientRegistration> = {},
  authenticate = (_clientId: string, secret: string): oauth.ClientAuth => oauth.ClientSecretBasic(secret),
): Promise<App> {
  const base = fhirBase(originsOf('sandbox'), lob, 'patient-access');
  const smart = (await (await localFetch(`${base}/.well-known/smart-configuration`)).json()) as {
    readonly issuer: string;
  };
  const issuer = new URL(smart.issuer);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oidc' }),
  );
  const { clientId, clientSecret, subscriptionKey } = await register('sandbox', registrationOf(lob, changes));
  const client = { client_id: clientId };
  return { server, client, authenticate: authenticate(clientId, clientSecret), subscriptionKey };
}

async function authorize(
  { server, client, authenticate }: App,
  scope = lasting,
  member = memberOf('sandbox', lob),
): Promise<oauth.TokenEndpointResponse> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const aud = fhirBase(originsOf('sandbox'), lob, 'patient-access');
  const authorization = new URL(server.authorization_endpoint ?? '');
  authorization.search = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    state,
    aud,
    resource: aud,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const callback = await decide(authorization.href, member);
  const parameters = oauth.validateAuthResponse(server, client, callback, state);
  const options = { ...http, additionalParameters: { resource: aud } };
  return await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authenticate,
      parameters,
      redirectUri,
      verifier,
      options,
    ),
  );
}

async function refresh(app: App, token: string, scope?: string): Promise<oauth.TokenEndpointResponse> {
  const { server, client, authenticate } = app;
  const options = scope === undefined ? http : { ...http, additionalParameters: { scope } };
  return await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, authenticate, token, options),
  );
}

/** The OAuth error of a refused request; `none` if it succeeded. */
async function errorOf(request: Promise<unknown>): Promise<string> {
  try {
    await request;
    return 'none';
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) return error.error;
    throw error;
  }
}

async function readPatient({ subscriptionKey }: App, accessToken: string): Promise<number> {
  const { patientId } = memberOf('sandbox', lob);
  const base = fhirBase(originsOf('sandbox'), lob, 'patient-access');
  const answer = await localFetch(`${base}/Patient/${patientId}`, {
    headers: { authorization: `Bearer ${accessToken}`, 'x-api-subscription-key': subscriptionKey },
  });
  return answer.status;
}

async function introspect({ server, client, authenticate }: App, token: string) {
  return await oauth.processIntrospectionResponse(
    server,
    client,
    await oauth.introspectionRequest(server, client, authenticate, token, http),
  );
}

async function revoke({ server, client, authenticate }: App, token: string): Promise<void> {
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, authenticate, token, http),
  );
}

/** Disables and enables a user of the sandbox's user pool, as an operator does with the AWS CLI. */
function userPool(Username: string) {
  const { awsEndpoint: endpoint, region, credentials, outputs = {} } = runningSystem();
  const client = new CognitoIdentityProviderClient({ endpoint, region, credentials });
  const user = { UserPoolId: outputs['sandbox-Data']?.MemberPoolId ?? '', Username };
  return {
    disable: async () => await client.send(new AdminDisableUserCommand(user)),
    enable: async () => await client.send(new AdminEnableUserCommand(user)),
  };
}

/**
 * Runs `members sweep-accounts`.
 *
 * @returns its output
 */
async function sweep(): Promise<string> {
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
  await runOps(['members', 'sweep-accounts', '--system', systemFile()], {}, terminal);
  return lines.join('\n');
}

const refreshTokenOf = ({ refresh_token }: oauth.TokenEndpointResponse): string => refresh_token ?? '';

describe('an app with lasting access', () => {
  let app: App;
  beforeAll(async () => {
    app = await connect();
  });

  it('refreshes, narrower too, and reads on', async () => {
    const first = await authorize(app);
    expect(first.scope?.split(' ').sort()).toEqual(lasting.split(' ').sort());
    const second = await refresh(app, refreshTokenOf(first));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.patient).toBe(first.patient);
    expect(await readPatient(app, second.access_token)).toBe(200);
    const narrow = await refresh(app, refreshTokenOf(second), 'patient/Patient.r');
    expect(narrow.scope).toBe('patient/Patient.r');
    expect(await readPatient(app, narrow.access_token)).toBe(200);
    expect(await errorOf(refresh(app, refreshTokenOf(narrow), 'patient/*.rs'))).toBe('invalid_scope');
    expect((await refresh(app, refreshTokenOf(narrow))).scope).toBe(first.scope);
  });

  it('gets the same successor when its answer was lost, and loses all when two hold a token', async () => {
    const first = refreshTokenOf(await authorize(app));
    const second = await refresh(app, first);
    expect(refreshTokenOf(await refresh(app, first))).toBe(second.refresh_token);
    const third = await refresh(app, refreshTokenOf(second));
    expect(await readPatient(app, third.access_token)).toBe(200);
    expect(await errorOf(refresh(app, first))).toBe('invalid_grant');
    expect(await readPatient(app, third.access_token)).toBe(401);
    expect(await errorOf(refresh(app, refreshTokenOf(third)))).toBe('invalid_grant');
  });

  it('has one successor of 100 refreshes at once', async () => {
    const first = refreshTokenOf(await authorize(app));
    const successors = new Set<string>();
    const refused = new Set<string>();
    const requests = Array.from({ length: 100 }, async () => {
      try {
        successors.add(refreshTokenOf(await refresh(app, first)));
      } catch (error) {
        refused.add(error instanceof oauth.ResponseBodyError ? error.error : String(error));
      }
    });
    await Promise.all(requests);
    expect(successors.size).toBe(1);
    // The store may refuse some requests under this load; they are repeated within the grace period.
    expect(
      [...refused].filter((code) => !['invalid_grant', 'temporarily_unavailable'].includes(code)),
    ).toEqual([]);
    const [successor = ''] = successors;
    expect(refreshTokenOf(await refresh(app, successor))).not.toBe(successor);
  });

  it('gives access back: the next read fails, and so does the refresh', async () => {
    for (const which of ['refresh_token', 'access_token'] as const) {
      const tokens = await authorize(app);
      expect(await readPatient(app, tokens.access_token)).toBe(200);
      await revoke(app, tokens[which] ?? '');
      expect(await readPatient(app, tokens.access_token)).toBe(401);
      expect(await errorOf(refresh(app, refreshTokenOf(tokens)))).toBe('invalid_grant');
      await revoke(app, tokens[which] ?? '');
    }
    await revoke(app, 'never-issued');
  });

  it('refreshes no more once its member’s account is disabled in the user pool and swept', async () => {
    const member = memberOf('sandbox', lob, 1);
    const pool = userPool(member.memberId);
    const first = await refresh(app, refreshTokenOf(await authorize(app, lasting, member)));
    await pool.disable();
    try {
      expect(await sweep()).toMatch(/^[1-9]\d* disabled, /);
      expect(await errorOf(refresh(app, refreshTokenOf(first)))).toBe('invalid_grant');
    } finally {
      await pool.enable();
    }
    expect(await sweep()).toMatch(/, [1-9]\d* enabled /);
    const again = await authorize(app, lasting, member);
    expect((await refresh(app, refreshTokenOf(again))).access_token).toBeDefined();
  });

  it('asks what its tokens are worth, and nobody else’s', async () => {
    const tokens = await authorize(app);
    const answer = await introspect(app, tokens.access_token);
    expect(answer).toMatchObject({
      active: true,
      iss: memberIssuer(originsOf('sandbox'), lob),
      aud: fhirBase(originsOf('sandbox'), lob, 'patient-access'),
      client_id: app.client.client_id,
      scope: tokens.scope,
      patient: tokens.patient,
      token_type: 'Bearer',
    });
    expect(await introspect(app, refreshTokenOf(tokens))).toMatchObject({ active: true });
    const other = await connect();
    expect(await introspect(other, tokens.access_token)).toEqual({ active: false });
    expect(await errorOf(revoke(other, tokens.access_token))).toBe('invalid_grant');
    expect(await readPatient(app, tokens.access_token)).toBe(200);
    await revoke(app, tokens.access_token);
    expect(await introspect(app, tokens.access_token)).toEqual({ active: false });
  });

  it('gets no refresh token unless it asked for lasting access', async () => {
    const tokens = await authorize(app, 'openid online_access patient/Patient.rs');
    expect(tokens.refresh_token).toBeUndefined();
    expect(tokens.scope).toBe('openid patient/Patient.rs');
  });

  it('is told where its tokens are good, and gets none for elsewhere', async () => {
    const { server, client, authenticate } = app;
    const token = refreshTokenOf(await authorize(app));
    const options = { ...http, additionalParameters: { resource: 'https://evil.example/fhir' } };
    const request = oauth
      .refreshTokenGrantRequest(server, client, authenticate, token, options)
      .then((answer) => oauth.processRefreshTokenResponse(server, client, answer));
    expect(await errorOf(request)).toBe('invalid_target');
  });
});

describe('an app of another kind', () => {
  it('shows its secret in the body', async () => {
    const app = await connect({ tokenEndpointAuthMethod: 'client_secret_post' }, (_id, secret) =>
      oauth.ClientSecretPost(secret),
    );
    const tokens = await refresh(app, refreshTokenOf(await authorize(app)));
    expect(await readPatient(app, tokens.access_token)).toBe(200);
    await revoke(app, tokens.access_token);
  });

  it('has no secret, refreshes by rotation, and revokes', async () => {
    const app = await connect(
      { tokenEndpointAuthMethod: 'none', grantTypes: ['authorization_code'] },
      oauth.None,
    );
    const tokens = await refresh(app, refreshTokenOf(await authorize(app)));
    expect(await readPatient(app, tokens.access_token)).toBe(200);
    expect(await errorOf(introspect(app, tokens.access_token))).toBe('invalid_client');
    await revoke(app, refreshTokenOf(tokens));
    expect(await readPatient(app, tokens.access_token)).toBe(401);
  });
});

describe('an app that signs with its own key', () => {
  let keys: Awaited<ReturnType<typeof oauth.generateKeyPair>>;
  let jwk: ClientJwk;
  beforeAll(async () => {
    keys = await oauth.generateKeyPair('ES384', { extractable: true });
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey);
    jwk = { kty, crv, x, y, kid: 'mine', alg: 'ES384' } as ClientJwk;
  });
  const signed = () => oauth.PrivateKeyJwt({ key: keys.privateKey, kid: 'mine' });
  const registration = (): Partial<ClientRegistration> => ({
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [jwk] },
  });

  it('gets, refreshes, introspects and revokes a member’s tokens', async () => {
    const app = await connect(registration(), signed);
    const tokens = await refresh(app, refreshTokenOf(await authorize(app)));
    expect(await readPatient(app, tokens.access_token)).toBe(200);
    expect(await introspect(app, tokens.access_token)).toMatchObject({ active: true });
    await revoke(app, tokens.access_token);
    expect(await readPatient(app, tokens.access_token)).toBe(401);
  });

  it('gets a token of its own from the machine-to-machine host, each assertion once', async () => {
    const origins = originsOf('sandbox');
    const issuer = new URL(origins.token);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oauth2' }),
    );
    expect(server.token_endpoint_auth_methods_supported).toContain('private_key_jwt');
    const { clientId, subscriptionKey } = await register('sandbox', registrationOf(lob, registration()));
    const client = { client_id: clientId };
    const [scope = ''] = server.scopes_supported ?? [];
    const bodies: URLSearchParams[] = [];
    const watched: oauth.ClientAuth = async (as, by, body, headers) => {
      // SMART Backend Services: the audience of the assertion is the token endpoint.
      const toEndpoint = oauth.PrivateKeyJwt(
        { key: keys.privateKey, kid: 'mine' },
        { [oauth.modifyAssertion]: (_header, payload) => Object.assign(payload, { aud: as.token_endpoint }) },
      );
      await toEndpoint(as, by, body, headers);
      bodies.push(body);
    };
    const headers = { 'x-api-subscription-key': subscriptionKey };
    const ask = async (asked: string) =>
      await oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(
          server,
          client,
          watched,
          { scope: asked },
          { ...http, headers: new Headers(headers) },
        ),
      );
    expect((await ask(scope)).scope).toBe(scope);
    expect((await ask(`system/*.rs ${scope}`)).scope).toBe(scope);
    expect(await errorOf(ask('system/*.rs'))).toBe('invalid_scope');

    const replayed = await localFetch(server.token_endpoint ?? '', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: String(bodies[0]),
    });
    expect(replayed.status).toBe(401);
    expect(await replayed.json()).toMatchObject({ error: 'invalid_client' });
  });
});
