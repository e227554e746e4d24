import { describe, expect, it } from 'vitest';
import type { AuthorizationCode } from '../../../lambdas/authorization/authorize/interaction.ts';
import { grantableScope, refreshedScope } from '../../../lambdas/authorization/oauth/scope-grant.ts';
import {
  isAlive,
  type LiveGrant,
  parseRefreshToken,
  type RefreshFamily,
} from '../../../lambdas/authorization/token/refresh-token-family.ts';
import { idTokenClaims } from '../../../lambdas/authorization/token/token-claims.ts';
import {
  type AuthorizationCodeRefusal,
  authorizationCodeRefusals,
  verifyAuthorizationCode,
} from '../../../lambdas/authorization/token/verify-authorization-code.ts';
import { verifyRefreshToken } from '../../../lambdas/authorization/token/verify-refresh-token.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { aClient, readingAll, rfc7636, theMember, theRedirectUri } from '../builders.ts';
import { type Changes, parametersOf } from '../refreshing.ts';

/** The checks of a code or refresh token, without a store: every limit of time and form. */

const now = 1_800_000_000;

describe('a code as it is presented', () => {
  const code: AuthorizationCode = {
    sha256: 'x',
    state: 'issued',
    clientId: 'client',
    redirectUri: theRedirectUri,
    codeChallenge: rfc7636.challenge,
    scope: 'openid',
    grantId: 'grant',
    sub: theMember.sub,
    patientId: theMember.patientId,
    authTime: now,
    expiresAt: now + 1,
  };
  function judge(
    changes: Partial<AuthorizationCode>,
    sent: Changes = {},
    clientId = 'client',
    redirectUris = [theRedirectUri],
  ) {
    const good = { redirect_uri: theRedirectUri, code_verifier: rfc7636.verifier };
    const client = aClient({ clientId, redirectUris });
    return verifyAuthorizationCode(
      { ...code, ...changes },
      client,
      parametersOf({ ...good, ...sent }),
      now,
      digests,
    );
  }

  it('is good until the second it is over', () => {
    expect(judge({})).toBeUndefined();
    expect(judge({ expiresAt: now })).toBe('code_expired');
  });

  it.each<[AuthorizationCodeRefusal, Partial<AuthorizationCode>, Changes, string]>([
    ['code_of_another_client', { clientId: 'another' }, { redirect_uri: 'x' }, 'code'],
    ['code_replayed', { state: 'redeemed', expiresAt: now - 1 }, {}, 'grant'],
    ['code_ended', { state: 'ended', expiresAt: now - 1 }, {}, 'nothing'],
    ['code_expired', { expiresAt: now - 1 }, { redirect_uri: 'x' }, 'nothing'],
    ['redirect_uri_differs', {}, { redirect_uri: `${theRedirectUri}/`, code_verifier: undefined }, 'grant'],
    ['code_verifier_missing', {}, { code_verifier: undefined }, 'grant'],
    ['code_verifier_unexpected', { codeChallenge: undefined }, {}, 'grant'],
    ['code_verifier_wrong', {}, { code_verifier: 'v'.repeat(43) }, 'grant'],
  ])('is refused as %s, and says what ends', (reason, changes, sent, ends) => {
    expect(judge(changes, sent)).toBe(reason);
    expect(authorizationCodeRefusals[reason]).toBe(ends);
  });

  it.each([
    ['redeemed', now + 1],
    ['redeemed', now - 1],
    ['ended', now + 1],
    ['issued', now - 1],
  ] as const)('is of another client first, %s and until %d', (state, expiresAt) => {
    expect(judge({ state, expiresAt }, {}, 'another')).toBe('code_of_another_client');
  });

  it('is refused once its redirect URI is no longer registered', () => {
    expect(judge({}, {}, 'client', ['https://app.example.com/new'])).toBe('redirect_uri_removed');
  });

  it.each([
    ['of 43 characters', 'a'.repeat(43), undefined],
    ['of 128', '~'.repeat(128), undefined],
    ['of 42', 'a'.repeat(42), 'code_verifier_wrong'],
    ['of 129', 'a'.repeat(129), 'code_verifier_wrong'],
    ['with a space before', ` ${'a'.repeat(43)}`, 'code_verifier_wrong'],
    ['with a line after', `${'a'.repeat(43)}\n`, 'code_verifier_wrong'],
  ])('takes a verifier %s for what RFC 7636 says of it', (_what, code_verifier, expected) => {
    const codeChallenge = digests.sha256Base64Url(code_verifier);
    expect(judge({ codeChallenge }, { code_verifier })).toBe(expected);
  });
});

