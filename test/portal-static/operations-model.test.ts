import { describe, expect, it } from 'vitest';
import { accountDecision, applicationDecision } from '../../lambdas/portal/api/operations.ts';
import { verdictOf, verdictText, worstFirst } from '../../lambdas/portal/api/verdict.ts';
import type { PreflightCheck } from '../../lambdas/portal/api/views.ts';
import { decisionCriteria } from '../../lambdas/portal/catalog/application-states.ts';
import { accountActWords, signUpRows } from '../../portal-static/pages/operations/account-model.ts';
import {
  accountDecisionRequest,
  ageWords,
  criteriaFor,
  decisionRequest,
  openAccountDecisions,
  openDecisions,
  textsFor,
  withCriterion,
} from '../../portal-static/pages/operations/decision-model.ts';
import {
  addressRows,
  differencesOf,
  differenceWords,
} from '../../portal-static/pages/operations/review-model.ts';
import { aConfiguration } from './applications-fixtures.ts';
import { submitted } from './applications-fixtures-more.ts';

const version = 3;

const check = (
  id: string,
  result: PreflightCheck['result'],
  field?: PreflightCheck['field'],
): PreflightCheck => ({
  id,
  title: id,
  result,
  detail: '',
  ...(field === undefined ? {} : { field }),
});

describe('a decision', () => {
  it('against an application needs a criterion and a reason', () => {
    const read = applicationDecision.safeParse(decisionRequest('reject', {}, version));
    expect(read.error?.issues.map(({ path }) => path[0])).toEqual(['criterion', 'reason']);
    const values = { criterion: 'security-risk', field: 'privacyUri', reason: 'It sends tokens by mail.' };
    expect(applicationDecision.parse(decisionRequest('reject', values, version))).toEqual({
      act: 'reject',
      version,
      ...values,
    });
  });

  it('for an application takes a note or none, and drops a criterion chosen before', () => {
    const values = { criterion: 'privacy-policy', reason: 'left over' };
    expect(applicationDecision.parse(decisionRequest('approve', values, version))).toEqual({
      act: 'approve',
      version,
    });
    expect(decisionRequest('resume', { note: 'Mended.' }, version)).toEqual({
      act: 'resume',
      version,
      note: 'Mended.',
    });
  });

  it('rejects only for what may keep an application out', () => {
    expect(criteriaFor('reject').every((name) => decisionCriteria[name].mayReject)).toBe(true);
    expect(criteriaFor('request_changes')).toContain('uri-not-reachable');
  });

  it('is offered only where the application allows it', () => {
    expect(openDecisions(['approve', 'withdraw', 'reject'])).toEqual(['approve', 'reject']);
  });
});

describe('a criterion', () => {
  const silent = check('address-tosUri', 'fail', 'tosUri');

  it('fills in its reason and the field it is about', () => {
    expect(withCriterion({}, 'privacy-policy', [])).toEqual({
      criterion: 'privacy-policy',
      reason: decisionCriteria['privacy-policy'].reason,
      field: 'privacyUri',
    });
    expect(
      withCriterion({}, 'uri-not-reachable', [check('address-privacyUri', 'pass', 'privacyUri'), silent]),
    ).toMatchObject({
      field: 'tosUri',
    });
  });

  it('replaces what another one filled in, and leaves what an operator wrote', () => {
    const filled = withCriterion({}, 'privacy-policy', []);
    expect(withCriterion(filled, 'terms-of-service', [])).toEqual({
      criterion: 'terms-of-service',
      reason: decisionCriteria['terms-of-service'].reason,
      field: 'tosUri',
    });
    const written = { ...filled, reason: 'Name the application in it.', field: 'applicationUri' };
    expect(withCriterion(written, 'terms-of-service', [])).toEqual({ criterion: 'terms-of-service' });
  });

  it('that cannot be chosen for another decision is left out there, with the reason it filled in', () => {
    const filled = { ...withCriterion({}, 'privacy-policy', []), note: 'Welcome.' };
    expect(textsFor('reject', filled)).toEqual({ criterion: '', reason: '', field: '', note: 'Welcome.' });
    expect(textsFor('request_changes', filled)).toBe(filled);
  });

  it('begins with a reason that the schema takes as it is', () => {
    for (const criterion of criteriaFor('request_changes')) {
      const values = withCriterion({}, criterion, []);
      expect(applicationDecision.safeParse(decisionRequest('request_changes', values, version)).success).toBe(
        true,
      );
    }
  });
});

describe('the verdict of a pre-flight', () => {
  const checks = [
    check('production-values', 'pass'),
    check('contact', 'warn'),
    check('address-privacyUri', 'skipped'),
    check('evidence-payer-access', 'skipped'),
    check('address-tosUri', 'fail'),
    check('name', 'pass'),
  ];

  it('counts what is to be done before what has passed, and leaves out what is not needed', () => {
    expect(verdictText(verdictOf(checks))).toBe('1 to fix, 1 to check, 1 to open, 2 passed');
    expect(verdictText(verdictOf([check('name', 'pass')]))).toBe('1 passed');
  });

  it('has the worst checks first', () => {
    expect(worstFirst(checks).map(({ id }) => id)).toEqual([
      'address-tosUri',
      'contact',
      'address-privacyUri',
      'production-values',
      'name',
      'evidence-payer-access',
    ]);
  });
});

