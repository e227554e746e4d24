/** Starts an engine with one member's data and makes the tokens and events that the sections of `npm run bench` share. */

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type EnvironmentOrigins, fhirBase, memberIssuer } from '../lambdas/catalog/addresses.ts';
import { environmentVariables } from '../lambdas/catalog/environment-variables.ts';
import {
  grantKey,
  jwksKey,
  patientResourceKey,
  subscriptionKeyKey,
} from '../lambdas/platform/table/table-keys.ts';
import { startEngine } from '../local/aws/dynamodb/engine.ts';
import { syntheticMembers } from '../ops/generator/members.ts';
import { memberItems } from './member-items.ts';
import { samplePatient } from './sample-patient.ts';

const lob = 'DSNP';
export const benchClientId = '5b0c2a52-4f0e-4b1a-9a5c-0d7e4f3a2b10';
export const benchResourceId = 'bench-resource';
export const benchTable = 'bench';
const clientId = benchClientId;
export const benchGrantId = 'bench-grant';
const grantId = benchGrantId;
const subscriptionKey = 'bench-subscription-key-of-forty-characters';
const origins: EnvironmentOrigins = {
  auth: 'http://auth.sandbox.localhost:8080',
  token: 'http://token.sandbox.localhost:8080',
  apiTemplate: 'http://{lob}.api.sandbox.localhost:8080',
};

/**
 * An engine with one member's Patient and claims, an active grant, a subscription key and an access token, and the events that read the
 * data.
 */
export interface Fixture {
  readonly endpoint: string;
  /** Environment of the processes that run the functions. */
  readonly environment: Record<string, string>;
  /** Paths of files with the events that `bench/driver.mjs` takes. */
  readonly events: {
    /** File of the event that runs `patient-access` without its authorizer: a Patient read, with the context that API Gateway would add. */
    readonly read: string;
    /** File of the event that runs `patient-access` without its authorizer: a search page of ten claims of the member, newest first. */
    readonly search: string;
    /** The same search with every resource that the claims refer to. */
    readonly searchWithIncludes: string;
    /** Two events: for the LOB's authorizer, and for `patient-access`. */
    readonly authorizedRead: string;
  };
  readonly folder: string;
  readonly token: string;
  stop(): Promise<void>;
}

/**
 * @param options.durable whether the engine writes its data to a file, as the local system does.
 * @default in memory
 */
