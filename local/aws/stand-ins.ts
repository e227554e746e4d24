/** Composes the stand-ins: each service with its protocol, by signing name. */

import type { Assembly } from '../assembly/resources.ts';
import type { PublishMetric } from '../cloudwatch/metrics.ts';
import type { Inbox } from '../inbox/message.ts';
import type { InvokeFunction } from '../lambda/invocation.ts';
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
import type { State } from './protocol/state.ts';
import type { ObjectStore } from './s3/object-store.ts';
import { s3Protocol } from './s3/protocol.ts';
import { type ObjectCreated, s3 } from './s3/s3.ts';
import type { SecretRotation } from './secrets-manager/rotation.ts';
import type { SecretStore } from './secrets-manager/secret-store.ts';
import { secretsManager } from './secrets-manager/secrets-manager.ts';
import type { Backend } from './server.ts';
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
  return new Map<string, Backend>([
    ['apigateway', { protocol: restJson(apiGatewayRoutes), service: apiGateway(assembly, deps.keys, now) }],
    [
      'lambda',
      { protocol: restJson(lambdaRoutes), service: lambda(assembly, deps.invoke, deps.log, deps.publish) },
    ],
    [
      'secretsmanager',
      {
        protocol: awsJson('1.1', 'secretsmanager'),
        service: secretsManager(assembly, deps.secrets, deps.rotation),
      },
    ],
    ['logs', { protocol: awsJson('1.1', 'Logs_20140328'), service: logs(assembly, deps.logs, now) }],
    ['s3', { protocol: s3Protocol, service: s3(assembly, deps.objects, deps.objectCreated) }],
    ['states', { protocol: awsJson('1.0', 'AWSStepFunctions'), service: stepFunctions(deps.executions) }],
    ['kms', { protocol: awsJson('1.1', 'TrentService'), service: kms(kmsKeys(assembly, state)) }],
    [
      'cognito-idp',
      { protocol: awsJson('1.1', 'AWSCognitoIdentityProviderService'), service: cognito(cognitoDeps) },
    ],
    [
      'ses',
      {
        protocol: awsQuery('http://ses.amazonaws.com/doc/2010-12-01/', { accessDenied: 'AccessDenied' }),
        service: ses(assembly, deps.inbox),
      },
    ],
    [
      'sns',
      {
        protocol: awsQuery('http://sns.amazonaws.com/doc/2010-03-31/', {
          accessDenied: 'AuthorizationError',
        }),
        service: sns(deps.inbox),
      },
    ],
  ]);
}
