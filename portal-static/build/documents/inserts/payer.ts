/** Generated parts of the public documentation: rules, limits and test members of Payer Access. */

import { exportParameterTexts } from '../../../../lambdas/catalog/payer/export-parameters.ts';
import { groupSearchParameters } from '../../../../lambdas/catalog/payer/group-search-parameters.ts';
import { jobLimits } from '../../../../lambdas/catalog/payer/job-kinds.ts';
import { memberMatchLimits, memberMatchRules } from '../../../../lambdas/catalog/payer/member-match-rules.ts';
import {
  type OrganizationIdentifier,
  organizationIdentifierKinds,
} from '../../../../lambdas/catalog/payer/organization-identifiers.ts';
import {
  cohortCase,
  cohortCaseNames,
  cohortMemberId,
  cohortMemberNames,
  cohortMembers,
} from '../../../../lambdas/catalog/payer/payer-cohort.ts';
import { cohortBulkBody, cohortMatchBody } from '../../../../lambdas/catalog/payer/payer-cohort-requests.ts';
import {
  honoredConsentElements,
  payerConsentRules,
  permissionRule,
} from '../../../../lambdas/catalog/payer/payer-consent-rules.ts';
import {
  payerAmountRules,
  payerReleaseRules,
  withheldClaimElements,
} from '../../../../lambdas/catalog/payer/payer-release-rules.ts';
import {
  bulkMatchFailuresByApplication,
  matchFailuresByApplication,
  matchLockout,
} from '../../../../lambdas/platform/kernel/rates.ts';
import { code, durationText, markdownTable, number } from '../markdown-table.ts';
import { exampleLob } from '../member-examples.ts';
import { cohortExample, yourOrganization } from '../payer-profile.ts';
import { type Inserts, pick } from './insert.ts';

const needWords = {
  equal: 'Both have it, and it is the same',
  'not different': 'It is the same, or one of them has none',
  any: 'Not compared',
} as const;

const comparisonWords = {
  exact: 'Exact',
  'known parts': 'The parts that are on file',
  normalized: 'Family name and first given name of one name, without case, accents, spaces and punctuation',
  'five digits': 'The first five digits',
} as const;

/** Lists the rules of `$member-match`. */
function matchRules(): string {
  return markdownTable(
    ['Element', 'Comparison', 'Rule', 'Rule if a part of the birth date on file is unknown'],
    memberMatchRules.map(({ element, comparison, needs, needsWithPartialBirthDate }) => [
      code(element),
      comparisonWords[comparison],
      needWords[needs],
      needWords[needsWithPartialBirthDate],
    ]),
  );
}

/** Formats a limit of matches, reads and searches. */
function matchLimit(argument: string): string {
  return number(pick(memberMatchLimits as Readonly<Record<string, number>>, argument));
}

/** Formats a limit of asynchronous jobs. */
function jobLimit(argument: string): string {
  const limits: Readonly<Record<string, number>> = {
    ...jobLimits,
    jobHours: jobLimits.jobSeconds / 3_600,
    groupDays: jobLimits.groupSeconds / 86_400,
  };
  return number(pick(limits, argument));
}

function bullets(texts: Readonly<Record<string, string>>): string {
  return Object.values(texts)
    .map((text) => `- ${text}`)
    .join('\n');
}

const perPeriod = ({ limit, periodSeconds }: { readonly limit: number; readonly periodSeconds: number }) =>
  `${number(limit)} in ${durationText(periodSeconds)}`;

/** Number of members that fit into a request body, at the example's size per member, rounded down to hundreds. */
const membersInBody =
  Math.floor(jobLimits.bodyBytes / JSON.stringify(cohortBulkBody([cohortExample('match')])).length / 100) *
  100;

function limitTable(): string {
  return markdownTable(
    ['Limit', 'Value'],
    [
      ['Jobs of an application that have not ended', jobLimits.activeJobs],
      [
        'Members in a request',
        `${number(jobLimits.members)}, as far as they fit into the body: ${number(membersInBody)} of the size of the example below`,
      ],
      ['Bytes of the body of an operation', number(jobLimits.bodyBytes)],
      ['Bytes of a Consent, with its attachments', number(memberMatchLimits.consentBytes)],
      ['Bytes of a file before another one begins, before compression', number(jobLimits.fileBytes)],
      ['Members in a search that names none', memberMatchLimits.membersInSearch],
      ['Identifiers of MemberPatient and CoverageToMatch together', memberMatchLimits.identifiers],
      ['Names of MemberPatient', memberMatchLimits.names],
      ['Entries of another repeated element', memberMatchLimits.entries],
      ['Nesting levels of the resources of a member', memberMatchLimits.levels],
      ['Requests of an application that match no member', perPeriod(matchFailuresByApplication)],
      [
        'Members of bulk requests that match no member; those of a job that runs count too',
        perPeriod(bulkMatchFailuresByApplication),
      ],
      ['Failures in a row for one identifier, before the next is delayed', matchLockout.free],
    ],
  );
}

