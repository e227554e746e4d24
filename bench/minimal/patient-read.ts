/** The smallest function that can read a Patient from the table: the reference of the benchmark of `patient-access`. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { createLocalJWKSet, jwtVerify } from 'jose';

/**
 * A minimal Patient read with common packages (jose, the AWS SDK's document client). It makes the same store calls with the same guarantees
 * as `patient-access`: verifies the token, reads grant and resource in one consistent round trip, and writes the audit event in parallel.
 * It has no limits, no error dialects, no content negotiation, and no cache except that of the keys.
 */
const table = process.env.TABLE_NAME ?? '';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
let keySet: ReturnType<typeof createLocalJWKSet> | undefined;

async function keys(lob: string): Promise<ReturnType<typeof createLocalJWKSet>> {
  if (keySet === undefined) {
    const answer = await client.send(
      new GetCommand({ TableName: table, Key: { pk: `${lob}#JWKS`, sk: 'JWKS' } }),
    );
    keySet = createLocalJWKSet(JSON.parse(String(answer.Item?.jwks)));
  }
  return keySet;
}

export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const lob = process.env.LINE_OF_BUSINESS ?? '';
  const bearer = String(event.headers.Authorization).slice('Bearer '.length);
  const { payload } = await jwtVerify(bearer, await keys(lob), { algorithms: ['RS256'], typ: 'at+jwt' });
  const time = new Date().toISOString();
  const [read] = await Promise.all([
    client.send(
      new BatchGetCommand({
        RequestItems: {
          [table]: {
            Keys: [
              { pk: `${lob}#GRANT#${payload.patient}`, sk: String(payload.grant) },
              { pk: `${lob}#PATIENT#${payload.patient}`, sk: `RESOURCE#Patient#${event.pathParameters?.id}` },
            ],
            ConsistentRead: true,
          },
        },
      }),
    ),
    client.send(
      new PutCommand({
        TableName: table,
        Item: {
          pk: `AUDIT#${lob}#PATIENT#${payload.patient}`,
          sk: `${time}#${event.requestContext.requestId}-${Math.random()}`,
          action: 'Patient.read',
          outcome: 'disclosed',
          actor: String(payload.sub),
          clientId: String(payload.client_id),
          grantId: String(payload.grant),
          patientId: String(payload.patient),
          lob,
          environment: 'sandbox',
          requestId: event.requestContext.requestId,
          time,
          resource: `Patient/${event.pathParameters?.id}`,
        },
      }),
    ),
  ]);
  const items = read.Responses?.[table] ?? [];
  const grant = items.find((item) => item.sk === payload.grant);
  const resource = items.find((item) => String(item.sk).startsWith('RESOURCE#'));
  if (grant?.state !== 'active' || resource === undefined) return { statusCode: 404, body: '' };
  return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: String(resource.json) };
}
