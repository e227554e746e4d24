import { describe, expect, it } from 'vitest';
import { consentRules, judgeConsent } from '../../../lambdas/fhir/payer/consent-rules.ts';
import { consent, now, organization } from './match-samples.ts';

const circumstances = { memberPatientId: '1', organization, now };
const { provision } = consent;
const withProvision = (change: object) => ({ ...consent, provision: { ...provision, ...change } });
const another = {
  ...provision.actor[0],
  reference: { identifier: { ...organization[0], value: '9876543210' } },
};

/** For each rule a Consent that breaks it and no other. */
const broken: Readonly<Record<string, readonly unknown[]>> = {
  consent_status: [
    { ...consent, status: 'inactive' },
    { ...consent, status: 'entered-in-error' },
  ],
  consent_scope: [{ ...consent, scope: undefined }],
  consent_patient: [
    { ...consent, patient: { reference: 'Patient/2' } },
    { ...consent, patient: { reference: 'Patient/11' } },
    { ...consent, patient: { reference: 'https://other.example.org/Patient/1/x' } },
  ],
  consent_policy: [
    { ...consent, policy: [] },
    { ...consent, policy: [{ uri: `${consent.policy[0]?.uri}x` }] },
    { ...consent, policy: [...consent.policy, ...consent.policy] },
  ],
  consent_type: [withProvision({ type: 'deny' })],
  consent_exceptions: [withProvision({ provision: [{ type: 'deny' }] })],
  consent_action: [withProvision({ action: [] })],
  consent_period: [
    withProvision({ period: { start: '2026-11-24', end: '2026-12-31' } }),
    withProvision({ period: { start: '2026-01-01', end: '2026-11-22' } }),
    withProvision({ period: { start: '2026-01-01' } }),
    withProvision({ period: { start: 'soon', end: '2026-12-31' } }),
    withProvision({ period: undefined }),
  ],
  consent_recipient: [
    withProvision({ actor: [another] }),
    withProvision({ actor: [...provision.actor, another] }),
    withProvision({ actor: [] }),
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

  it('is refused by the one rule it breaks; each rule has a Consent that breaks it', () => {
    expect(Object.keys(broken)).toEqual(consentRules.map(({ name }) => name));
    for (const [reason, consents] of Object.entries(broken)) {
      for (const each of consents)
        expect(judgeConsent(each, circumstances)).toEqual({ kind: 'refused', reason });
    }
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
    ]) {
      expect(judgeConsent(each, circumstances).kind).toBe('refused');
    }
    expect(judgeConsent(consent, { ...circumstances, organization: [] }).kind).toBe('refused');
    expect(judgeConsent(consent, { ...circumstances, memberPatientId: undefined }).kind).toBe('refused');
  });
});
