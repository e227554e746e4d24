import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { exportJWK, generateKeyPair, UnsecuredJWT } from 'jose';
import { vi } from 'vitest';
import { createJwksStore } from '../../lambdas/authorization/store/jwks-store.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { TokenIssuer } from '../../lambdas/catalog/oauth/token-issuer.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import { clientKey, memberKey } from '../../lambdas/platform/table/table-keys.ts';
import { mockClient } from '../support/client-doubles.ts';
import { startTestEngine, testCredentials } from '../support/engine.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { aClient, theMember } from './builders.ts';

export type Handler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

/** The deployed handlers over the real engine. Cognito, KMS and SES are mocked SDK clients; Secrets Manager is a local server. */
export interface HandlerWorld {
  /** The handler of all members' pages: those of connected apps are passed on to the function that serves them. */
  readonly authorize: Handler;
  readonly token: Handler;
  readonly userinfo: Handler;
  readonly discovery: Handler;
  readonly machineToken: Handler;
  readonly table: Table;
  /** The proxy between the functions and the store. */
  readonly proxy: FaultyProxy;
  /** Texts of the mails sent so far. */
  mails(): readonly string[];
  /** All lines that the functions have logged. */
  readonly logLines: readonly string[];
  /** Runs something while every call of the functions to the store fails. */
  withoutStore<T>(run: () => Promise<T>): Promise<T>;
  register(changes?: Parameters<typeof aClient>[0]): Promise<ReturnType<typeof aClient>>;
  stop(): Promise<void>;
}

export const origins = {
  auth: 'https://auth.sandbox.example.org',
  token: 'https://token.sandbox.example.org',
  apiTemplate: 'https://{lob}.api.sandbox.example.org',
};
export const resourceId = '11111111-2222-4333-8444-555555555555';
const authorities: readonly TokenIssuer[] = ['DSNP', 'MAPD', 'M2M'];

/** @param settings environment variables that differ from the default */
export async function startHandlerWorld(
  settings: Readonly<Record<string, string>> = {},
): Promise<HandlerWorld> {
  const engine = await startTestEngine();
  const proxy = await startFaultyProxy(engine.endpoint);
  const table = createSignedTable(engine);
  const secretServer = await startSecretServer(await signingSecrets(table));
  Object.assign(process.env, environment(proxy.endpoint, engine.tableName), settings, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretServer.endpoint,
  });
  const post = mockClient(SESClient).resolves({});
  const doubles = [doubleCognito(table), doubleKms(), post];
  const logLines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => logLines.push(String(line)));
  for (const lob of ['DSNP', 'MAPD'] as const) await linkMember(table, lob);
  const [authorize, connectedApps, token, userinfo, discovery, machineToken] = await Promise.all([
    import('../../lambdas/authorization/authorize.handler.ts'),
    import('../../lambdas/authorization/connected-apps.handler.ts'),
    import('../../lambdas/authorization/token.handler.ts'),
    import('../../lambdas/authorization/userinfo.handler.ts'),
    import('../../lambdas/authorization/discovery.handler.ts'),
    import('../../lambdas/authorization/machine-token.handler.ts'),
  ]);
  return {
    authorize: (event) =>
      event.path.endsWith('/connected-apps') ? connectedApps.handler(event) : authorize.handler(event),
    token: token.handler,
    userinfo: userinfo.handler,
    discovery: discovery.handler,
    machineToken: machineToken.handler,
    table,
    proxy,
    mails: () =>
      post
        .commandCalls(SendEmailCommand)
        .map(({ args: [sent] }) => sent.input.Message?.Body?.Text?.Data ?? ''),
    logLines,
    withoutStore: (run) => withoutStore(proxy, run),
    async register(changes) {
      const client = aClient(changes);
      await table.put({ ...clientKey(client.clientId), ...client });
      return client;
    },
    async stop() {
      for (const double of doubles) double.restore();
      log.mockRestore();
      secretServer.stop();
      await proxy.stop();
      await engine.stop();
    },
  };
}

async function withoutStore<T>(proxy: FaultyProxy, run: () => Promise<T>): Promise<T> {
  proxy.plan(...Array.from({ length: 30 }, () => 'drop' as const));
  try {
    return await run();
  } finally {
    proxy.plan();
  }
}

