import { describe, expect, it } from 'vitest';
import {
  type EarlierGrant,
  replacedGrants,
} from '../../../lambdas/authorization/authorize/replaced-grants.ts';

const earlier: EarlierGrant = {
  ...{ grantId: 'earlier', clientId: 'app', sub: 'member', state: 'active' },
  ...{ scope: 'openid patient/Patient.rs patient/Coverage.rs sensitive/genetics', expiresAt: 2_000 },
};
const consent = { clientId: 'app', sub: 'member', scope: earlier.scope, expiresAt: 2_000 };
const ended = (before: Partial<EarlierGrant>, now: Partial<typeof consent>) =>
  replacedGrants([{ ...earlier, ...before }], { ...consent, ...now }).length > 0;

describe('a new consent', () => {
  it.each<[string, Partial<EarlierGrant>, Partial<typeof consent>]>([
    ['with less data', {}, { scope: 'openid patient/Patient.rs sensitive/genetics' }],
    ['without a sensitive category', {}, { scope: 'patient/Patient.rs patient/Coverage.rs' }],
    [
      'of one category of a type',
      {},
      { scope: 'patient/Patient.rs patient/Coverage.rs?category=x sensitive/genetics' },
    ],
    ['that ends sooner', {}, { expiresAt: 1_999 }],
    ['that was not redeemed', { state: 'pending', expiresAt: 10 }, {}],
  ])('%s ends the earlier grant', (_what, before, now) => {
    expect(ended(before, now)).toBe(true);
  });

  it.each<[string, Partial<EarlierGrant>, Partial<typeof consent>]>([
    ['to the same', {}, {}],
    ['to more', {}, { scope: `${earlier.scope} patient/Condition.rs`, expiresAt: 3_000 }],
    ['to a sign-in without data', {}, { scope: 'openid fhirUser', expiresAt: 1 }],
    ['to another application', { clientId: 'other' }, { expiresAt: 1 }],
    ['of another account', { sub: 'representative' }, { expiresAt: 1 }],
    ['after a sign-in without data', { scope: 'openid', expiresAt: 9_000 }, {}],
  ])('%s leaves the earlier grant', (_what, before, now) => {
    expect(ended(before, now)).toBe(false);
  });
});
