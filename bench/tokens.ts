import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { Agent, createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { environmentVariables } from '../lambdas/catalog/environment-variables.ts';
import { clientKey } from '../lambdas/storage/keys.ts';
import { bundleOf } from './bundles.ts';
import type { Fixture } from './fixture.ts';
import { median } from './process.ts';
import { atLeast, type Row } from './table.ts';

const section = 'Token issue, client credentials, RS256, 32 at once';
const clientId = 'bench-machine-client-0001';
const clientSecret = 'bench-secret-of-a-machine-client';
const resourceId = 'bench-resource';
const secretArn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:bench';
const concurrency = 32;

/**
 * Tokens a second by the machine-token function (client and secret from the store, rate counted, token signed, audit
 * event durable before the answer) beside oidc-provider with its in-memory store, which keeps nothing. Both are asked over
 * HTTP by the same client, in turns.
 */
export async function measureTokens(
  fixture: Fixture,
  effort: { readonly rounds: number; readonly calls: number },
): Promise<readonly Row[]> {
  await putClient(fixture);
  const secrets = await startSecrets();
  const ours = await startServer(
    [
      'function-server.mjs',
      bundleOf('machine-token'),
      JSON.stringify({ clientId, products: '' }),
      '/token/v2',
    ],
    functionEnvironment(fixture, secrets),
  );
  const theirs = await startServer(
    ['oidc-provider-server.mjs', clientId, clientSecret, 'https://bench.example'],
    {
      PATH: process.env.PATH ?? '',
    },
  );
  try {
    const rates = { ours: [] as number[], theirs: [] as number[] };
    const askOurs = () => tokensPerSecond(`${ours.url}/token/v2`, `${resourceId}/.default`, effort.calls);
    const askTheirs = () => tokensPerSecond(`${theirs.url}/token`, '.default', effort.calls);
    await askOurs();
    await askTheirs();
    for (let round = 0; round < effort.rounds; round++) {
      rates.ours.push(await askOurs());
      rates.theirs.push(await askTheirs());
    }
    const [our, their] = [median(rates.ours), median(rates.theirs)];
    return [
      { section, what: 'ours, durable and audited', value: our, unit: 'per second' },
      { section, what: 'oidc-provider, in memory', value: their, unit: 'per second' },
      atLeast({ section, what: 'ours / oidc-provider', value: our / their, unit: 'ratio' }, 1),
    ];
  } finally {
    ours.child.kill();
    theirs.child.kill();
    secrets.close();
  }
}

async function putClient(fixture: Fixture): Promise<void> {
  const now = new Date().toISOString();
  const client = new DynamoDBClient({
    endpoint: fixture.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDBENCH', secretAccessKey: 'bench' },
  });
  await DynamoDBDocumentClient.from(client).send(
    new PutCommand({
      TableName: fixture.environment[environmentVariables.tableName],
      Item: {
        ...clientKey(clientId),
        clientId,
        state: 'active',
        clientName: 'Benchmark',
        grantTypes: ['client_credentials'],
        tokenEndpointAuthMethod: 'client_secret_post',
        linesOfBusiness: ['DSNP'],
        products: ['patient-access'],
        redirectUris: [],
        attested: true,
        pkceRequired: true,
        tier: 'standard',
        secrets: [
          {
            secretId: 'bench',
            sha256: createHash('sha256').update(clientSecret).digest('hex'),
            encrypted: '',
            createdAt: now,
          },
        ],
        subscriptionKeys: [],
        createdAt: now,
        updatedAt: now,
      },
    }),
  );
  client.destroy();
}

/** Answers GetSecretValue with one current signing key, as the rotation would have left it. */
async function startSecrets(): Promise<Server> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' };
  const value = JSON.stringify({ keys: [{ state: 'current', jwk, since: new Date().toISOString() }] });
  const answer = { ARN: secretArn, Name: 'bench', SecretString: value, VersionStages: ['AWSCURRENT'] };
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.setHeader('content-type', 'application/x-amz-json-1.1').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function functionEnvironment(fixture: Fixture, secrets: Server): Record<string, string> {
  return {
    ...fixture.environment,
    [environmentVariables.resourceId]: resourceId,
    [environmentVariables.signingSecrets]: JSON.stringify({ M2M: secretArn }),
    [environmentVariables.clientAccessTokenSeconds]: '300',
    [environmentVariables.tokenRequestsPerMinute]: '100000000',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(secrets.address() as AddressInfo).port}`,
  };
}

async function startServer(
  [script = '', ...args]: readonly string[],
  environment: Record<string, string>,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      const listening = /listening (\d+)/.exec(String(chunk));
      if (listening?.[1] !== undefined) resolve(listening[1]);
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  return { child, url: `http://127.0.0.1:${port}` };
}

async function tokensPerSecond(url: string, scope: string, calls: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope,
  }).toString();
  let left = calls;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await post(agent, url, body);
    }),
  );
  agent.destroy();
  return calls / ((performance.now() - startedAt) / 1_000);
}

async function post(agent: Agent, url: string, body: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
    };
    const outgoing = httpRequest(url, { method: 'POST', agent, headers }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += String(chunk);
      });
      incoming.on('end', () => {
        if (incoming.statusCode === 200 && text.includes('access_token')) resolve();
        else reject(new Error(`${url} answered ${incoming.statusCode}: ${text}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
