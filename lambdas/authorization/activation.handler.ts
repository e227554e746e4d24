/** Handler of `activation`, invoked by `authorize`: sends the codes by which members activate accounts, and sets their passwords. */

import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { KMSClient } from '@aws-sdk/client-kms';
import { createCodeDigest } from '../platform/aws/code-digest.ts';
import { createContactEnvelopes } from '../platform/aws/contact-envelopes.ts';
import { createDataKeys } from '../platform/aws/data-keys.ts';
import { createMessageClients, createMessageSender } from '../platform/aws/messages.ts';
import { createReadTextNumber } from '../platform/aws/text-numbers.ts';
import { isKnownPassword } from '../platform/kernel/known-passwords.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { activationRequest } from './activation/activation-contract.ts';
import type { ActivationServices } from './activation/activation-services.ts';
import { sendActivationCode } from './activation/send-code.ts';
import { setActivatedPassword } from './activation/set-password.ts';
import { createActivatedAccounts } from './aws/activated-accounts.ts';
import { createPlanContacts } from './aws/plan-contacts.ts';
import { createAccountLinks } from './store/account-links.ts';
import { createSessionEpochs } from './store/account-sessions-contract.ts';
import { createActivationStore } from './store/activation-store.ts';
import { createAuthorizationAuditTrail } from './store/authorization-audit-trail.ts';
import { createContactRecords } from './store/contact-records.ts';
import { createSignInLimits } from './store/sign-in-limits.ts';

const settings = readEnvironment([
  'environment',
  'tableName',
  'memberPoolId',
  'codeDigestKeyId',
  'contactKeyId',
  'textMessageCountries',
  'messageSender',
]);
const table = createSignedTable({ tableName: settings.tableName });
const kms = new KMSClient({ retryStrategy: sdkRetries });
const send = createMessageSender(createMessageClients(), settings.messageSender);

const services: ActivationServices = {
  environment: settings.environment,
  store: createActivationStore(table),
  contactOf: createPlanContacts({
    find: createContactRecords(table, systemClock).find,
    open: createContactEnvelopes(createDataKeys(settings.contactKeyId, kms), systemClock).open,
    readTextNumber: createReadTextNumber(settings.textMessageCountries),
  }),
  messages: {
    send: async (message) => {
      const sent = await send(message);
      if (!sent) consoleLog('warn', 'message_not_sent', { reason: message.channel });
      return sent;
    },
    mac: createCodeDigest(settings.codeDigestKeyId, kms),
    rates: createSignInLimits(table).rates,
  },
  accounts: createActivatedAccounts(
    new CognitoIdentityProviderClient({ retryStrategy: sdkRetries }),
    settings.memberPoolId,
  ),
  links: createAccountLinks(table),
  sessionEpochOf: createSessionEpochs(table),
  isKnownPassword,
  audit: createAuthorizationAuditTrail(table),
  digests,
  random: systemRandom,
  now: systemClock,
};

/**
 * Sends codes and sets passwords of members who activate accounts. Called by `authorize`. Reads the plan's contact data and decrypts it for
 * a code; writes the activation and the account's links; creates users in the member pool. Reads no resource.
 */
export const handler = guardInvocation('activation', async (payload) => {
  const request = activationRequest.parse(payload);
  return request.act === 'set-password'
    ? await setActivatedPassword(services, request)
    : await sendActivationCode(services, request);
});