describe('a refresh token as it is presented', () => {
  const family: RefreshFamily = {
    familyId: 'f'.repeat(22),
    state: 'active',
    ...{ sha256: 'live', previousSha256: 'previous' },
    ...{ clientId: 'client', sub: 'sub', patientId: 'p', grantId: 'g', scope: 's', authTime: now },
    ...{ createdAt: now - 100, rotatedAt: now - 30, idleExpiresAt: now + 1, expiresAt: now + 1 },
  };
  const judge = (changes: Partial<RefreshFamily>, sha256 = 'live', clientId = 'client') =>
    verifyRefreshToken({ ...family, ...changes }, sha256, clientId, now, digests);

  it.each<[Partial<RefreshFamily>, string, string, unknown]>([
    [{}, 'live', 'client', { kind: 'current' }],
    [{}, 'previous', 'client', { kind: 'previous' }],
    [
      { rotatedAt: now - 31 },
      'previous',
      'client',
      { kind: 'refusal', reason: 'refresh_token_reused', revokesGrant: true },
    ],
    [{}, 'older', 'client', { kind: 'refusal', reason: 'refresh_token_reused', revokesGrant: true }],
    [
      { expiresAt: now },
      'live',
      'client',
      { kind: 'refusal', reason: 'refresh_token_expired', revokesGrant: false },
    ],
    [
      { idleExpiresAt: now },
      'live',
      'client',
      { kind: 'refusal', reason: 'refresh_token_expired', revokesGrant: false },
    ],
    [
      { state: 'revoked' },
      'live',
      'client',
      { kind: 'refusal', reason: 'refresh_token_revoked', revokesGrant: false },
    ],
    [
      {},
      'live',
      'another',
      { kind: 'refusal', reason: 'refresh_token_of_another_client', revokesGrant: true },
    ],
    [
      {},
      'previous',
      'another',
      { kind: 'refusal', reason: 'refresh_token_of_another_client', revokesGrant: true },
    ],
    [{}, 'older', 'another', { kind: 'refusal', reason: 'refresh_token_unknown', revokesGrant: false }],
  ])('of a family with %j, %s by %s', (changes, sha256, clientId, expected) => {
    expect(judge(changes, sha256, clientId)).toEqual(expected);
  });

  it.each([
    ['it is', '', '', true],
    ['something before', 'x', '', false],
    ['something after', '', 'x', false],
    ['a line after', '', '\n', false],
  ])('is read where %s', (_what, before, after, read) => {
    const [familyId, secret] = ['f'.repeat(22), 's'.repeat(43)];
    const found = parseRefreshToken(`${before}${familyId}.${secret}${after}`);
    expect(found).toEqual(read ? { familyId, secret } : undefined);
  });
});

it.each<[LiveGrant | undefined, boolean]>([
  [{ clientId: 'client', state: 'active', expiresAt: now + 1 }, true],
  [{ clientId: 'client', state: 'active', expiresAt: now }, false],
  [{ clientId: 'client', state: 'pending', expiresAt: now + 1 }, false],
  [{ clientId: 'client', state: 'revoked', expiresAt: now + 1 }, false],
  [{ clientId: 'another', state: 'active', expiresAt: now + 1 }, false],
  [undefined, false],
])('the grant %j lives: %s', (grant, lives) => {
  expect(isAlive(grant, 'client', now)).toBe(lives);
});

