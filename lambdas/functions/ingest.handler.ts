/** Handler of `ingest`, invoked by the operator's CLI: loads one member's account and resources. */

import { setTimeout } from 'node:timers/promises';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { createContactEnvelopes } from '../aws/contact-envelopes.ts';
import { createDataKeys } from '../aws/data-keys.ts';
import { createMemberAccounts } from '../aws/member-accounts.ts';
import { labeledValues } from '../fhir/labels/resource-label.ts';
import { contactDataOf } from '../loads/contact-data.ts';
import { ingestMember } from '../members/ingest.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createMemberLoader } from '../storage/loads/member-loader.ts';
import { pacedByPartition } from '../storage/resources/partition-pace.ts';
import { backgroundPatience } from '../table/background-patience.ts';
import { createSdkTable } from '../table/sdk-table.ts';

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

/** Invoked directly by the operator's CLI and the plan's feeds, never through a host. */
export const handler = guardInvocation('ingest', (payload) => ingestMember(ingest, payload));
