/** Handler of `operator-grants`, invoked by the operator's CLI: lists a member's grants and ends them. */

import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createFindPatient } from './aws/find-patient.ts';
import { operateOnGrants } from './connected-apps/operator-grants.ts';
import { operatorGrantsRequest } from './connected-apps/operator-grants-contract.ts';
import { createClientReader } from './store/client-reader.ts';
import { createIsLoaded } from './store/loaded-patients.ts';
import { createMemberGrants } from './store/member-grants.ts';
import { createMemberLinks } from './store/member-links.ts';

const { environment, tableName, memberPoolId } = readEnvironment([
  'environment',
  'tableName',
  'memberPoolId',
]);
const table = createSignedTable({ tableName });

const server = {
  environment,
  grants: createMemberGrants(table),
  clients: createClientReader(table),
  patientOf: createFindPatient(
    new CognitoIdentityProviderClient({ retryStrategy: sdkRetries }),
    memberPoolId,
    createMemberLinks(table),
    createIsLoaded(table),
  ),
  now: systemClock,
  random: systemRandom,
};

/**
 * Lists a member's grants, and ends them at the member's request. Called by the operator's CLI. Reads links, grants and last accesses in
 * the audit; writes the end of grants.
 */
export const handler = guardInvocation('operator-grants', async (payload) => {
  const request = operatorGrantsRequest.parse(payload);
  const answer = await operateOnGrants(server, request);
  if (request.action === 'end') {
    const { lob, requestId } = request;
    const isRefused = answer.kind === 'refusal';
    const reason = isRefused ? answer.reason : request.reason;
    consoleLog('warn', isRefused ? 'grants_not_ended' : 'grants_ended', { lob, requestId, reason });
  }
  return answer;
});
