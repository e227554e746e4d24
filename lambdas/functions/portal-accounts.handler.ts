/** Serves the portal's routes of developers' accounts, sessions and teams. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createCodeDigest } from '../aws/code-digest.ts';
import type { DeveloperServices } from '../portal/accounts/account-ports.ts';
import { accountRoutes } from '../portal/accounts/account-routes.ts';
import { createPortalAccountStore } from '../portal/adapters/account-store.ts';
import { createAltchaCheck } from '../portal/adapters/bot-check.ts';
import { createUsedBotChecks } from '../portal/adapters/bot-check-store.ts';
import { createPortalLimits } from '../portal/adapters/limits-store.ts';
import { createMailCarrier } from '../portal/adapters/messages.ts';
import { createPortalOutbox } from '../portal/adapters/outbox.ts';
import { developerPhoneKind } from '../portal/adapters/phone-number.ts';
import { createRecaptchaCheck } from '../portal/adapters/recaptcha.ts';
import { createPortalSessionStore, createTableSessions } from '../portal/adapters/session-store.ts';
import { createPortalTeamStore } from '../portal/adapters/team-store.ts';
import { createPortalCodeStore } from '../portal/adapters/verification-code-store.ts';
import { createPortalHandler } from '../portal/http/handler.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { totp } from '../runtime/totp.ts';
import { createSdkTable } from '../table/sdk-table.ts';
import { createMessages, createPoolDirectory } from './compose-portal-adapters.ts';

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
  // Entries of applications and users are left to the outbox worker.
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

/** Reads a secret's value once per function instance, again after a failure. */
function remembered(arn: string): () => Promise<string> {
  let value: string | undefined;
  return async () => {
    value ??= (await secrets.send(new GetSecretValueCommand({ SecretId: arn }))).SecretString;
    if (value === undefined) throw new Error('the secret has no text');
    return value;
  };
}

/** The routes of developers' accounts, sessions and teams. */
export const handler = createPortalHandler<'portal-accounts'>({
  origin: portalOrigin,
  routes: accountRoutes(services),
  sessions: createTableSessions(table),
  log: consoleLog,
});