function lifetimeTable(): string {
  return markdownTable(
    ['What', 'Lifetime'],
    [
      ['A match, if the consent does not end earlier', durationText(memberMatchLimits.accessSeconds)],
      ['A job, its manifest and its files, from the request', durationText(jobLimits.jobSeconds)],
      ['A group', durationText(jobLimits.groupSeconds)],
      ['The address that a file redirects to', durationText(jobLimits.fileAddressSeconds)],
    ],
  );
}

function cohortTable(): string {
  return markdownTable(
    ['Name', 'Gender', 'Birth date', 'Member identifier'],
    cohortMemberNames.map((name) => {
      const { given, family, gender, birthDate, number: digits } = cohortMembers[name];
      return [`${given} ${family}`, gender, birthDate, code(cohortMemberId(exampleLob, { number: digits }))];
    }),
  );
}

function cohortCaseTable(): string {
  return markdownTable(
    ['Request', 'What it shows', '`$member-match`', 'Group of a bulk match'],
    cohortCaseNames.map((name) => {
      const { about, outcome } = cohortCase(name);
      return [code(name), about, outcome === 'match' ? 200 : 422, code(outcome)];
    }),
  );
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** `NAIC company code 12345, NPI 1234567893`. */
function identifierWords(identifiers: readonly OrganizationIdentifier[] = []): string {
  const words = identifiers.map(({ system, value }) => {
    const kind = Object.values(organizationIdentifierKinds).find((each) => each.system === system);
    return `${kind?.name ?? system} ${code(value)}`;
  });
  return words.length === 0 ? 'not published' : words.join(', ');
}
export const payerInserts: Inserts = {
  'payer-example-npi': () => yourOrganization.value,
  'payer-example-member': (_, argument) =>
    pick({ ...cohortMembers.matched, memberId: cohortMemberId(exampleLob, cohortMembers.matched) }, argument),
  'payer-limit': (_, argument) => matchLimit(argument),
  'match-rules': matchRules,
  'job-limit': (_, argument) => jobLimit(argument),
  'consent-rules': () => bullets({ ...payerConsentRules, permissionRule }),
  'consent-elements': () =>
    markdownTable(
      ['Element', 'What it may have, beside `id` and `extension`'],
      Object.entries(honoredConsentElements).map(([path, names]) => [code(path), names.map(code).join(', ')]),
    ),
  'release-rules': () => bullets(payerReleaseRules),
  'amount-rules': () => bullets(payerAmountRules),
  'withheld-claim-elements': () => withheldClaimElements.map(code).join(', '),
  'export-parameters': () =>
    markdownTable(
      ['Parameter', 'Value'],
      Object.entries(exportParameterTexts).map(([name, text]) => [code(name), text]),
    ),
  'group-parameters': () =>
    markdownTable(
      ['Parameter', 'Matches'],
      groupSearchParameters.map(({ name, documentation }) => [code(name), documentation]),
    ),
  'plan-identifiers': ({ environments: { sandbox, production } }) =>
    markdownTable(
      ['Line of business', 'Sandbox', 'Production'],
      sandbox.linesOfBusiness.map((lob) => [
        lob,
        ...[sandbox, production].map(({ planIdentifiers }) => identifierWords(planIdentifiers[lob])),
      ]),
    ),
  'organization-identifiers': () =>
    markdownTable(
      ['Identifier', '`system`'],
      Object.values(organizationIdentifierKinds).map(({ name, system }) => [name, code(system)]),
    ),
  'payer-limits': limitTable,
  'payer-lifetimes': lifetimeTable,
  'payer-cohort': cohortTable,
  'payer-cohort-requests': cohortCaseTable,
  'payer-cohort-match': () => json(cohortMatchBody(cohortExample('match'))),
  'payer-cohort-bulk': () => json(cohortBulkBody([cohortExample('match')])),
};
