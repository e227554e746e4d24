/** The machine-readable public profile of Payer Access for other payers, from the tables that enforce it. */

import { fhirBase, machineTokenEndpoint } from '../../../lambdas/catalog/addresses.ts';
import { environments } from '../../../lambdas/catalog/environments.ts';
import { patientAccessTypes } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { fhirRoutes } from '../../../lambdas/catalog/fhir/fhir-routes.ts';
import { exportParameterTexts } from '../../../lambdas/catalog/payer/export-parameters.ts';
import { groupSearchParameters } from '../../../lambdas/catalog/payer/group-search-parameters.ts';
import { jobLimits } from '../../../lambdas/catalog/payer/job-kinds.ts';
import { memberMatchLimits, memberMatchRules } from '../../../lambdas/catalog/payer/member-match-rules.ts';
import { organizationIdentifierKinds } from '../../../lambdas/catalog/payer/organization-identifiers.ts';
import {
  cohortCase,
  cohortCaseNames,
  cohortMemberId,
  cohortMemberNames,
  cohortMembers,
} from '../../../lambdas/catalog/payer/payer-cohort.ts';
import {
  type CohortParameter,
  cohortMatchBody,
  cohortParameters,
} from '../../../lambdas/catalog/payer/payer-cohort-requests.ts';
import {
  honoredConsentElements,
  payerConsentRules,
  permissionRule,
} from '../../../lambdas/catalog/payer/payer-consent-rules.ts';
import {
  payerAmountRules,
  payerReleaseRules,
  withheldClaimElements,
} from '../../../lambdas/catalog/payer/payer-release-rules.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import {
  bulkMatchFailuresByApplication,
  matchFailuresByApplication,
  matchLockout,
} from '../../../lambdas/platform/kernel/rates.ts';
import { exampleLob } from './member-examples.ts';

/** Example identifier of the recipient in ready-made requests; readers replace it with their organization's. */
export const yourOrganization = {
  system: organizationIdentifierKinds.npi.system,
  value: '1234567893',
} as const;

/** The parameters of a ready-made request. */
export function cohortExample(name: (typeof cohortCaseNames)[number]): readonly CohortParameter[] {
  return cohortParameters(cohortCase(name), exampleLob, yourOrganization);
}

/** Makes the downloadable profile. */
export function payerProfile(service: PublishedService): object {
  const { activeJobs, members, bodyBytes, fileBytes } = jobLimits;
  const { identifiers, names, entries, levels } = memberMatchLimits;
  return {
    environments: Object.fromEntries(
      environments.map((name) => {
        const { origins, linesOfBusiness } = service.environments[name];
        const bases = linesOfBusiness.map((lob) => [lob, fhirBase(origins, lob, 'payer-access')]);
        return [name, { tokenEndpoint: machineTokenEndpoint(origins), bases: Object.fromEntries(bases) }];
      }),
    ),
    routes: fhirRoutes
      .filter((route) => route.interface === 'payer-access' && route.successor === undefined)
      .map(({ method, path, access }) => ({ method, path, access })),
    organizationIdentifiers: Object.values(organizationIdentifierKinds).map(({ name, system, pattern }) => ({
      ...{ name, system },
      pattern: pattern.source,
    })),
    matchRules: memberMatchRules,
    consentChecks: [...Object.values(payerConsentRules), permissionRule],
    consentElements: honoredConsentElements,
    releaseRules: Object.entries(payerReleaseRules).map(([name, text]) => ({ name, text })),
    amountRules: payerAmountRules,
    withheldClaimElements,
    exportTypes: patientAccessTypes,
    exportParameters: exportParameterTexts,
    groupSearchParameters,
    limits: {
      activeJobs,
      membersInRequest: members,
      requestBytes: bodyBytes,
      consentBytes: memberMatchLimits.consentBytes,
      fileBytes,
      membersInSearch: memberMatchLimits.membersInSearch,
      identifiersOfMember: identifiers,
      namesOfMember: names,
      entriesOfElement: entries,
      nestingLevels: levels,
      failedMatchesOfApplication: limitOf(matchFailuresByApplication),
      failedBulkMatchesOfApplication: limitOf(bulkMatchFailuresByApplication),
      failedMatchesOfIdentifierBeforeDelay: matchLockout.free,
    },
    lifetimesInSeconds: {
      match: memberMatchLimits.accessSeconds,
      job: jobLimits.jobSeconds,
      group: jobLimits.groupSeconds,
      fileAddress: jobLimits.fileAddressSeconds,
    },
    sandboxCohort: {
      members: cohortMemberNames.map((name) => {
        const { number, ...person } = cohortMembers[name];
        return { ...person, memberId: cohortMemberId(exampleLob, { number }) };
      }),
      requests: cohortCaseNames.map((name) => ({
        name,
        about: cohortCase(name).about,
        outcome: cohortCase(name).outcome,
        body: cohortMatchBody(cohortExample(name)),
      })),
    },
  };
}

function limitOf({ limit, periodSeconds }: { readonly limit: number; readonly periodSeconds: number }) {
  return { limit, windowSeconds: periodSeconds };
}
