/** Judges the Consent of a match request by rules (HRex 1.0.0, StructureDefinition/hrex-consent). */

import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import { type PayerConsentRule, payerConsentRules } from '../../catalog/payer/payer-consent-rules.ts';
import { printable } from '../../fhir/query/search-issue.ts';
import { dateRange, endOf, periodRange, startOf } from '../../fhir/values/date-range.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import { containedResource, unhonoredElement } from './consent-elements.ts';

/** Data of the request that contains the Consent. */
export interface ConsentCircumstances {
  /** `Patient.id` of MemberPatient. */
  readonly memberPatientId: unknown;
  /** Verified identifiers of the organization that sends the request. */
  readonly organization: readonly OrganizationIdentifier[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The data that a Consent permits: `regular` excludes sensitive data. */
export type ConsentPolicy = 'regular' | 'sensitive';

export type ConsentVerdict =
  /** `until`: milliseconds since 1970. */
  | { readonly kind: 'honored'; readonly policy: ConsentPolicy; readonly until: number }
  /** All rules that the Consent breaks, in the order of the table; at least one. */
  | { readonly kind: 'refused'; readonly rules: readonly PayerConsentRule[] };

interface ConsentCheck {
  /** The reason in the audit event. */
  readonly name: PayerConsentRule;
  readonly holds: (consent: unknown, circumstances: ConsentCircumstances) => boolean;
}

/** Policies of a Consent, by the fragment of `policy.uri`. */
const policies: Readonly<Record<string, ConsentPolicy>> = { regular: 'regular', sensitive: 'sensitive' };
const policyPage = 'http://hl7.org/fhir/us/davinci-hrex/StructureDefinition-hrex-consent.html#';

const terminology = 'http://terminology.hl7.org/CodeSystem';
const codes = {
  privacy: { system: `${terminology}/consentscope`, code: 'patient-privacy' },
  optIn: { system: `${terminology}/v3-ActCode`, code: 'OPTIN' },
  disclose: { system: `${terminology}/consentaction`, code: 'disclose' },
  recipient: { system: `${terminology}/v3-ParticipationType`, code: 'IRCP' },
} as const;

/** The rules, in order. All of them depend on the request alone, so that a refusal reveals nothing about a member. */
export const consentChecks: readonly ConsentCheck[] = [
  { name: 'consent_elements', holds: (consent) => unhonoredElement(consent) === undefined },
  { name: 'consent_status', holds: (consent) => jsonMember(consent, 'status') === 'active' },
  { name: 'consent_scope', holds: (consent) => hasCode(jsonMember(consent, 'scope'), codes.privacy) },
  {
    name: 'consent_patient',
    holds: (consent, { memberPatientId: id }) =>
      typeof id === 'string' &&
      id !== '' &&
      jsonMember(jsonMember(consent, 'patient'), 'reference') === `Patient/${id}`,
  },
  {
    name: 'consent_date',
    holds: (consent, { now }) => {
      const dateTime = jsonMember(consent, 'dateTime');
      const given = dateRange(dateTime);
      return dateTime === undefined || (given !== undefined && startOf(given) <= now);
    },
  },
  {
    name: 'consent_verification',
    holds: (consent) => {
      const verification = jsonMember(consent, 'verification') ?? [];
      return (
        Array.isArray(verification) && verification.every((each) => jsonMember(each, 'verified') === true)
      );
    },
  },
  {
    name: 'consent_policy',
    holds: (consent) => {
      const policyRule = jsonMember(consent, 'policyRule');
      return (
        policyOf(consent) !== undefined && (policyRule === undefined || hasCode(policyRule, codes.optIn))
      );
    },
  },
  { name: 'consent_type', holds: (consent) => jsonMember(provisionOf(consent), 'type') === 'permit' },
  {
    name: 'consent_action',
    holds: (consent) =>
      jsonEntries(jsonMember(provisionOf(consent), 'action')).some((action) =>
        hasCode(action, codes.disclose),
      ),
  },
  {
    name: 'consent_period',
    holds: (consent, { now }) => {
      const period = periodOf(consent);
      return (
        period !== undefined &&
        startOf(period) <= now &&
        now < endOf(period) &&
        Number.isFinite(endOf(period))
      );
    },
  },
  {
    name: 'consent_recipient',
    // Further recipients are allowed: a Consent for both directions also names this plan.
    holds: (consent, { organization }) =>
      recipientsOf(consent).some((recipient) => isOrganization(consent, recipient, organization)),
  },
];

/** Judges a Consent by all rules. */
export function judgeConsent(consent: unknown, circumstances: ConsentCircumstances): ConsentVerdict {
  const rules = consentChecks.filter(({ holds }) => !holds(consent, circumstances)).map(({ name }) => name);
  const [policy, period] = [policyOf(consent), periodOf(consent)];
  if (rules.length > 0) return { kind: 'refused', rules };
  if (policy === undefined || period === undefined) throw new TypeError('a rule let a consent through');
  return { kind: 'honored', policy, until: endOf(period) };
}

/** Describes a rule that a Consent breaks, for the OperationOutcome. */
export function consentDiagnostics(consent: unknown, rule: PayerConsentRule): string {
  const expected = payerConsentRules[rule].replaceAll('`', '');
  const element = rule === 'consent_elements' ? unhonoredElement(consent) : undefined;
  const fault = element === undefined ? '' : ` It has the element ${printable(element)}.`;
  return `The Consent can not be honored.${fault} Expected: ${expected}`;
}

function provisionOf(consent: unknown): unknown {
  return jsonMember(consent, 'provision');
}

function policyOf(consent: unknown): ConsentPolicy | undefined {
  const [first, ...more] = jsonEntries(jsonMember(consent, 'policy')).map((policy) =>
    jsonMember(policy, 'uri'),
  );
  if (more.length > 0 || typeof first !== 'string' || !first.startsWith(policyPage)) return undefined;
  const fragment = first.slice(policyPage.length);
  return Object.hasOwn(policies, fragment) ? policies[fragment] : undefined;
}

function periodOf(consent: unknown) {
  return periodRange(jsonMember(provisionOf(consent), 'period'));
}

/** References to the organizations that may receive the data: actors in the role IRCP, "information recipient". */
function recipientsOf(consent: unknown): readonly unknown[] {
  return jsonEntries(jsonMember(provisionOf(consent), 'actor'))
    .filter((actor) => hasCode(jsonMember(actor, 'role'), codes.recipient))
    .map((actor) => jsonMember(actor, 'reference'));
}

/**
 * Whether a reference is to the payer's organization: by its identifier, and, if it refers to a contained Organization, by that one's
 * identifier too.
 */
function isOrganization(
  consent: unknown,
  recipient: unknown,
  organization: readonly OrganizationIdentifier[],
): boolean {
  const isOwn = (identifier: unknown) =>
    organization.some(
      ({ system, value }) =>
        system === jsonMember(identifier, 'system') && value === jsonMember(identifier, 'value'),
    );
  const [identifier, reference] = [jsonMember(recipient, 'identifier'), jsonMember(recipient, 'reference')];
  if (identifier !== undefined && !isOwn(identifier)) return false;
  const contained = containedResource(consent, reference);
  if (contained === undefined) return identifier !== undefined;
  return (
    jsonMember(contained, 'resourceType') === 'Organization' &&
    jsonEntries(jsonMember(contained, 'identifier')).some(isOwn)
  );
}

function hasCode(concept: unknown, { system, code }: (typeof codes)[keyof typeof codes]): boolean {
  return jsonEntries(jsonMember(concept, 'coding')).some(
    (coding) => jsonMember(coding, 'code') === code && jsonMember(coding, 'system') === system,
  );
}
