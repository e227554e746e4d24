/** Table of the rules by which the Consent of a match request is judged, with their texts for the documentation. */

/** Rules by the reason that the audit has; `lambdas/fhir/payer/consent-rules.ts` enforces them in this order. */
export const payerConsentRules = {
  consent_status: '`status` is `active`.',
  consent_scope: '`scope` is `patient-privacy`.',
  consent_patient: '`patient` is a reference to MemberPatient.',
  consent_policy: '`policy` has one `uri`, which is `#regular` or `#sensitive` of HRex.',
  consent_type: '`provision.type` is `permit`.',
  consent_exceptions: '`provision.provision` is absent: exceptions are not supported.',
  consent_action: '`provision.action` has `disclose`.',
  consent_period: '`provision.period` has an end, and now is in it.',
  consent_recipient:
    '`provision.actor` has a recipient (`IRCP`), and each recipient’s identifier is a verified identifier of your organization.',
} as const;

export type PayerConsentRule = keyof typeof payerConsentRules;