function environment(endpoint: string, tableName: string): Record<string, string> {
  return {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: testCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    ENVIRONMENT: 'sandbox',
    TABLE_NAME: tableName,
    AUTH_ORIGIN: origins.auth,
    TOKEN_ORIGIN: origins.token,
    API_ORIGIN_TEMPLATE: origins.apiTemplate,
    RESOURCE_ID: resourceId,
    SIGNING_SECRETS: JSON.stringify(Object.fromEntries(authorities.map((name) => [name, `arn:${name}`]))),
    MEMBER_POOL_ID: 'us-east-1_members',
    MEMBER_POOL_CLIENT_ID: 'poolclient',
    MEMBER_VERIFICATION: 'risk',
    CODE_DIGEST_KEY_ID: 'arn:code-digest-key',
    CONTACT_KEY_ID: 'arn:contact-key',
    TEXT_MESSAGE_COUNTRIES: '["US"]',
    ACTIVATION_FUNCTION: 'activation',
    PORTAL_ORIGIN: 'https://developer.example.org',
    MESSAGE_SENDER: 'no-reply@sandbox.example.org',
    MEMBER_ACCESS_TOKEN_SECONDS: '1800',
    CLIENT_ACCESS_TOKEN_SECONDS: '300',
    AUTHORIZATION_CODE_SECONDS: '60',
    INTERACTION_SECONDS: '900',
    GRANT_DAYS: '395',
    REFRESH_IDLE_DAYS: '100',
    TOKEN_REQUESTS_PER_MINUTE: '600',
    SUBSCRIPTION_KEY: 'required',
  };
}

/** Creates a signing key for each token issuer and publishes its public half in the table. Returns the secrets. */
async function signingSecrets(table: Table): Promise<ReadonlyMap<string, string>> {
  const entries = authorities.map(async (authority) => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const common = { kid: `${authority}-1`, alg: 'RS256', use: 'sig' };
    const jwk = { ...(await exportJWK(privateKey)), ...common };
    const { kty, n, e } = jwk;
    await createJwksStore(table).publish(
      authority,
      JSON.stringify({ keys: [{ kty, n, e, ...common }] }),
      new Date().toISOString(),
    );
    const keys = [{ state: 'current', jwk, since: new Date().toISOString() }];
    return [`arn:${authority}`, JSON.stringify({ keys })] as const;
  });
  return new Map(await Promise.all(entries));
}

/** Starts a server with the operation of Secrets Manager that functions use to read secrets. */
async function startSecretServer(secrets: ReadonlyMap<string, string>) {
  const server = createServer(async (request, response) => {
    const { SecretId } = (await json(request)) as { readonly SecretId: string };
    response.end(JSON.stringify({ SecretString: secrets.get(SecretId) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function doubleCognito(table: Table) {
  const double = mockClient(CognitoIdentityProviderClient);
  double.on(DescribeUserPoolClientCommand).resolves({ UserPoolClient: { ClientSecret: 'poolsecret' } });
  double
    .on(AdminInitiateAuthCommand)
    .callsFake(({ AuthParameters }: { AuthParameters: Record<string, string> }) => {
      const { USERNAME, PASSWORD } = AuthParameters;
      const sub = subOf(USERNAME);
      if (sub === undefined || PASSWORD !== theMember.password) {
        throw Object.assign(new Error('Incorrect username or password.'), { name: 'NotAuthorizedException' });
      }
      const IdToken = new UnsecuredJWT({ sub }).encode();
      return { AuthenticationResult: { IdToken } };
    });
  // Each sign-in has an e-mail address of its own, since an address gets at most five codes an hour.
  double.on(AdminGetUserCommand).callsFake(async ({ Username }: { Username: string }) => {
    const sub = subOf(Username);
    if (sub === undefined) throw Object.assign(new Error(), { name: 'UserNotFoundException' });
    if (!Username.startsWith('AWAY')) {
      for (const lob of ['DSNP', 'MAPD'] as const) await linkMember(table, lob, sub, Username);
    }
    const email = `rosa+${randomUUID()}@example.org`;
    const attributes = { sub, email, email_verified: 'true' };
    const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
    return { Enabled: true, UserStatus: 'CONFIRMED', UserAttributes };
  });
  return double;
}

/** The subject of the member's account, or of an account that `anotherName` or `uncoveredName` made. */
function subOf(username = ''): string | undefined {
  if (username === theMember.memberId) return theMember.sub;
  const [, ...parts] = /^(?:ROSA|AWAY)(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(username) ?? [];
  return parts.length === 0 ? undefined : parts.join('-').toLowerCase();
}

/** Returns the name of another account of the same patient, for which no failed sign-in is counted yet. */
export function anotherName(): string {
  return `ROSA${randomUUID().replaceAll('-', '').toUpperCase()}`;
}

/** Returns the name of an account with the member's password and without coverage in any LOB. */
export function uncoveredName(): string {
  return anotherName().replace('ROSA', 'AWAY');
}

function doubleKms() {
  const double = mockClient(KMSClient);
  double.on(GenerateMacCommand).callsFake(({ Message }: { Message: Uint8Array }) => ({
    Mac: createHmac('sha256', 'key of the test').update(Message).digest(),
  }));
  return double;
}

async function linkMember(
  table: Table,
  lob: LineOfBusiness,
  sub: string = theMember.sub,
  memberId: string = theMember.memberId,
): Promise<void> {
  const { patientId, displayName } = theMember;
  await table.put({ ...memberKey(lob, sub), patientId, memberId, displayName });
}
