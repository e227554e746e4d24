import { describe, expect, it } from 'vitest';
import {
  authenticationParameters,
  type HintedMember,
  isSignedToken,
  maxAgeOf,
  promptsOf,
} from '../../../lambdas/authorization/authorize/authentication-parameters.ts';
import {
  consentedScope,
  type SsoSession,
  type SsoSessionConsent,
  satisfiesAuthenticationParameters,
} from '../../../lambdas/authorization/authorize/sso-session.ts';
import { prompts } from '../../../lambdas/catalog/oauth/prompts.ts';
import fc from '../../support/property.ts';
import { readingAll } from '../builders.ts';
import { member } from '../memory-pages.ts';
import { startMs } from '../memory-server.ts';
import { type Changes, parametersOf } from '../refreshing.ts';

const start = startMs / 1000;
const ssoSession: SsoSession = {
  ssoSessionId: 'a'.repeat(64),
  state: 'open',
  member,
  authTime: start,
  expiresAt: start + 900,
};

describe('an SSO session stands in for the password', () => {
  const stands = (
    request: Changes = {},
    hinted: HintedMember = { kind: 'anyone' },
    atMs = startMs + 10_000,
    changes: Partial<SsoSession> = {},
  ) =>
    satisfiesAuthenticationParameters(
      { ...ssoSession, ...changes },
      authenticationParameters(parametersOf(request)),
      hinted,
      atMs,
    );

  it('while it is open and in its time, to the millisecond', () => {
    expect(stands()).toBe(true);
    expect(stands({}, { kind: 'anyone' }, startMs + 899_999)).toBe(true);
    expect(stands({}, { kind: 'anyone' }, startMs + 900_000)).toBe(false);
    expect(stands({}, { kind: 'anyone' }, startMs, { state: 'ended' })).toBe(false);
  });

  it.each([
    ['consent', true],
    ['none', true],
    ['login', false],
    ['select_account', false],
    ['login consent', false],
    ['consent select_account', false],
  ])('where prompt is %s: %s', (prompt, expected) => {
    expect(stands({ prompt })).toBe(expected);
  });

  it('where the sign-in is as young as max_age asks, by time that is not rounded down', () => {
    expect(stands({ max_age: '10' })).toBe(true);
    expect(stands({ max_age: '10' }, { kind: 'anyone' }, startMs + 10_001)).toBe(false);
    expect(stands({ max_age: '9' })).toBe(false);
    expect(stands({ max_age: '10000' })).toBe(true);
    expect(stands({ max_age: '9'.repeat(15) })).toBe(true);
  });

  it('never where max_age is 0, as where prompt is login', () => {
    expect(stands({ max_age: '0' }, { kind: 'anyone' }, startMs)).toBe(false);
    expect(stands({ max_age: '000' }, { kind: 'anyone' }, startMs)).toBe(false);
  });

  it('where the hint names its own member, and for no other hint', () => {
    expect(stands({}, { kind: 'member', sub: member.sub })).toBe(true);
    expect(stands({}, { kind: 'member', sub: 'another' })).toBe(false);
    expect(stands({}, { kind: 'unknown' })).toBe(false);
  });
});

