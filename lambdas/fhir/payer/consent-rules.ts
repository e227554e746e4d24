/** Rules by which the Consent of a match request is judged (HRex 1.0.0, StructureDefinition/hrex-consent). */

import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { PayerConsentRule } from '../../catalog/payer/payer-consent-rules.ts';
import { jsonEntries, jsonMember } from '../../kernel/json-members.ts';
import { endOf, periodRange, startOf } from '../search/date-range.ts';

/** The request that a Consent comes with. */
export interface ConsentCircumstances {
  /** `Patient.id` of MemberPatient. */
  readonly memberPatientId: unknown;
  /** Verified identifiers of the organization that asks. */
  readonly organization: readonly OrganizationIdentifier[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Data that a Consent allows: `regular` excludes sensitive data. */
export type ConsentPolicy = 'regular' | 'sensitive';

export type ConsentVerdict =
  /** `until`: milliseconds since 1970. */
  | { readonly kind: 'honored'; readonly policy: ConsentPolicy; readonly until: number }
  | { readonly kind: 'refused'; readonly reason: PayerConsentRule };

interface ConsentRule {
  /** Stands in the audit event as its reason. */
  readonly name: PayerConsentRule;
  readonly holds: (consent: unknown, circumstances: ConsentCircumstances) => boolean;
}

/** Policies of a Consent, by the fragment of `policy.uri`. */
const policies: Readonly<Record<string, ConsentPolicy>> = { regular: 'regular', sensitive: 'sensitive' };
const policyPage = 'http://hl7.org/fhir/us/davinci-hrex/StructureDefinition-hrex-consent.html#';

/** The rules in their order; the first that doesn't hold is the reason in the audit. The caller isn't told which. */
export const consentRules: readonly ConsentRule[] = [
  { name: 'consent_status', holds: (consent) => jsonMember(consent, 'status') === 'active' },
  {
    name: 'consent_scope',
    holds: (consent) => codesOf(jsonMember(consent, 'scope')).includes('patient-privacy'),
  },
  {
    name: 'consent_patient',
    holds: (consent, { memberPatientId }) =>
      typeof memberPatientId === 'string' &&
      isReferenceTo(jsonMember(jsonMember(consent, 'patient'), 'reference'), memberPatientId),
  },
  { name: 'consent_policy', holds: (consent) => policyOf(consent) !== undefined },
  {
    name: 'consent_type',
    holds: (consent) => jsonMember(jsonMember(consent, 'provision'), 'type') === 'permit',
  },
  {
    name: 'consent_exceptions',
    // An exception could deny what the policy allows; none is understood.
    holds: (consent) => jsonEntries(jsonMember(jsonMember(consent, 'provision'), 'provision')).length === 0,
  },
  {
    name: 'consent_action',
    holds: (consent) =>
      jsonEntries(jsonMember(jsonMember(consent, 'provision'), 'action')).some((action) =>
        codesOf(action).includes('disclose'),
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
    holds: (consent, { organization }) => {
      const recipients = recipientsOf(consent);
      return recipients.length > 0 && recipients.every((recipient) => isAmong(recipient, organization));
    },
  },
];

/** Judges a Consent by all rules. */
export function judgeConsent(consent: unknown, circumstances: ConsentCircumstances): ConsentVerdict {
  const broken = consentRules.find(({ holds }) => !holds(consent, circumstances));
  const [policy, period] = [policyOf(consent), periodOf(consent)];
  if (broken !== undefined) return { kind: 'refused', reason: broken.name };
  if (policy === undefined || period === undefined) throw new TypeError('a rule let a consent through');
  return { kind: 'honored', policy, until: endOf(period) };
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
  return periodRange(jsonMember(jsonMember(consent, 'provision'), 'period'));
}

/** The organizations that may receive the data: actors in the role IRCP, "information recipient". */
function recipientsOf(consent: unknown): readonly unknown[] {
  return jsonEntries(jsonMember(jsonMember(consent, 'provision'), 'actor'))
    .filter((actor) => codesOf(jsonMember(actor, 'role')).includes('IRCP'))
    .map((actor) => jsonMember(jsonMember(actor, 'reference'), 'identifier'));
}

function isAmong(identifier: unknown, organization: readonly OrganizationIdentifier[]): boolean {
  const [system, value] = [jsonMember(identifier, 'system'), jsonMember(identifier, 'value')];
  return organization.some((own) => own.system === system && own.value === value);
}

function isReferenceTo(reference: unknown, id: string): boolean {
  return typeof reference === 'string' && id !== '' && `/${reference}`.endsWith(`/Patient/${id}`);
}

function codesOf(concept: unknown): readonly unknown[] {
  return jsonEntries(jsonMember(concept, 'coding')).map((coding) => jsonMember(coding, 'code'));
}