describe('a scope as it is presented', () => {
  const longest = `openid${' '.repeat(1_994)}`;

  it('is 2,000 characters long at most', () => {
    expect(grantableScope(longest, ['patient-access'])).toBe(`openid ${readingAll}`);
    expect(grantableScope(`${longest} `, ['patient-access'])).toBeUndefined();
    expect(refreshedScope('openid patient/Patient.read', undefined, longest)).toBe('openid');
    expect(refreshedScope('openid patient/Patient.read', undefined, `${longest} `)).toBeUndefined();
  });

  it.each([
    [
      'what was requested, after the member shared less of it',
      'openid patient/*.rs',
      'openid patient/Patient.rs sensitive/genetics',
    ],
    ['it in another order', 'patient/*.rs openid', 'patient/Patient.rs sensitive/genetics openid'],
    ['a scope that nobody here knows, as it was requested', 'profile patient/*.rs openid', undefined],
    ['a part of what was granted', 'patient/Patient.r', 'patient/Patient.r'],
    ['a type that was requested and not granted', 'patient/Coverage.rs', undefined],
    ['that beside one that was granted', 'patient/Patient.rs patient/Coverage.rs', 'patient/Patient.rs'],
    ['a scope that was never requested', 'openid patient/*.rs launch/patient', undefined],
  ])('of a refresh with %s', (_what, asked, answered) => {
    const granted = 'openid patient/Patient.rs sensitive/genetics';
    expect(refreshedScope(granted, 'openid patient/*.rs', asked)).toBe(answered);
  });

  it('of a refresh that repeats the request word for word is the whole grant', () => {
    // `openid` alone requests the default scope, and unknown scopes are ignored.
    for (const requested of ['openid', 'openid profile email', 'openid patient/*.read'])
      expect(refreshedScope('openid patient/Patient.rs', requested, requested)).toBe(
        'openid patient/Patient.rs',
      );
  });

  it.each(['', ' '])('of a refresh that is "%s" names nothing', (asked) => {
    expect(refreshedScope('openid', undefined, asked)).toBeUndefined();
  });

  it.each(['"openid', 'openid"', '\\openid', 'openid\u007f'])('with %j is none', (asked) => {
    expect(grantableScope(asked, ['patient-access'])).toBeUndefined();
  });

  it('asks for data only where a word of it begins so', () => {
    expect(grantableScope('openid x-patient/y', ['patient-access'])).toBe('openid');
    expect(grantableScope('openid patient/y', ['patient-access'])).toBeUndefined();
  });
});

describe('an id_token', () => {
  const origins = {
    auth: 'https://auth.example',
    token: 'https://token.example',
    apiTemplate: 'https://{lob}.example',
  };
  const claimsOf = (scope: string, nonce?: string) => {
    const authorized = { clientId: 'client', sub: 'sub', patientId: 'p1', grantId: 'g', authTime: now - 9 };
    return idTokenClaims(origins, 'DSNP', { ...authorized, scope, nonce }, { iat: now, exp: now + 1 });
  };

  it('says who signed in and when, and nothing that was not granted', () => {
    expect(claimsOf('openid')).toEqual({
      ...{ iss: 'https://auth.example/fhir-oauth2/dsnp', sub: 'sub', aud: 'client' },
      ...{ iat: now, exp: now + 1, auth_time: now - 9 },
    });
  });

  it('names the member’s Patient with fhirUser, and the request by its nonce', () => {
    expect(claimsOf('openid fhirUser', 'n-1')).toMatchObject({
      fhirUser: 'https://dsnp.example/extfhirpatientaccess/v1/Patient/p1',
      nonce: 'n-1',
    });
  });
});
