/** Generated parts of the public documentation: limits and lifetimes. */

import { environments } from '../../../../lambdas/catalog/environments.ts';
import { demonstration } from '../../../../lambdas/catalog/oauth/demonstration.ts';
import type {
  PublishedEnvironment,
  PublishedService,
} from '../../../../lambdas/catalog/published-service.ts';
import { portalLimits } from '../../../../lambdas/portal/catalog/limits.ts';
import { capitalized, durationText, markdownTable, number } from '../markdown-table.ts';
import { type Inserts, pick } from './insert.ts';

function usagePlans({ environments: all }: PublishedService): string {
  return markdownTable(
    ['Environment', 'Plan', 'For', 'Requests per second', 'Burst', 'Requests per day'],
    environments.flatMap((name) =>
      Object.entries(all[name].tiers).map(([tier, { requestsPerSecond, burst, requestsPerDay }]) => [
        capitalized(name),
        tier,
        purposeOf(tier, all[name]),
        number(requestsPerSecond),
        number(burst),
        number(requestsPerDay),
      ]),
    ),
  );
}

function purposeOf(tier: string, { firstTier }: PublishedEnvironment): string {
  if (tier === firstTier) return 'every application at first';
  return tier === demonstration.tier ? 'visitors of this portal, together' : 'applications that asked for it';
}

const day = 86_400;
const lifetimeWords: readonly (readonly [string, (it: PublishedEnvironment) => string])[] = [
  ['Authorization code', (it) => `${durationText(it.authorizationCodeSeconds)}, one use`],
  ['Access token of a member', (it) => durationText(it.memberAccessTokenSeconds)],
  ['Access token of the client credentials grant', (it) => durationText(it.clientAccessTokenSeconds)],
  ['Unused refresh token', (it) => durationText(it.refreshIdleDays * day)],
  ['Maximum access with `offline_access`', (it) => durationText(it.grantDays * day)],
  ['Member’s sign-in and consent, from the first page', (it) => durationText(it.interactionSeconds)],
  ['Token requests of an application', (it) => `${number(it.tokenRequestsPerMinute)} a minute`],
  ['UserInfo requests for one member', (it) => `${number(it.tokenRequestsPerMinute)} a minute`],
];

function lifetimes({ environments: all }: PublishedService): string {
  return markdownTable(
    ['What', ...environments.map(capitalized)],
    lifetimeWords.map(([what, say]) => [what, ...environments.map((name) => say(all[name]))]),
  );
}

const seconds = durationText;
const times = (value: number) => number(value);
const kilobytes = (value: number) => `${value / 1024} KB`;

/** Every limit of the portal in words: one that is new doesn't compile until it has some. */
const portalLimitWords = {
  codeSeconds: ['Validity of a verification code, by e-mail or SMS', seconds],
  codeTries: ['Tries for a verification code', times],
  codeTriesPerHour: ['Tries per hour for codes of one purpose', times],
  codeResendSeconds: ['Wait before a new code can be sent', seconds],
  codesPerHour: ['Codes per hour to one destination, for each purpose', times],
  codesPerDay: ['Codes per day to one destination, for each purpose', times],
  passwordMinimum: ['Minimum password length, in characters', times],
  passwordMaximum: ['Maximum password length, in characters', times],
  signInFailures: ['Incorrect passwords before sign-in is delayed', times],
  signInDelaySecondsMaximum: ['Maximum delay after incorrect passwords', seconds],
  signInFailuresToLock: ['Incorrect passwords in a row that lock an account', times],
  sessionIdleSeconds: ['Idle time that ends a session', seconds],
  sessionSeconds: ['Maximum length of a session', seconds],
  operatorSessionIdleSeconds: ['Idle time that ends an operator’s session', seconds],
  operatorSessionSeconds: ['Maximum length of an operator’s session', seconds],
  passwordAgainSeconds: ['Time secrets can be shown after you enter your password', seconds],
  botCheckSeconds: ['Validity of a bot check', seconds],
  invitationSeconds: ['Validity of an invitation to a team', seconds],
  teamMembers: ['Members of a team', times],
  applicationsPerTeam: ['Applications of a team, without withdrawn and revoked ones', times],
  draftsPerDeveloper: ['Drafts of a developer', times],
  redirectUris: ['Redirect URIs of an application', times],
  rotationOverlapSecondsMaximum: ['Maximum time an old secret or key stays valid after a rotation', seconds],
  expiryNoticeSeconds: ['Time between the e-mail notice and the end of an old secret or key', seconds],
  decisionBusinessDays: ['Business days within which an operator decides', times],
  bodyBytes: ['Maximum request body of the portal’s API', kilobytes],
  callLogDays: ['Call log retention', (value: number) => durationText(value * day)],
} as const satisfies Readonly<
  Record<keyof typeof portalLimits, readonly [string, (value: number) => string]>
>;

function portalLimitTable(): string {
  const names = Object.keys(portalLimits) as (keyof typeof portalLimits)[];
  return markdownTable(
    ['Limit', 'Value'],
    names.map((name) => {
      const [what, say] = portalLimitWords[name];
      return [what, say(portalLimits[name])];
    }),
  );
}

/** `codeSeconds`: one limit, in the middle of a sentence. */
function portalLimit(argument: string): string {
  const name = argument as keyof typeof portalLimits;
  pick(portalLimits, name);
  const [, say] = portalLimitWords[name];
  return say(portalLimits[name]);
}

/** `sandbox memberAccessTokenSeconds`: one lifetime, in the middle of a sentence. */
function lifetime(service: PublishedService, argument: string): string {
  return durationText(lifetimeSeconds(service, argument));
}

function lifetimeSeconds(service: PublishedService, argument: string): number {
  const [environment = '', name = ''] = argument.split(' ');
  const { authorizationCodeSeconds, memberAccessTokenSeconds, clientAccessTokenSeconds, ...days } = pick(
    service.environments,
    environment,
  );
  return pick(
    {
      authorizationCodeSeconds,
      memberAccessTokenSeconds,
      clientAccessTokenSeconds,
      refreshIdleDays: days.refreshIdleDays * day,
      grantDays: days.grantDays * day,
    },
    name,
  );
}

export const limitInserts: Inserts = {
  'usage-plans': usagePlans,
  lifetimes,
  'portal-limits': portalLimitTable,
  'portal-limit': (_, argument) => portalLimit(argument),
  lifetime,
  seconds: (service, argument) => `${lifetimeSeconds(service, argument)}`,
};