describe('the authentication parameters of a request', () => {
  it('has each prompt that is known, and none where one is not', () => {
    expect(promptsOf(parametersOf({}))).toEqual([]);
    expect(promptsOf(parametersOf({ prompt: '' }))).toEqual([]);
    expect(promptsOf(parametersOf({ prompt: 'login consent' }))).toEqual(['login', 'consent']);
    for (const prompt of prompts) expect(promptsOf(parametersOf({ prompt }))).toEqual([prompt]);
    expect(promptsOf(parametersOf({ prompt: 'login create' }))).toBeUndefined();
    expect(promptsOf(parametersOf({ prompt: 'constructor' }))).toBeUndefined();
  });

  it('takes no text for a number of seconds but digits', () => {
    expect(maxAgeOf(parametersOf({}))).toBeUndefined();
    expect(maxAgeOf(parametersOf({ max_age: '0' }))).toBe(0);
    fc.assert(
      fc.property(fc.string(), (text) => {
        const seconds = maxAgeOf(parametersOf({ max_age: text }));
        if (text === '') expect(seconds).toBeUndefined();
        else if (/^[0-9]{1,15}$/.test(text)) expect(seconds).toBe(Number(text));
        else expect(seconds).toBeNaN();
      }),
    );
  });

  it('takes no text for an id_token but three parts of base64url', () => {
    expect(isSignedToken('a.b.c')).toBe(true);
    for (const text of [
      '',
      'a.b',
      'a.b.',
      'a.b.c.d',
      'a.b.c\n',
      ' a.b.c',
      'a=.b.c',
      `a.b.${'c'.repeat(4_093)}`,
    ])
      expect(isSignedToken(text), text.slice(0, 20)).toBe(false);
  });
});

describe('the scope of a code without a page', () => {
  const consent: SsoSessionConsent = {
    grantId: 'grant-1',
    scope: 'openid launch/patient patient/Patient.read',
    state: 'active',
    expiresAt: start + 1_800,
  };
  const scopeOf = (asked: string, changes: Partial<SsoSessionConsent> = {}, now = start) =>
    consentedScope({ ...consent, ...changes }, asked, ['patient-access'], now);

  it('is what is asked for, where the member shared as much', () => {
    expect(scopeOf('openid patient/Patient.read')).toBe('openid patient/Patient.read');
    expect(scopeOf('patient/Patient.r')).toBe('patient/Patient.r');
    expect(scopeOf('patient/Patient.rs')).toBe('patient/Patient.rs');
  });

  it('is a sign-in, where the member shared who they are', () => {
    expect(scopeOf('openid')).toBe('openid');
    expect(scopeOf('openid', { scope: 'patient/Patient.read' })).toBeUndefined();
  });

  it('is type by type, as the member saw it', () => {
    const scope = `openid ${readingAll}`;
    expect(scopeOf('openid patient/*.read', { scope })).toBe(scope);
    expect(scopeOf('patient/*.read', { scope })).toBe(readingAll);
  });

  it.each([
    'openid fhirUser patient/Patient.read',
    'offline_access patient/Patient.read',
    'openid offline_access patient/*.read',
  ])('is none for %s, which is more', (asked) => {
    expect(scopeOf(asked)).toBeUndefined();
  });

  it('is none where the member left a group out', () => {
    const scope = 'openid patient/Patient.read patient/Coverage.read';
    expect(scopeOf('openid patient/*.read', { scope })).toBeUndefined();
    expect(scopeOf('patient/Coverage.r patient/ExplanationOfBenefit.r', { scope })).toBeUndefined();
    expect(scopeOf('patient/Coverage.r', { scope })).toBe('patient/Coverage.r');
  });

  it('is none where the member shared a part of what is asked for', () => {
    expect(scopeOf('patient/Patient.rs', { scope: 'patient/Patient.r' })).toBeUndefined();
    expect(scopeOf('patient/*.read', { scope: 'patient/Coverage.read' })).toBeUndefined();
  });

  it('is none where no data is asked for that is served', () => {
    expect(scopeOf('patient/Observation.read')).toBeUndefined();
    expect(consentedScope(consent, 'patient/Patient.read', [], start)).toBe('patient/Patient.read');
    expect(consentedScope(consent, 'patient/*.read', [], start)).toBeUndefined();
  });

  it('is none where nothing was shared, or the grant is not active, or over', () => {
    const asked = 'patient/Patient.read';
    expect(consentedScope(undefined, asked, ['patient-access'], start)).toBeUndefined();
    expect(scopeOf(asked, { state: 'pending' })).toBeUndefined();
    expect(scopeOf(asked, { state: 'revoked' })).toBeUndefined();
    expect(scopeOf(asked, {}, start + 1_799)).toBe(asked);
    expect(scopeOf(asked, {}, start + 1_800)).toBeUndefined();
  });
});
