/** Handler of `ingest`, invoked by the operator's CLI: loads one member's account and resources. */

import { setTimeout } from 'node:timers/promises';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { labeledValues } from '../fhir/labels/resource-label.ts';
import { pacedByPartition } from '../fhir/store/partition-pace.ts';
import { createContactEnvelopes } from '../platform/aws/contact-envelopes.ts';
import { createDataKeys } from '../platform/aws/data-keys.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { createMemberAccounts } from './aws/member-accounts.ts';
import { ingestMember } from './ingest/ingest.ts';
import { contactDataOf } from './rows/contact-data.ts';
import { createMemberLoader } from './store/member-loader.ts';

const { environment, tableName, memberPoolId, contactKeyId } = readEnvironment([
  'environment',
  'tableName',
  'memberPoolId',
  'contactKeyId',
]);

const envelopes = createContactEnvelopes(createDataKeys(contactKeyId), systemClock);

const table = createSdkTable({ tableName, patience: backgroundPatience });

const ingest = {
  accounts: createMemberAccounts(
    new CognitoIdentityProviderClient({ retryStrategy: sdkRetries }),
    memberPoolId,
  ),
  store: createMemberLoader(pacedByPartition(table, { now: systemClock, sleep: setTimeout }), {
    environment,
    now: systemClock,
    uuid: systemRandom.uuid,
    sealContact: envelopes.seal,
  }),
  sha256: digests.sha256Hex,
  contactData: (json: string) => contactDataOf(JSON.parse(json), systemClock()),
  searchValues: (json: string) => JSON.stringify(labeledValues(JSON.parse(json))),
};

/**
 * Loads one member's account and resources. Called by the operator's CLI and the plan's feeds. Writes the member's record and user; seals
 * contact data, which it can't decrypt.
 */
export const handler = guardInvocation('ingest', (payload) => ingestMember(ingest, payload));
