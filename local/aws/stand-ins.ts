/** Composes the stand-ins: each service with its protocol, by signing name. */

import type { Assembly } from '../assembly/resources.ts';
import type { PublishMetric } from '../cloudwatch/metrics.ts';
import type { Inbox } from '../inbox/message.ts';
import type { InvokeFunction } from '../lambda/invocation.ts';
import type { AccountGap } from './account/account-gaps.ts';
import { accountServices } from './account/account-services.ts';
import type { ApiKeyStore } from './api-gateway/api-key-store.ts';
import { apiGateway } from './api-gateway/control-plane.ts';
import { apiGatewayRoutes } from './api-gateway/control-plane-routes.ts';
import { cognito } from './cognito/cognito.ts';
import { poolGroups } from './cognito/pool-groups.ts';
import { poolUsers } from './cognito/pool-users.ts';
import { userPools } from './cognito/user-pools.ts';
import { kms } from './kms/kms.ts';
import { kmsKeys } from './kms/kms-keys.ts';
import { lambda, lambdaRoutes } from './lambda/lambda.ts';
import type { LogStore } from './logs/log-store.ts';
import { logs } from './logs/logs.ts';
import { ses } from './messages/ses.ts';
import { sns } from './messages/sns.ts';
import { awsJson, awsQuery, restJson } from './protocol/protocol.ts';
import type { Service } from './protocol/service.ts';
import type { State } from './protocol/state.ts';
import type { ObjectStore } from './s3/object-store.ts';
import { s3Protocol } from './s3/protocol.ts';
import { type ObjectCreated, s3 } from './s3/s3.ts';
import type { SecretRotation } from './secrets-manager/rotation.ts';
import type { SecretStore } from './secrets-manager/secret-store.ts';
import { secretsManager } from './secrets-manager/secrets-manager.ts';
import { type Backend, secondMailApi } from './server.ts';
import type { Executions } from './step-functions/executions.ts';
import { stepFunctions } from './step-functions/step-functions.ts';

interface StandInDeps {
  readonly assembly: Assembly;
  readonly state: State;
  readonly keys: ApiKeyStore;
  readonly secrets: SecretStore;
  readonly rotation: SecretRotation;
  readonly inbox: Inbox;
  readonly logs: LogStore;
  readonly objects: ObjectStore;
  readonly objectCreated: ObjectCreated;
  readonly executions: Executions;
  readonly invoke: InvokeFunction;
  readonly throttled: boolean;
  readonly accountGaps: ReadonlySet<AccountGap>;
  readonly now: () => number;
  readonly log: (line: string) => void;
  readonly publish: PublishMetric;
}

/** All stand-ins by signing name, each with the protocol that its SDK client uses. */
export function standIns(deps: StandInDeps): ReadonlyMap<string, Backend> {
  const { assembly, state, now } = deps;
  const cognitoDeps = {
    pools: userPools(assembly, state),
    users: poolUsers(state, now),
    groups: poolGroups(assembly, state),
    now,
    throttled: deps.throttled,
  };
  const account = accountServices(assembly, deps.accountGaps, now);
  const query = (name: string, version: string, accessDenied: string) =>
    awsQuery(`http://${name}.amazonaws.com/doc/${version}/`, { accessDenied });
  return new Map<string, Backend>([
    ['acm', { protocol: awsJson('1.1', 'CertificateManager'), service: account.acm }],
    [
      'apigateway',
      {
        protocol: restJson([...apiGatewayRoutes, ...account.apigateway.routes]),
        service: together(apiGateway(assembly, deps.keys, now), account.apigateway),
      },
    ],
    [
      'cloudformation',
      { protocol: query('cloudformation', '2010-05-15', 'AccessDenied'), service: account.cloudformation },
    ],
    [
      'lambda',
      {
        protocol: restJson([...lambdaRoutes, ...account.lambda.routes]),
        service: together(lambda(assembly, deps.invoke, deps.log, deps.publish), account.lambda),
      },
    ],
    [
      'secretsmanager',
      {
        protocol: awsJson('1.1', 'secretsmanager'),
        service: account.secretsmanager(secretsManager(assembly, deps.secrets, deps.rotation)),
      },
    ],
    [
      'logs',
      {
        protocol: awsJson('1.1', 'Logs_20140328'),
        service: together(logs(assembly, deps.logs, now), account.logs),
      },
    ],
    ['s3', { protocol: s3Protocol, service: s3(assembly, deps.objects, deps.objectCreated) }],
    ['ssm', { protocol: awsJson('1.1', 'AmazonSSM'), service: account.ssm }],
    [
      'states',
      {
        protocol: awsJson('1.0', 'AWSStepFunctions'),
        service: together(stepFunctions(deps.executions), account.states),
      },
    ],
    ['kms', { protocol: awsJson('1.1', 'TrentService'), service: kms(kmsKeys(assembly, state)) }],
    [
      'cognito-idp',
      { protocol: awsJson('1.1', 'AWSCognitoIdentityProviderService'), service: cognito(cognitoDeps) },
    ],
    [
      'ses',
      {
        protocol: query('ses', '2010-12-01', 'AccessDenied'),
        service: ses(assembly, deps.inbox, deps.publish),
      },
    ],
    [secondMailApi, { protocol: restJson(account.sesv2.routes), service: account.sesv2 }],
    [
      'sns',
      {
        protocol: query('sns', '2010-03-31', 'AuthorizationError'),
        service: together(sns(deps.inbox, deps.publish), account.sns),
      },
    ],
    ['sts', { protocol: query('sts', '2011-06-15', 'AccessDenied'), service: account.sts }],
  ]);
}

/** A service and the part of it that describes the account, which replaces none of its operations. */
function together(service: Service, account: Service): Service {
  return { operations: { ...account.operations, ...service.operations } };
}
