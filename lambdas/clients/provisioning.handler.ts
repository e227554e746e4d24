/** Handler of `provisioning`, invoked by the portal and the operator's CLI: registers, changes and describes clients. */

import { createHash } from 'node:crypto';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { KMSClient } from '@aws-sdk/client-kms';
import { readFreshnessOf } from '../loads/store/freshness-contract.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { createGatewayKeys } from './aws/api-keys.ts';
import { createCallLog } from './aws/call-log.ts';
import { createCredentialCipher } from './aws/credential-cipher.ts';
import { provision } from './provisioning/provisioning.ts';
import type { ProvisioningServices } from './provisioning/provisioning-ports.ts';
import { createClientRegistry } from './store/client-registry.ts';

const { environment, tableName, resourceId, credentialKeyId, usagePlans, callLogs } = readEnvironment([
  'environment',
  'tableName',
  'resourceId',
  'credentialKeyId',
  'usagePlans',
  'callLogs',
]);

const table = createSdkTable({ tableName });
const provisioning: ProvisioningServices = {
  environment,
  resourceId,
  tiers: Object.keys(usagePlans),
  registry: createClientRegistry(table, environment),
  keys: createGatewayKeys(new APIGatewayClient({ retryStrategy: sdkRetries }), usagePlans, environment),
  callLog: createCallLog(new CloudWatchLogsClient({ retryStrategy: sdkRetries }), callLogs),
  cipher: createCredentialCipher(new KMSClient({ retryStrategy: sdkRetries }), credentialKeyId),
  freshness: () => readFreshnessOf(table, systemClock()),
  now: systemClock,
  random: systemRandom,
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
};

/**
 * Registers, changes and describes clients. Called by the portal and the operator's CLI. Writes clients, subscription keys and API
 * Gateway's API keys; reads the access log. Has no access to members' data.
 */
export const handler = guardInvocation('provisioning', (payload) => provision(provisioning, payload));
