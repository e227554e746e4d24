import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '../../../local/system.ts';
import { type Resources, writeCloudAssembly } from '../cloud-assembly.ts';
import { petsApi } from '../pets.ts';

/** Source of a function that reads a pet from the table with its own role; the request has the form of a signed one. */
const petsHandler = `
const call = async (target, body) => {
  const response = await fetch(process.env.AWS_ENDPOINT_URL_DYNAMODB, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.' + target,
      'x-amz-date': '20261120T120000Z',
      authorization: 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID +
        '/20261120/us-east-2/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
};
exports.handler = async (event) => {
  if (process.env.GREETING === undefined) throw new Error('GREETING is not set');
  if (event.pathParameters === null) return { statusCode: 200, body: process.env.GREETING };
  const Key = { pk: { S: 'PET#' + event.pathParameters.id }, sk: { S: 'PET' } };
  const read = await call('GetItem', { TableName: process.env.TABLE, Key });
  return { statusCode: read.status, body: JSON.stringify(read.json) };
};`;

const guardHandler = `
exports.handler = async (event) => ({
  principalId: 'someone',
  policyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' }] },
  usageIdentifierKey: event.headers['x-pet-key'],
});`;

/** The pets' API with a table, whose pets the functions' role may read. */
function petsService(): Resources {
  const resources = petsApi();
  const { Variables } = (resources.Pets?.Properties?.Environment ?? {}) as {
    Variables: Record<string, unknown>;
  };
  Variables.TABLE = { Ref: 'Table' };
  resources.Table = {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    },
  };
  resources.Role = {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
        ],
      },
    },
  };
  resources.Policy = {
    Type: 'AWS::IAM::Policy',
    Properties: {
      PolicyName: 'read-pets',
      Roles: [{ Ref: 'Role' }],
      PolicyDocument: { Version: '2012-10-17', Statement: [readPets('dynamodb:GetItem', 'PET#*')] },
    },
  };
  return resources;
}

/** The only statement of the functions' role. */
export function readPets(action: string, leadingKeys: string) {
  return {
    Effect: 'Allow',
    Action: action,
    Resource: { 'Fn::GetAtt': ['Table', 'Arn'] },
    Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [leadingKeys] } },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Runs the pets' service from a template that the test has broken, while `work` runs. */
export async function withPets<T>(
  breakTemplate: (resources: Resources) => void,
  use: (
    call: (path: string, headers?: Record<string, string>) => Promise<Answer>,
    log: readonly string[],
  ) => Promise<T>,
): Promise<T> {
  const resources = petsService();
  breakTemplate(resources);
  const template = { Resources: resources };
  const assembly = writeCloudAssembly([{ name: 'pets', template }], {
    pets: petsHandler,
    guard: guardHandler,
  });
  const stateDirectory = mkdtempSync(join(tmpdir(), 'honesty-'));
  const log: string[] = [];
  try {
    const system = await startSystem({
      projectDirectory: assembly.directory,
      assemblyDirectory: assembly.directory,
      port: 0,
      stateDirectory,
      log: (line) => log.push(line),
      requestLog: (line) => log.push(line),
    });
    try {
      const keyed = await createKey(
        system.awsEndpoint,
        system.assembly.ofType('AWS::ApiGateway::UsagePlan')[0]?.physicalId,
      );
      return await use(
        (path, headers = { 'x-pet-key': keyed, authorization: 'x' }) => call(system.port, path, headers),
        log,
      );
    } finally {
      await system.stop();
    }
  } finally {
    assembly.remove();
    rmSync(stateDirectory, { recursive: true, force: true });
  }
}

/** Creates an API key as an operator does, and adds it to the usage plan if there is one. */
async function createKey(endpoint: string, usagePlanId: string | undefined): Promise<string> {
  const value = 'a-key-value-of-thirty-characters';
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${endpoint}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization:
          'AWS4-HMAC-SHA256 Credential=local-operator/20261120/us-east-2/apigateway/aws4_request, SignedHeaders=host, Signature=0',
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const key = await post('/apikeys', { name: 'test', value, enabled: true });
  if (usagePlanId !== undefined) {
    await post(`/usageplans/${usagePlanId}/keys`, { keyId: key.id, keyType: 'API_KEY' });
  }
  return value;
}

function call(port: number, path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path, headers: { host: `pets.localhost:${port}`, ...headers } },
      (incoming) => {
        let body = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk) => {
          body += chunk;
        });
        incoming.once('end', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body }),
        );
      },
    );
    outgoing.once('error', reject);
    outgoing.end();
  });
}