export async function startFixture(options: { readonly durable?: boolean } = {}): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'member-data-bench-'));
  const engine = await startEngine(options.durable === true ? { file: join(folder, 'table.sqlite') } : {});
  const patient = samplePatient;
  const { token, jwks } = await issueToken(patient.id);
  const tableName = benchTable;
  await fill(engine.endpoint, tableName, patient, jwks);
  const read = patientReadEvent(patient.id, token);
  const authorizer = { ...read, type: 'REQUEST', methodArn: read.methodArn, expectedStatus: undefined };
  const events = {
    read: join(folder, 'read.json'),
    search: join(folder, 'search.json'),
    searchWithIncludes: join(folder, 'search-with-includes.json'),
    authorizedRead: join(folder, 'authorized-read.json'),
  };
  writeFileSync(events.read, JSON.stringify([read]));
  writeFileSync(events.search, JSON.stringify([searchEvent(read, { _count: '10' })]));
  const includes = { _count: '10', _include: 'ExplanationOfBenefit:*' };
  writeFileSync(events.searchWithIncludes, JSON.stringify([searchEvent(read, includes)]));
  writeFileSync(events.authorizedRead, JSON.stringify([authorizer, read]));
  return {
    endpoint: engine.endpoint,
    environment: benchFunctionEnvironment(engine.endpoint),
    events,
    folder,
    token,
    async stop() {
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Environment of a process that runs the LOB's functions against the fixture's table. */
export function benchFunctionEnvironment(endpoint: string): Record<string, string> {
  return {
    [environmentVariables.environment]: 'sandbox',
    [environmentVariables.tableName]: benchTable,
    [environmentVariables.lineOfBusiness]: lob,
    [environmentVariables.subscriptionKey]: 'required',
    [environmentVariables.directoryAccess]: 'subscription',
    [environmentVariables.authOrigin]: origins.auth,
    [environmentVariables.tokenOrigin]: origins.token,
    [environmentVariables.apiOriginTemplate]: origins.apiTemplate,
    [environmentVariables.resourceId]: benchResourceId,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'AKIDBENCH',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    PATH: process.env.PATH ?? '',
  };
}

async function issueToken(patientId: string): Promise<{ token: string; jwks: string }> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = 'bench';
  const now = Math.floor(Date.now() / 1_000);
  const token = await new SignJWT({
    client_id: clientId,
    scope: 'openid patient/Patient.rs',
    environment: 'sandbox',
    lob,
    patient: patientId,
    grant: grantId,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
    .setIssuer(memberIssuer(origins, lob))
    .setAudience(fhirBase(origins, lob, 'patient-access'))
    .setSubject('bench-member')
    .setJti('bench-token')
    .setIssuedAt(now)
    .setExpirationTime(now + 3_600)
    .sign(privateKey);
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  return { token, jwks: JSON.stringify({ keys: [jwk] }) };
}

/** Creates a table with its keys and without data. */
export async function createBenchTable(client: DynamoDBClient, tableName: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
}

async function fill(
  endpoint: string,
  tableName: string,
  patient: typeof samplePatient,
  jwks: string,
): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDBENCH', secretAccessKey: 'bench' },
  });
  await createBenchTable(client, tableName);
  const now = new Date();
  const items = [
    { ...jwksKey(lob), jwks, updatedAt: now.toISOString() },
    {
      ...grantKey(lob, patient.id, grantId),
      grantId,
      clientId,
      sub: 'bench-member',
      patientId: patient.id,
      scope: 'openid patient/Patient.rs',
      state: 'active',
      createdAt: now.toISOString(),
      expiresAt: Math.floor(now.getTime() / 1_000) + 86_400,
    },
    {
      ...patientResourceKey(lob, patient.id, 'Patient', patient.id),
      json: JSON.stringify(patient),
      versionId: patient.meta.versionId,
      lastUpdated: patient.meta.lastUpdated,
    },
    {
      ...subscriptionKeyKey(lob, createHash('sha256').update(subscriptionKey).digest('hex')),
      clientId,
      products: ['patient-access'],
      apiKeyId: 'bench',
      state: 'active',
    },
  ];
  const documents = DynamoDBDocumentClient.from(client);
  for (const item of [...items, ...claimsOf(patient.id)])
    await documents.send(new PutCommand({ TableName: tableName, Item: item }));
  client.destroy();
}

/**
 * The items of a synthetic member's coverage, claims and the resources that claims refer to, as the ingest writes them to the patient's
 * partition.
 */
function claimsOf(patientId: string) {
  const [member] = syntheticMembers('sandbox').filter((each) => each.lob === lob);
  const resources = (member?.resources ?? [])
    .filter(({ resourceType }) => resourceType !== 'Patient')
    .map((resource) => ({
      ...resource,
      json: resource.json.replaceAll(member?.patientId ?? '', patientId),
    }));
  return memberItems(lob, patientId, resources);
}

function searchEvent(read: ReturnType<typeof patientReadEvent>, query: Readonly<Record<string, string>>) {
  const resource = '/extfhirpatientaccess/v1/ExplanationOfBenefit';
  const { requestContext } = read;
  const authorizer = { ...requestContext.authorizer, scope: 'openid patient/*.rs' };
  return {
    ...read,
    resource,
    path: resource,
    pathParameters: null,
    queryStringParameters: query,
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, [value]]),
    ),
    requestContext: { ...requestContext, resourcePath: resource, path: resource, authorizer },
  };
}

/** Event of a Patient read as API Gateway passes it to the function. */
export function patientReadEvent(patientId: string, token: string) {
  const path = `/extfhirpatientaccess/v1/Patient/${patientId}`;
  const headers = {
    Accept: 'application/json',
    Authorization: `Bearer ${token}`,
    Host: 'dsnp.api.sandbox.localhost:8080',
    'x-api-subscription-key': subscriptionKey,
  };
  const resource = '/extfhirpatientaccess/v1/Patient/{id}';
  return {
    methodArn: `arn:aws:execute-api:us-east-1:000000000000:bench/sandbox/GET${path}`,
    resource,
    path,
    httpMethod: 'GET',
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: { id: patientId },
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'bench-request',
      resourcePath: resource,
      httpMethod: 'GET',
      path,
      stage: 'sandbox',
      identity: { sourceIp: '127.0.0.1' },
      authorizer: {
        clientId,
        products: 'patient-access',
        grantId,
        patientId,
        scope: 'openid patient/Patient.rs',
        tokenId: 'bench-token',
        tokenExpiresAt: String(Math.floor(Date.now() / 1_000) + 3_600),
      },
    },
    expectedStatus: 200,
  };
}
