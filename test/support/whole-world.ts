import { createHash, randomUUID } from 'node:crypto';
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyResult,
  APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';
import { decodeJwt } from 'jose';
import type { OAuthClient } from '../../lambdas/authorization/oauth/oauth-client.ts';
import type { ApiHandler } from '../../lambdas/platform/http/pipeline.ts';
import type { Item } from '../../lambdas/platform/table/table.ts';
import { grantKey, patientResourceKey, subscriptionKeyKey } from '../../lambdas/platform/table/table-keys.ts';
import { theMember } from '../authorization/builders.ts';
import { type HandlerWorld, startHandlerWorld } from '../authorization/handler-world.ts';
import { gatewayEvent } from '../fhir/gateway-event.ts';

/** The authorization server and DSNP's Patient Access together, over one table: from the authorization request to the member's data. */
export interface WholeWorld extends HandlerWorld {
  /** Registers an application with a subscription key. */
  application(changes?: Parameters<HandlerWorld['register']>[0]): Promise<Application>;
  /**
   * Reads the member's Patient through authorizer and function, as the gateway calls them.
   *
   * @returns the HTTP status
   */
  read(application: Application, token: string): Promise<number>;
  /** Sets the state of an application and its key, as provisioning does. */
  setState(application: Application, state: OAuthClient['state']): Promise<void>;
  /** The grant that an access token names. */
  grantOf(token: string): Promise<Item | undefined>;
  /** Audit events of the member and the application with this request ID. */
  eventsOf(application: Application, requestId: string): Promise<readonly Item[]>;
}

export interface Application {
  readonly client: OAuthClient;
  readonly key: string;
}

const patientPath = '/extfhirpatientaccess/v1/Patient/{id}';

export async function startWholeWorld(settings: Readonly<Record<string, string>> = {}): Promise<WholeWorld> {
  const world = await startHandlerWorld(settings);
  process.env.LINE_OF_BUSINESS = 'DSNP';
  process.env.SUBSCRIPTION_KEY = 'required';
  process.env.DIRECTORY_ACCESS = 'subscription';
  const [{ handler: authorizer }, { handler: patientAccess }] = await Promise.all([
    import('../../lambdas/authorization/authorizer.handler.ts'),
    import('../../lambdas/patient-access/patient-access.handler.ts'),
  ]);
  await world.table.put({
    ...patientResourceKey('DSNP', theMember.patientId, 'Patient', theMember.patientId),
    json: `{"resourceType":"Patient","id":"${theMember.patientId}"}`,
    versionId: '1',
    lastUpdated: '2026-11-20T10:00:00.123+00:00',
  });
  const putKey = async ({ client, key }: Application, state: OAuthClient['state']) =>
    await world.table.put({
      ...subscriptionKeyKey('DSNP', sha256(key)),
      clientId: client.clientId,
      products: client.products,
      apiKeyId: client.clientId,
      state,
    });
  return {
    ...world,
    async application(changes) {
      const application = { client: await world.register(changes), key: randomUUID() };
      await putKey(application, 'active');
      return application;
    },
    read: (application, token) => read(authorizer, patientAccess, application, token),
    async setState(application, state) {
      await world.register({ ...application.client, state });
      await putKey(application, state);
    },
    async grantOf(token) {
      const { patient, grant } = decodeJwt(token);
      return await world.table.get(grantKey('DSNP', String(patient), String(grant)));
    },
    async eventsOf({ client }, requestId) {
      const partitions = [`PATIENT#${theMember.patientId}`, `CLIENT#${client.clientId}`];
      const pages = partitions.map((subject) =>
        world.table.query({ pk: `AUDIT#DSNP#${subject}`, descending: true, limit: 200 }),
      );
      return (await Promise.all(pages)).flatMap(({ items }) =>
        // The event of an HTTP call has the client's request ID in addition to API Gateway's; the event of an invocation has only one ID.
        items.filter((item) => [item.clientRequestId, item.requestId].includes(requestId)),
      );
    },
  };
}

type Authorizer = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/** Reads without the gateway's cache, so that each call is authorized. An authorizer that throws gives 503, as at the gateway. */
async function read(
  authorizer: Authorizer,
  patientAccess: ApiHandler,
  { key }: Application,
  token: string,
): Promise<number> {
  const decision = await authorizer({
    resource: patientPath,
    methodArn: 'arn:aws:execute-api:us-east-1:111111111111:api1/live/GET/x',
    headers: { 'x-api-subscription-key': key, Authorization: `Bearer ${token}` },
    requestContext: { requestId: 'gateway' },
  } as unknown as APIGatewayRequestAuthorizerEvent).catch(() => undefined);
  if (decision === undefined) return 503;
  if (decision.policyDocument.Statement[0]?.Effect !== 'Allow') return 401;
  if (decision.usageIdentifierKey === undefined || decision.usageIdentifierKey === null) return 403;
  const context = Object.entries(decision.context ?? {}).map(([name, value]) => [name, String(value)]);
  const answer: APIGatewayProxyResult = await patientAccess(
    gatewayEvent({
      resource: patientPath,
      id: theMember.patientId,
      authorizer: Object.fromEntries(context),
    }),
  );
  return answer.statusCode;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
