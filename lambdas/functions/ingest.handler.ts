/** Handler of `ingest`, invoked by the operator's CLI: loads one member's account and resources. */

import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { createMemberAccounts } from '../aws/member-accounts.ts';
import { searchValues } from '../fhir/search/values.ts';
import { ingestMember } from '../members/ingest.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createMemberLoader } from '../storage/member-loader.ts';
import { createSdkTable } from '../table/sdk-table.ts';

const { environment, tableName, memberPoolId } = readEnvironment([
  'environment',
  'tableName',
  'memberPoolId',
]);

const ingest = {
  accounts: createMemberAccounts(
    new CognitoIdentityProviderClient({ retryStrategy: sdkRetries }),
    memberPoolId,
  ),
  store: createMemberLoader(createSdkTable({ tableName }), {
    environment,
    now: systemClock,
    uuid: systemRandom.uuid,
  }),
  sha256: digests.sha256Hex,
  searchValues: (json: string) => JSON.stringify(searchValues(JSON.parse(json))),
};

/** Invoked directly by the operator's CLI and the plan's feeds, never through a host. */
export const handler = guardInvocation('ingest', (payload) => ingestMember(ingest, payload));
