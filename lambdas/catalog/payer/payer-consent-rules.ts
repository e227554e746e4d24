/** Table of the rules for the Consent of a match request, with texts for the documentation and for refusals. */

/** Rules by the reason in the audit; `lambdas/payer-access/permission/judge-consent.ts` enforces them in this order. */
export const payerConsentRules = {
  consent_elements: 'Each element is one that can be honored. Any other could limit the permission.',
  consent_status: '`status` is `active`.',
  consent_scope: '`scope` is `patient-privacy`.',
  consent_patient: '`patient` is the local reference `Patient/[id]` to MemberPatient.',
  consent_date: '`dateTime`, if it is present, is a date that is not in the future.',
  consent_verification: '`verification`, if it is present, has `verified` `true`.',
  consent_policy:
    '`policy` has one `uri`, which is `#regular` or `#sensitive` of HRex, and `policyRule`, if it is present, is `OPTIN`.',
  consent_type: '`provision.type` is `permit`.',
  consent_action: '`provision.action` has `disclose`.',
  consent_period: '`provision.period` has an end, and now is in it.',
  consent_recipient:
    '`provision.actor` has a recipient (`IRCP`) that is your organization, by a verified identifier or as a contained Organization that has one. There may be other recipients, such as the plan in a consent for both directions.',
} as const;

export type PayerConsentRule = keyof typeof payerConsentRules;

/** The rule about the member, which refusals do not name. `lambdas/payer-access/permission/payer-permission.ts` enforces it last. */
export const permissionRule =
  'If the member, the plan or a load has ended your permission, `dateTime` is present and after that.';

/**
 * Elements of a Consent that may be present, by their parent element, because they are honored or say nothing about the permission. Each
 * may also have `id` and `extension`. Others are forbidden or not needed in HRex, such as `purpose`, `class`, `code`, `data` and nested
 * provisions.
 */
export const honoredConsentElements: Readonly<Record<string, readonly string[]>> = {
  Consent: [
    ...['resourceType', 'meta', 'language', 'text', 'contained', 'identifier', 'status', 'scope', 'category'],
    ...['patient', 'dateTime', 'performer', 'organization', 'sourceAttachment', 'sourceReference'],
    ...['policy', 'policyRule', 'verification', 'provision'],
  ],
  'Consent.policy': ['authority', 'uri'],
  'Consent.verification': ['verified', 'verifiedWith', 'verificationDate'],
  'Consent.provision': ['type', 'period', 'actor', 'action'],
  'Consent.provision.period': ['start', 'end'],
  'Consent.provision.actor': ['role', 'reference'],
};
