import { describe, expect, it } from 'vitest';
import { honoredConsentElements } from '../../../lambdas/catalog/payer/payer-consent-rules.ts';
import {
  consentChecks,
  consentDiagnostics,
  judgeConsent,
} from '../../../lambdas/payer-access/permission/judge-consent.ts';
import { consent, now, organization } from '../match-samples.ts';

const circumstances = { memberPatientId: '1', organization, now };
const { provision } = consent;
const withProvision = (change: object) => ({ ...consent, provision: { ...provision, ...change } });
const [own = { role: {}, reference: {} }] = provision.actor;
const withRecipient = (reference: object) => withProvision({ actor: [{ ...own, reference }] });
const other = { ...organization[0], value: '9876543210' };
const another = { ...own, reference: { identifier: other } };
const coding = (system: string, code: string) => ({ coding: [{ system, code }] });
const contained = (identifier: readonly unknown[]) => ({
  ...withRecipient({ reference: '#payer' }),
  contained: [{ resourceType: 'Organization', id: 'payer', identifier }],
});

/** For each rule, Consents that break this rule only. */
const broken: Readonly<Record<string, readonly unknown[]>> = {
  consent_elements: [
    { ...consent, implicitRules: 'http://plan.example.org/rules' },
    { ...consent, modifierExtension: [{ url: 'http://plan.example.org/not' }] },
    { ...consent, language_: 'en' },
    { ...consent, _dateTime: { extension: [] } },
    { ...consent, scope: { ...consent.scope, modifierExtension: [] } },
    {
      ...contained([organization[0]]),
      contained: [{ implicitRules: 'x' }, ...contained([organization[0]]).contained],
    },
    { ...consent, policy: [{ ...consent.policy[0], modifierExtension: [{}] }] },
    { ...consent, verification: [{ verified: true, verificationResult: 'partly' }] },
    withProvision({ securityLabel: [{ code: 'R' }] }),
    withProvision({ purpose: [{ code: 'TREAT' }] }),
    withProvision({ class: [{ code: 'http://hl7.org/fhir/StructureDefinition/Coverage' }] }),
    withProvision({ code: [coding('http://loinc.org', '718-7')] }),
    withProvision({ dataPeriod: { start: '2026-01-01' } }),
    withProvision({ data: [{ meaning: 'instance', reference: { reference: 'Coverage/1' } }] }),
    withProvision({ provision: [{ type: 'deny' }] }),
    withProvision({ provision: [] }),
    withProvision({ modifierExtension: [] }),
    withProvision({ actor: [{ ...own, modifierExtension: [] }] }),
    withProvision({ period: { ...provision.period, only: 'mornings' } }),
  ],
  consent_status: [
    { ...consent, status: 'inactive' },
    { ...consent, status: 'entered-in-error' },
  ],
  consent_scope: [
    { ...consent, scope: undefined },
    { ...consent, scope: coding('http://terminology.hl7.org/CodeSystem/consentscope', 'research') },
    { ...consent, scope: coding('http://other.example.org', 'patient-privacy') },
  ],
  consent_patient: [
    { ...consent, patient: { reference: 'Patient/2' } },
    { ...consent, patient: { reference: 'Patient/11' } },
    { ...consent, patient: { reference: 'https://other.example.org/Patient/1' } },
    { ...consent, patient: { reference: 'urn:uuid:Patient/1' } },
    { ...consent, patient: { reference: '#1' } },
    { ...consent, patient: { identifier: { value: '1' } } },
  ],
  consent_date: [
    { ...consent, dateTime: '2026-11-23T10:00:01Z' },
    { ...consent, dateTime: '2030' },
    { ...consent, dateTime: 'last week' },
    { ...consent, dateTime: null },
  ],
  consent_verification: [
    { ...consent, verification: [{ verified: false }] },
    { ...consent, verification: [{ verified: true }, { verified: 'true' }] },
    { ...consent, verification: { verified: false } },
  ],
  consent_policy: [
    { ...consent, policy: [] },
    { ...consent, policy: [{ uri: `${consent.policy[0]?.uri}x` }] },
    { ...consent, policy: [...consent.policy, ...consent.policy] },
    { ...consent, policyRule: coding('http://terminology.hl7.org/CodeSystem/v3-ActCode', 'OPTOUT') },
  ],
  consent_type: [withProvision({ type: 'deny' })],
  consent_action: [
    withProvision({ action: [] }),
    withProvision({ action: [coding('http://terminology.hl7.org/CodeSystem/consentaction', 'collect')] }),
  ],
  consent_period: [
    withProvision({ period: { start: '2026-11-24', end: '2026-12-31' } }),
    withProvision({ period: { start: '2026-01-01', end: '2026-11-22' } }),
    withProvision({ period: { start: '2026-01-01' } }),
    withProvision({ period: { start: 'soon', end: '2026-12-31' } }),
    withProvision({ period: undefined }),
  ],
  consent_recipient: [
    withProvision({ actor: [another] }),
    withProvision({ actor: [] }),
    withProvision({ actor: [{ ...own, role: coding('http://other.example.org', 'IRCP') }] }),
    withRecipient({ reference: 'Organization/payer' }),
    withRecipient({ reference: '#payer' }),
    contained([other]),
    {
      ...contained([organization[0]]),
      ...{ contained: [{ resourceType: 'Patient', id: 'payer', identifier: organization }] },
    },
    // The identifier and the contained Organization name two organizations.
    {
      ...contained([organization[0]]),
      provision: { ...provision, actor: [{ ...own, reference: { reference: '#payer', identifier: other } }] },
    },
  ],
};

