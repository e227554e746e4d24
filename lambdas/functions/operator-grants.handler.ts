/** Handler of `operator-grants`, invoked by the operator's CLI: lists a member's grants and ends them. */

import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { createFindPatient } from '../aws/find-patient.ts';
import { operateOnGrants } from '../oauth/connected-apps/operator-grants.ts';
import { operatorGrantsRequest } from '../oauth/connected-apps/operator-grants-contract.ts';
import { systemClock } from '../runtime/clock.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { consoleLog } from '../runtime/log.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createPatientRecords } from '../storage/audit/patient-records.ts';
import { createClientReader } from '../storage/clients/client-reader.ts';
import { createMemberGrants } from '../storage/members/member-grants.ts';
import { createMemberLinks } from '../storage/members/member-links.ts';
import { createSignedTable } from '../table/signed-table.ts';

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
    createPatientRecords(table),
  ),
  now: systemClock,
  random: systemRandom,
};

/** Lists and ends a member's grants for them; invoked by the plan's operators, never through a host. */
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