describe('a submission', () => {
  it('has each address with what the pre-flight found there; one for programs is not opened', () => {
    const rows = addressRows(aConfiguration, [check('address-privacyUri', 'warn', 'privacyUri')]);
    expect(rows.map(({ field }) => field)).toEqual([
      'applicationUri',
      'loginInitiateUri',
      'loginRedirectUris',
      'logoutRedirectUri',
      'privacyUri',
      'tosUri',
    ]);
    expect(rows.find(({ field }) => field === 'privacyUri')).toMatchObject({
      label: 'Privacy URI',
      uri: aConfiguration.privacyUri,
      result: 'warn',
    });
    expect(rows.filter(({ forPrograms }) => forPrograms).map(({ field }) => field)).toEqual([
      'loginRedirectUris',
    ]);
  });

  it('is compared with what runs and with the submission before', () => {
    const first = submitted();
    expect(differencesOf(first)).toEqual({});
    const production = { ...first.production, approved: aConfiguration } as typeof first.production & object;
    const again = differencesOf(submitted({ production, resubmission: [] }));
    expect(differenceWords(again.approved ?? [])).toBe('TOS URI');
    expect(differenceWords(again.submission ?? [])).toBe('none');
  });
});

describe('a decision about an account', () => {
  it('follows its state', () => {
    expect(openAccountDecisions('pending_verification')).toEqual([
      'verify_organization',
      'refuse_organization',
    ]);
    expect(openAccountDecisions('suspended')).toEqual(['resume']);
    expect(openAccountDecisions('closed')).toEqual([]);
  });

  it('needs a reason where it goes against the developer', () => {
    expect(
      accountDecision.safeParse(accountDecisionRequest('refuse_organization', { reason: ' ' }, 1)).success,
    ).toBe(false);
    const verified = accountDecisionRequest('verify_organization', { reason: 'ignored' }, 1);
    expect(verified).toEqual({ act: 'verify_organization', version: 1 });
    expect(accountDecision.safeParse(verified).success).toBe(true);
  });

  it('takes applications along where a suspension says so, and no other decision does', () => {
    const reason = 'Abuse.';
    const request = (act: 'suspend' | 'refuse_organization', more: object) =>
      accountDecisionRequest(act, { reason, ...more }, 1);
    const suspension = { act: 'suspend', version: 1, reason };
    expect(request('suspend', {})).toEqual(suspension);
    expect(request('suspend', { unattended: false, applications: [] })).toEqual(suspension);
    expect(request('suspend', { unattended: true })).toMatchObject({ applications: 'unattended' });
    expect(request('suspend', { applications: ['app-1'] })).toMatchObject({ applications: ['app-1'] });
    expect(request('refuse_organization', { unattended: true })).toEqual({
      act: 'refuse_organization',
      version: 1,
      reason,
    });
  });
});

describe('the queue', () => {
  it('says how long something has waited', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    const ages = [
      '2026-11-20T11:59:40Z',
      '2026-11-20T11:59:00Z',
      '2026-11-20T09:30:00Z',
      '2026-11-17T12:00:00Z',
    ];
    expect(ages.map((since) => ageWords(since, now))).toEqual(['just now', '1 minute', '2 hours', '3 days']);
  });
});

describe('a sign-up', () => {
  it('is shown with its names as words, parts of parts too', () => {
    expect(
      signUpRows({ companyLegalName: 'Acme', companyAddress: { zipCode: '20001' }, username: undefined }),
    ).toEqual([
      { label: 'Company legal name', value: 'Acme' },
      { label: 'Company address, ZIP code', value: '20001' },
    ]);
  });

  it('is shown in the order of its form, however it was kept; what no form has comes last', () => {
    const kept = {
      unknownField: 'x',
      primaryContact: { email: 'ada@example.org', firstName: 'Ada' },
      companyAddress: { city: 'Washington', street: '1 Main Street' },
      hipaaAffirmation: { version: '2026-11-22', accepted: true },
      companyLegalName: 'Acme',
    };
    expect(signUpRows(kept).map(({ label }) => label)).toEqual([
      'Company legal name',
      'HIPAA affirmation, accepted',
      'HIPAA affirmation, version',
      'Company address, street',
      'Company address, city',
      'Primary contact, first name',
      'Primary contact, e-mail',
      'Unknown field',
    ]);
  });

  it('and what came after it are told in words', () => {
    expect(accountActWords('verify_organization')).toBe('verified the organization');
    expect(accountActWords('change_email')).toBe('changed the e-mail address');
  });
});
