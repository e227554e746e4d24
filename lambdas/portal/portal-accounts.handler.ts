/** Handler of `portal-accounts`, reached through the portal's API: accounts, sessions and teams of developers. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createCodeDigest } from '../platform/aws/code-digest.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { totp } from '../platform/runtime/totp.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { accountRoutes } from './accounts/account-routes.ts';
import type { DeveloperServices } from './accounts/developer-services.ts';
import { createPortalAccountStore } from './adapters/account-store.ts';
import { createAltchaCheck } from './adapters/bot-check.ts';
import { createUsedBotChecks } from './adapters/bot-check-store.ts';
import { createPortalLimits } from './adapters/limits-store.ts';
import { createMailCarrier } from './adapters/messages.ts';
import { createPortalOutbox } from './adapters/outbox.ts';
import { developerPhoneKind } from './adapters/phone-number.ts';
import { createRecaptchaCheck } from './adapters/recaptcha.ts';
import { createPortalSessionStore, createTableSessions } from './adapters/session-store.ts';
import { createPortalTeamStore } from './adapters/team-store.ts';
import { createPortalCodeStore } from './adapters/verification-code-store.ts';
import { createMessages, createPoolDirectory } from './compose-portal-adapters.ts';
import { createPortalHandler } from './http/handler.ts';

const settings = readEnvironment([
  'tableName',
  'portalOrigin',
  'developerPoolId',
  'developerPoolClientId',
  'codeDigestKeyId',
  'messageSender',
  'botCheckSecret',
  'botCheckCost',
  'recaptchaSiteKey',
  'recaptchaSecret',
  'signInVerification',
]);
const { portalOrigin, recaptchaSiteKey, recaptchaSecret } = settings;
const table = createSdkTable({ tableName: settings.tableName });
const secrets = new SecretsManagerClient({ retryStrategy: sdkRetries });
const messages = createMessages(settings);
const outbox = createPortalOutbox(
  table,
  // Only mails are carried out here; entries of applications and users are left to the outbox worker.
  { mail: createMailCarrier(messages) },
  systemClock,
);
const random = systemRandom;

const services: DeveloperServices = {
  origin: portalOrigin,
  signInVerification: settings.signInVerification,
  accounts: createPortalAccountStore(table, { outbox, random, now: systemClock }),
  teams: createPortalTeamStore(table, { outbox, random }),
  codes: createPortalCodeStore(table),
  sessions: createPortalSessionStore(table),
  directory: createPoolDirectory(settings),
  botCheck: botCheck(),
  limits: createPortalLimits(table),
  messages,
  mac: createCodeDigest(settings.codeDigestKeyId),
  sha256Hex: digests.sha256Hex,
  equal: digests.equal,
  totp,
  phoneKind: developerPhoneKind,
  random,
  now: systemClock,
};

function botCheck() {
  const common = { useOnce: createUsedBotChecks(table), now: systemClock };
  if (recaptchaSiteKey !== undefined && recaptchaSecret !== undefined) {
    const options = { siteKey: recaptchaSiteKey, hostname: new URL(portalOrigin).hostname };
    return createRecaptchaCheck({ ...common, secret: remembered(recaptchaSecret) }, options);
  }
  const own = { ...common, secret: remembered(settings.botCheckSecret) };
  return createAltchaCheck(own, { cost: settings.botCheckCost });
}

/** Makes a reader of a secret that reads it once per function instance, and again after a failure. */
function remembered(arn: string): () => Promise<string> {
  let value: string | undefined;
  return async () => {
    value ??= (await secrets.send(new GetSecretValueCommand({ SecretId: arn }))).SecretString;
    if (value === undefined) throw new Error('the secret has no text');
    return value;
  };
}

/**
 * Serves the portal's routes of accounts, sessions and teams to developers' browsers. Uses accounts in the portal's table and the
 * developers' user pool; has no access to applications or environments.
 */
export const handler = createPortalHandler<'portal-accounts'>({
  origin: portalOrigin,
  routes: accountRoutes(services),
  sessions: createTableSessions(table),
  log: consoleLog,
});
