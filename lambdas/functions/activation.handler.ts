/** Lambda function `activation`. */

import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { KMSClient } from '@aws-sdk/client-kms';
import { createActivatedAccounts } from '../aws/activated-accounts.ts';
import { createCodeDigest } from '../aws/code-digest.ts';
import { createContactEnvelopes } from '../aws/contact-envelopes.ts';
import { createDataKeys } from '../aws/data-keys.ts';
import { createMemberMessages, createMessageClients } from '../aws/member-messages.ts';
import { createPlanContacts } from '../aws/plan-contacts.ts';
import { createReadTextNumber } from '../aws/text-numbers.ts';
import { isKnownPassword } from '../kernel/known-passwords.ts';
import { activationRequest } from '../oauth/activation/activation-contract.ts';
import type { ActivationServices } from '../oauth/activation/activation-services.ts';
import { sendActivationCode } from '../oauth/activation/send-code.ts';
import { setActivatedPassword } from '../oauth/activation/set-password.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { consoleLog } from '../runtime/log.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createAuthorizationAuditTrail } from '../storage/audit/authorization-audit-trail.ts';
import { createSignInLimits } from '../storage/authorization/sign-in-limits.ts';
import { createAccountLinks } from '../storage/members/account-links.ts';
import { createSessionEpochs } from '../storage/members/account-sessions.ts';
import { createActivationStore } from '../storage/members/activation-store.ts';
import { createContactRecords } from '../storage/members/contact-records.ts';
import { createSignedTable } from '../table/signed-table.ts';

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
const send = createMemberMessages(createMessageClients(), settings.messageSender);

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

/** Sends the codes by which members activate accounts, and sets their passwords; invoked by `authorize`, never through a host. */
export const handler = guardInvocation('activation', async (payload) => {
  const request = activationRequest.parse(payload);
  return request.act === 'set-password'
    ? await setActivatedPassword(services, request)
    : await sendActivationCode(services, request);
});
