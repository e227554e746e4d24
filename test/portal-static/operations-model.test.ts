import { describe, expect, it } from 'vitest';
import { applicationDecision } from '../../lambdas/portal/api/operations.ts';
import { decisionCriteria } from '../../lambdas/portal/catalog/application-states.ts';
import { accountActWords, signUpRows } from '../../portal-static/pages/operations/account-model.ts';
import {
  ageWords,
  criteriaFor,
  decisionRequest,
  openAccountDecisions,
  openDecisions,
  readAccountDecision,
} from '../../portal-static/pages/operations/decision-model.ts';

const version = 3;

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
    expect(readAccountDecision('refuse_organization', { reason: ' ' }, 1).ok).toBe(false);
    expect(readAccountDecision('verify_organization', { reason: 'ignored' }, 1)).toEqual({
      ok: true,
      decision: { act: 'verify_organization', version: 1 },
    });
  });

  it('takes applications along where a suspension says so, and no other decision does', () => {
    const reason = 'Abuse.';
    const read = (act: 'suspend' | 'refuse_organization', more: object) =>
      readAccountDecision(act, { reason, ...more }, 1);
    const suspension = { act: 'suspend', version: 1, reason };
    expect(read('suspend', {})).toEqual({ ok: true, decision: suspension });
    expect(read('suspend', { unattended: false, applications: [] })).toEqual({
      ok: true,
      decision: suspension,
    });
    expect(read('suspend', { unattended: true })).toMatchObject({
      decision: { applications: 'unattended' },
    });
    expect(read('suspend', { applications: ['app-1'] })).toMatchObject({
      decision: { applications: ['app-1'] },
    });
    expect(read('refuse_organization', { unattended: true })).toEqual({
      ok: true,
      decision: { act: 'refuse_organization', version: 1, reason },
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
