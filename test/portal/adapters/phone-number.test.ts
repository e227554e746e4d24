import { describe, expect, it } from 'vitest';
import { developerPhoneKind } from '../../../lambdas/portal/adapters/phone-number.ts';

describe('a number with the code +1', () => {
  it.each([
    ['of the United States', '+12025550123', 'personal'],
    ['of Puerto Rico', '+17875550123', 'personal'],
    ['of Canada', '+14165550123', 'refused'],
    ['of another Canadian province', '+16045551234', 'refused'],
    ['of Jamaica', '+18765550123', 'refused'],
    ['of the Bahamas', '+12425550123', 'refused'],
    ['that costs who calls it', '+19005550123', 'refused'],
    ['that moves with a person', '+15005550006', 'refused'],
    ['that is free to call', '+18005550199', 'toll_free'],
    ['of no area', '+12115550123', 'refused'],
  ])('%s: %s is %s', (_, number, kind) => {
    expect(developerPhoneKind(number)).toBe(kind);
  });
});
