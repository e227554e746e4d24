import { environments } from '../../../../lambdas/catalog/environments.ts';
import type {
  PublishedEnvironment,
  PublishedService,
} from '../../../../lambdas/catalog/published-service.ts';
import { portalLimits } from '../../../../lambdas/portal/catalog/limits.ts';
import { capitalized, durationText, markdownTable, number } from '../markdown-table.ts';
import { type Inserts, pick } from './insert.ts';

function usagePlans({ environments: all }: PublishedService): string {
  return markdownTable(
    ['Environment', 'Plan', 'Requests per second', 'At once (burst)', 'Requests per day'],
    environments.flatMap((name) =>
      Object.entries(all[name].tiers).map(([tier, { requestsPerSecond, burst, requestsPerDay }]) => [
        capitalized(name),
        tier,
        number(requestsPerSecond),
        number(burst),
        number(requestsPerDay),
      ]),
    ),
  );
}

const day = 86_400;
const lifetimeWords: readonly (readonly [string, (it: PublishedEnvironment) => string])[] = [
  ['Authorization code', (it) => `${durationText(it.authorizationCodeSeconds)}, one use`],
  ['Access token of a member', (it) => durationText(it.memberAccessTokenSeconds)],
  ['Access token of the client credentials grant', (it) => durationText(it.clientAccessTokenSeconds)],
  ['Refresh token nobody uses', (it) => durationText(it.refreshIdleDays * day)],
  ['Longest access a member gives (`offline_access`)', (it) => durationText(it.grantDays * day)],
  ['The member’s sign-in and consent, from the first page on', (it) => durationText(it.interactionSeconds)],
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
  codeTriesPerHour: ['Tries for the codes of one purpose in an hour', times],
  codeResendSeconds: ['Pause before another code can be sent', seconds],
  codesPerHour: ['Codes to one destination in an hour, for each cause', times],
  codesPerDay: ['Codes to one destination in a day, for each cause', times],
  passwordMinimum: ['Shortest password, in characters', times],
  passwordMaximum: ['Longest password, in characters', times],
  signInFailures: ['Wrong passwords before sign-in is delayed', times],
  signInDelaySecondsMaximum: ['Longest delay after wrong passwords', seconds],
  signInFailuresToLock: ['Wrong passwords in a row that lock an account', times],
  sessionIdleSeconds: ['A session without a request ends after', seconds],
  sessionSeconds: ['A session ends in any case after', seconds],
  operatorSessionIdleSeconds: ['An operator’s session without a request ends after', seconds],
  operatorSessionSeconds: ['An operator’s session ends in any case after', seconds],
  passwordAgainSeconds: ['Secrets can be shown after the password was typed again for', seconds],
  botCheckSeconds: ['Validity of a bot check', seconds],
  invitationSeconds: ['Validity of an invitation to a team', seconds],
  teamMembers: ['Members of a team', times],
  applicationsPerTeam: ['Applications of a team that are neither withdrawn nor revoked', times],
  draftsPerDeveloper: ['Drafts of a developer', times],
  redirectUris: ['Redirect URIs of an application', times],
  rotationOverlapSecondsMaximum: ['Longest time an old secret or key works beside the new one', seconds],
  expiryNoticeSeconds: ['A mail comes before an old secret or key stops', seconds],
  bodyBytes: ['Largest body of a request to the portal’s API', kilobytes],
  callLogDays: ['The log of calls goes back', (value: number) => durationText(value * day)],
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