describe('the Consent of a match request', () => {
  it('is honored until its period ends, for what its policy allows', () => {
    expect(judgeConsent(consent, circumstances)).toEqual({
      kind: 'honored',
      policy: 'regular',
      until: Date.parse('2027-01-01T00:00:00Z'),
    });
    const sensitive = {
      ...consent,
      policy: [{ uri: String(consent.policy[0]?.uri).replace('regular', 'sensitive') }],
    };
    expect(judgeConsent(sensitive, circumstances)).toMatchObject({ kind: 'honored', policy: 'sensitive' });
  });

  it('is honored with what HRex allows and what limits nothing', () => {
    const source = {
      role: coding('http://terminology.hl7.org/CodeSystem/provenance-participant-type', 'performer'),
      reference: { identifier: other },
    };
    for (const each of [
      // Both directions of sharing: each organization is a source and a recipient.
      withProvision({ actor: [source, { ...source, reference: own.reference }, own, another] }),
      contained([other, organization[0]]),
      { ...contained([organization[0]]), text: { status: 'generated', div: '<div/>' } },
      { ...consent, id: '3', meta: { versionId: '1' }, language: 'en', identifier: [{ value: 'c' }] },
      { ...consent, dateTime: '2026-11-23' },
      { ...consent, dateTime: '2026-11-23T09:59:59+00:00' },
      { ...consent, verification: [{ verified: true, verificationDate: '2026-11-01' }] },
      { ...consent, policyRule: coding('http://terminology.hl7.org/CodeSystem/v3-ActCode', 'OPTIN') },
      { ...consent, extension: [{ url: 'http://plan.example.org/note', valueString: 'x' }] },
    ]) {
      expect(judgeConsent(each, circumstances)).toMatchObject({ kind: 'honored' });
    }
  });

  it('is refused by the one rule it breaks; each rule has Consents that break it', () => {
    expect(Object.keys(broken)).toEqual(consentChecks.map(({ name }) => name));
    for (const [reason, consents] of Object.entries(broken)) {
      for (const each of consents)
        expect([each, judgeConsent(each, circumstances)]).toEqual([
          each,
          { kind: 'refused', rules: [reason] },
        ]);
    }
  });

  it('is refused with the name of the element that can’t be honored', () => {
    const limited = withProvision({ dataPeriod: { start: '2026-01-01' } });
    expect(consentDiagnostics(limited, 'consent_elements')).toContain('‘Consent.provision.dataPeriod’');
    const modified = { ...consent, scope: { ...consent.scope, modifierExtension: [] } };
    expect(consentDiagnostics(modified, 'consent_elements')).toContain('‘Consent.scope.modifierExtension’');
    expect(consentDiagnostics({ ...consent, status: 'draft' }, 'consent_status')).toBe(
      'The Consent can not be honored. Expected: status is active.',
    );
  });

  it('has a table of honored elements without those that HRex forbids', () => {
    const forbidden = ['purpose', 'class', 'code', 'data', 'dataPeriod', 'securityLabel', 'provision'];
    const { 'Consent.provision': honored = [] } = honoredConsentElements;
    expect(honored.filter((name) => forbidden.includes(name))).toEqual([]);
  });

  it('is refused whatever else is sent in its place', () => {
    for (const each of [
      undefined,
      null,
      [],
      'Consent',
      1,
      { provision: [] },
      { policy: {}, provision: null },
      [consent],
    ]) {
      expect(judgeConsent(each, circumstances).kind).toBe('refused');
    }
    expect(judgeConsent(consent, { ...circumstances, organization: [] }).kind).toBe('refused');
    expect(judgeConsent(consent, { ...circumstances, memberPatientId: undefined }).kind).toBe('refused');
  });
});
