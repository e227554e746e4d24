/** Rules by which a member's resources are released to another payer (42 CFR 422.121(b)(4); PDex 2.2.0, "Payer-to-Payer Exchange"). */

import { jsonEntries, jsonMember } from '../../kernel/json-members.ts';
import { drugElement, isPriorAuthorization } from '../../kernel/prior-authorizations.ts';
import { isDeniedAuthorization } from '../prior-authorization-period.ts';
import { type DateRange, endOf, startOf } from '../search/date-range.ts';
import type { ConsentPolicy } from './consent-rules.ts';

/** A resource that a rule judges. */
export interface JudgedResource {
  readonly resource: unknown;
  /** Dates of service; none of a resource that tells of no care. */
  readonly careDates: readonly DateRange[];
}

export interface ReleaseCircumstances {
  readonly policy: ConsentPolicy;
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface ContentRule {
  readonly name: string;
  readonly releases: (judged: JudgedResource, circumstances: ReleaseCircumstances) => boolean;
}

/** Years of service dates that another payer gets. */
const releasedYears = 5;

const confidentiality = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality';
const actCode = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';

/** The rules; a resource is released if all hold. */
export const payerContentRules: readonly ContentRule[] = [
  {
    name: 'five years of service dates',
    releases: ({ careDates }, { now }) => {
      const from = new Date(now);
      from.setUTCFullYear(from.getUTCFullYear() - releasedYears);
      return (
        careDates.length === 0 ||
        careDates.some((date) => endOf(date) > from.getTime() && startOf(date) <= now)
      );
    },
  },
  {
    name: 'no denied prior authorization',
    releases: ({ resource }) => !isPriorAuthorization(resource) || !isDeniedAuthorization(resource),
  },
  {
    name: 'no prior authorization of a drug',
    releases: ({ resource }) => !isPriorAuthorization(resource) || drugElement(resource) === undefined,
  },
  {
    name: 'sensitive data by the policy of the consent',
    releases: ({ resource }, { policy }) => policy === 'sensitive' || !isSensitive(resource),
  },
];

/** Whether a resource may be released to another payer. */
export function isReleased(judged: JudgedResource, circumstances: ReleaseCircumstances): boolean {
  return payerContentRules.every(({ releases }) => releases(judged, circumstances));
}

/** A resource that its source labels restricted, or of a sensitive category. */
function isSensitive(resource: unknown): boolean {
  return jsonEntries(jsonMember(jsonMember(resource, 'meta'), 'security')).some((label) => {
    const [system, code] = [jsonMember(label, 'system'), jsonMember(label, 'code')];
    return system === actCode || (system === confidentiality && (code === 'R' || code === 'V'));
  });
}

/** Elements of a claim that tell amounts. */
const amounts = new Set([
  ...[
    'total',
    'payment',
    'benefitBalance',
    'unitPrice',
    'net',
    'factor',
    'fundsReserve',
    'fundsReserveRequested',
  ],
]);

/**
 * A claim without amounts; any other resource as it is. Its profiles are left out: they demand amounts.
 *
 * @param json a resource of FHIR, serialized.
 */
export function withoutAmounts(resourceType: string, json: string): string {
  if (resourceType !== 'ExplanationOfBenefit') return json;
  const resource = JSON.parse(json) as Record<string, unknown>;
  if (isPriorAuthorization(resource)) return json;
  const { profile: _profile, ...meta } = (resource.meta ?? {}) as Record<string, unknown>;
  return JSON.stringify({ ...(stripped(resource) as object), meta });
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .filter(([name]) => !amounts.has(name))
    .map(([name, member]) => [
      name,
      stripped(name === 'adjudication' ? jsonEntries(member).filter(hasNoAmount) : member),
    ])
    // FHIR's JSON has no empty lists.
    .filter(([, member]) => !Array.isArray(member) || member.length > 0);
  return Object.fromEntries(kept);
}

function hasNoAmount(adjudication: unknown): boolean {
  return jsonMember(adjudication, 'amount') === undefined;
}
