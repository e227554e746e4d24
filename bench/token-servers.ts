/** Starts the token endpoints of the benchmarks, each in a process of its own, with the client and the requests that are measured. */

import { spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { environmentVariables } from '../lambdas/catalog/environment-variables.ts';
import { clientKey } from '../lambdas/platform/table/table-keys.ts';
import { benchClientId, benchResourceId, type Fixture } from './fixture.ts';

const secretArn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:bench';

/** The client of all token measurements, to which the fixture's member token was issued. */
export const benchClient = { clientId: benchClientId, clientSecret: 'bench-secret-of-a-client' } as const;

export async function putClient(fixture: Fixture): Promise<void> {
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
        ...clientKey(benchClient.clientId),
        clientId: benchClient.clientId,
        state: 'active',
        clientName: 'Benchmark',
        grantTypes: ['authorization_code', 'client_credentials'],
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
            sha256: createHash('sha256').update(benchClient.clientSecret).digest('hex'),
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

/** Starts a server that answers GetSecretValue with one current signing key, as the key rotation stores it. */
export async function startSecrets(): Promise<Server> {
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

export function benchEnvironment(fixture: Fixture, secrets: Server): Record<string, string> {
  return {
    ...fixture.environment,
    [environmentVariables.resourceId]: benchResourceId,
    [environmentVariables.signingSecrets]: JSON.stringify({ M2M: secretArn, DSNP: secretArn }),
    [environmentVariables.clientAccessTokenSeconds]: '300',
    [environmentVariables.memberAccessTokenSeconds]: '1800',
    [environmentVariables.grantDays]: '395',
    [environmentVariables.refreshIdleDays]: '100',
    [environmentVariables.tokenRequestsPerMinute]: '100000000',
    [environmentVariables.memberPoolId]: 'us-east-1_members',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(secrets.address() as AddressInfo).port}`,
  };
}

/** A server of `bench/` in a process of its own. */
export interface BenchServer {
  readonly url: string;
  /** CPU time of the process and all its threads so far, in milliseconds. */
  cpuMs(): Promise<number>;
  stop(): void;
}

/** @throws Error if the process ends before it listens. */
export async function startTokenServer(
  [script = '', ...args]: readonly string[],
  environment: Record<string, string>,
): Promise<BenchServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      const listening = /listening (\d+)/.exec(String(chunk));
      if (listening?.[1] !== undefined) resolve(listening[1]);
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async cpuMs() {
      const answer = once(child, 'message') as Promise<[NodeJS.CpuUsage]>;
      child.send('cpu');
      const [{ user, system }] = await answer;
      return (user + system) / 1_000;
    },
    stop: () => child.kill(),
  };
}

/**
 * Posts one form again and again, `concurrency` requests at a time. Returns the answers a second.
 *
 * @throws Error if an answer is not the expected one
 */
export async function perSecond(load: {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly answer: RegExp;
  readonly calls: number;
  readonly concurrency: number;
}): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.concurrency });
  const body = new URLSearchParams(load.form).toString();
  let left = load.calls;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: load.concurrency }, async () => {
      while (left-- > 0) {
        const text = await post(agent, load.url, body);
        if (!load.answer.test(text)) throw new Error(`${load.url} answered ${text}`);
      }
    }),
  );
  agent.destroy();
  return load.calls / ((performance.now() - startedAt) / 1_000);
}

export async function post(agent: Agent, url: string, body: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
    };
    const outgoing = httpRequest(url, { method: 'POST', agent, headers }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += String(chunk);
      });
      incoming.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
