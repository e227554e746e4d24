/** Rules by which a member's resources are released to another payer (42 CFR 422.121(b)(4); PDex 2.2.0, "Payer-to-Payer Exchange"). */

import { isPatientAccessType, servedResource } from '../../catalog/fhir/fhir-resources.ts';
import { type PayerReleaseRule, payerReleaseYears } from '../../catalog/payer/payer-release-rules.ts';
import { isCareBetween } from '../../fhir/values/care-dates.ts';
import { type DateRange, dateRange } from '../../fhir/values/date-range.ts';
import type { Label } from '../../fhir/values/label.ts';
import {
  isDeniedAuthorization,
  priorAuthorizationServedUntil,
} from '../../fhir/values/prior-authorization-period.ts';
import { searchDates } from '../../fhir/values/values.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import { drugElement, isPriorAuthorization } from '../../platform/kernel/prior-authorizations.ts';
import type { ConsentPolicy } from '../permission/judge-consent.ts';

export interface ReleaseCircumstances {
  readonly policy: ConsentPolicy;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A resource of a record with its label. */
export interface LabeledResource {
  readonly resource: unknown;
  /** Undefined for a resource without sensitive categories. */
  readonly label: Label | undefined;
}

export interface ReleaseCheck {
  readonly name: PayerReleaseRule;
  /** Whether the rule withholds by label. Documents about such a resource are withheld too, whatever else they are about. */
  readonly isLabel?: true;
  readonly releases: (labeled: LabeledResource, circumstances: ReleaseCircumstances) => boolean;
}

/** Types whose date is that of the recording, not of the care. */
const recordTypes: readonly string[] = ['Condition', 'Provenance'];

/**
 * The release rules; a resource is released if it satisfies all of them. The release of documents also depends on what they document
 * (`document-release.ts`).
 */
export const releaseChecks: readonly ReleaseCheck[] = [
  // Records of 42 CFR Part 2 are never released.
  { name: 'part-2', isLabel: true, releases: ({ label }) => !label?.categories.includes('part-2') },
  {
    // Data of a sensitive category is released only by a Consent with the policy `sensitive`.
    name: 'sensitive',
    isLabel: true,
    releases: ({ label }, { policy }) => policy === 'sensitive' || label === undefined,
  },
  {
    // Released while it is active, and for a year after its last change.
    name: 'prior-authorization-age',
    releases: ({ resource }, { now }) =>
      !isPriorAuthorization(resource) ||
      (priorAuthorizationServedUntil(resource) ?? Number.POSITIVE_INFINITY) > now,
  },
  {
    name: 'prior-authorization-denied',
    releases: ({ resource }) => !isPriorAuthorization(resource) || !isDeniedAuthorization(resource),
  },
  {
    name: 'prior-authorization-drug',
    releases: ({ resource }) => !isPriorAuthorization(resource) || drugElement(resource) === undefined,
  },
  {
    // Released for five years after the date of service. Prior authorizations have their own rule.
    name: 'service-date',
    releases: ({ resource }, { now }) =>
      isPriorAuthorization(resource) || isCareBetween(serviceDates(resource), firstDay(now), undefined),
  },
];

/** The first rule that withholds a resource; undefined if it is released. */
export function withholdingRule(
  labeled: LabeledResource,
  circumstances: ReleaseCircumstances,
): ReleaseCheck | undefined {
  return releaseChecks.find(({ releases }) => !releases(labeled, circumstances));
}

function firstDay(now: number): DateRange {
  const date = new Date(now);
  const first = Date.UTC(date.getUTCFullYear() - payerReleaseYears, date.getUTCMonth(), date.getUTCDate());
  return [first, first];
}

function serviceDates(resource: unknown): readonly DateRange[] {
  const type = jsonMember(resource, 'resourceType');
  if (type === 'MedicationDispense') {
    const range = dateRange(jsonMember(resource, 'whenHandedOver') ?? jsonMember(resource, 'whenPrepared'));
    return range === undefined ? [] : [range];
  }
  if (typeof type !== 'string' || recordTypes.includes(type) || !isPatientAccessType(type)) return [];
  const { careDate } = servedResource(type);
  return careDate === undefined ? [] : searchDates(resource, careDate);
}
