import { describe, expect, it } from 'vitest';
import { synthesizeApp, template } from '../synthesized-app.ts';

describe('the function that verifies seals', () => {
  it('gets the ARNs of the keys as the JSON array that it reads', () => {
    const { Resources } = template(synthesizeApp(), 'production/Data');
    const [, verify] = Object.entries(Resources).find(([id]) => /^AuditVerifyFunction/.test(id)) ?? [];
    const { Variables } = verify?.Properties.Environment as { readonly Variables: Record<string, unknown> };
    const key = Object.entries(Resources).find(
      ([, { Properties }]) => Properties.KeySpec === 'ECC_NIST_P256',
    );
    expect(Variables.AUDIT_SIGNING_KEYS).toEqual({
      'Fn::Join': ['', ['["', { 'Fn::GetAtt': [key?.[0], 'Arn'] }, '"]']],
    });
  });
});
