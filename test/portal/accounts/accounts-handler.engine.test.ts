import { createHmac } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mockClient } from '../../support/client-doubles.ts';
import { startTestEngine, type TestEngine, testCredentials } from '../../support/engine.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/faulty-proxy.ts';
import { portalEvent, portalOrigin } from '../http/event.ts';
import { individual, password, terms } from './portal-world.ts';

/** The deployed function over the real engine; other AWS services are mocked SDK clients. */
let engine: TestEngine;
let proxy: FaultyProxy;
let handler: (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
const lines: string[] = [];
const codes: string[] = [];
const users = new Map<string, string>();
const doubles = [
  mockClient(CognitoIdentityProviderClient),
  mockClient(KMSClient),
  mockClient(SecretsManagerClient),
  mockClient(SESClient),
  mockClient(SNSClient),
];

beforeAll(async () => {
  engine = await startTestEngine();
  proxy = await startFaultyProxy(engine.endpoint);
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: testCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint,
    TABLE_NAME: engine.tableName,
    PORTAL_ORIGIN: portalOrigin,
    DEVELOPER_POOL_ID: 'us-east-1_developers',
    DEVELOPER_POOL_CLIENT_ID: 'poolclient',
    CODE_DIGEST_KEY_ID: 'arn:code-digest',
    MESSAGE_SENDER: 'no-reply@plan.example',
    BOT_CHECK_SECRET: 'arn:bot-check',
    BOT_CHECK_COST: '20',
    SIGN_IN_VERIFICATION: 'risk',
  });
  answerCalls();
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)));
  handler = (await import('../../../lambdas/portal/portal-accounts.handler.ts')).handler;
});
afterAll(async () => {
  for (const double of doubles) double.restore();
  vi.restoreAllMocks();
  await proxy.stop();
  await engine.stop();
});

function answerCalls() {
  const [cognito, kms, secrets, ses, sns] = doubles as unknown as ReturnType<typeof mockClient>[];
  const refusal = () => Object.assign(new Error('no'), { name: 'NotAuthorizedException' });
  cognito?.on(DescribeUserPoolClientCommand).resolves({ UserPoolClient: { ClientSecret: 'poolsecret' } });
  cognito?.on(AdminCreateUserCommand).callsFake(({ Username, MessageAction }) => {
    expect(MessageAction).toBe('SUPPRESS');
    users.set(Username, '');
    return {};
  });
  cognito?.on(AdminSetUserPasswordCommand).callsFake(({ Username, Password, Permanent }) => {
    expect(Permanent).toBe(true);
    users.set(Username, Password);
    return {};
  });
  cognito?.on(AdminInitiateAuthCommand).callsFake(({ AuthParameters: given }) => {
    const hash = createHmac('sha256', 'poolsecret').update(`${given.USERNAME}poolclient`).digest('base64');
    if (given.SECRET_HASH !== hash || users.get(given.USERNAME) !== given.PASSWORD) throw refusal();
    const IdToken = new UnsecuredJWT({ 'cognito:username': given.USERNAME }).encode();
    return { AuthenticationResult: { IdToken } };
  });
  kms?.on(GenerateMacCommand).callsFake(({ Message }) => ({
    Mac: createHmac('sha256', 'kms').update(Message).digest(),
  }));
  secrets?.on(GetSecretValueCommand).resolves({ SecretString: 'a random string of the portal' });
  const keep = (text = '') => {
    codes.push(/\b\d{6}\b/.exec(text)?.[0] ?? '');
    return {};
  };
  ses?.on(SendEmailCommand).callsFake(({ Message }) => keep(Message.Body.Text.Data));
  sns?.on(PublishCommand).callsFake(({ Message }) => keep(Message));
}

const cookies: Record<string, string> = {};
async function send(method: string, path: string, body?: unknown) {
  const answer = await handler(portalEvent({ method, path, body, cookies }));
  for (const line of answer.multiValueHeaders?.['Set-Cookie'] ?? []) {
    const [name = '', value = ''] = String(line).split(';', 1).join().split('=');
    cookies[name] = value;
  }
  return { status: answer.statusCode, body: answer.body === '' ? undefined : JSON.parse(answer.body) };
}

async function botCheck(): Promise<string> {
  const { body } = await send('GET', '/api/bot-check');
  expect(body.provider).toBe('altcha');
  const { challenge } = body;
  const solution = await solveChallenge({ challenge, deriveKey, counterStart: 1_000 });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

describe('the function portal-accounts', () => {
  const form = individual();

  it('takes a developer from a solved bot check to an active account and signs them in again', async () => {
    const begun = await send('POST', '/api/accounts', { ...form, botCheck: await botCheck() });
    expect(begun).toMatchObject({ status: 201, body: { state: 'pending_email' } });
    await send('POST', '/api/account/email-code', { code: codes.at(-1) });
    await send('POST', '/api/account/phone-code', { code: codes.at(-1) });
    expect((await send('POST', '/api/account/terms', terms)).body).toMatchObject({ state: 'active' });
    const signIn = { identifier: form.email, password, botCheck: await botCheck() };
    expect((await send('POST', '/api/session', signIn)).body).toMatchObject({ next: 'signed_in' });
    expect((await send('POST', '/api/session', signIn)).body).toMatchObject({ code: 'bot_check_failed' });
    const wrong = { ...signIn, password: 'not the password at all', botCheck: await botCheck() };
    expect((await send('POST', '/api/session', wrong)).body).toMatchObject({ code: 'sign_in_refused' });
  });

  it('answers 503 with nothing of the cause where the table does not answer', async () => {
    proxy.plan(...Array.from({ length: 30 }, () => 'drop' as const));
    const got = await send('GET', '/api/account');
    proxy.plan();
    expect(got).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  it('writes nothing of a person into its log', () => {
    const log = lines.join('\n');
    for (const secret of [
      form.email,
      password,
      form.mobilePhone,
      'Okafor',
      ...codes.filter((code) => code !== ''),
    ]) {
      expect(log).not.toContain(secret);
    }
  });
});
