import { beforeAll, describe, expect, it } from 'vitest';
import { functionPages } from '../../../lambdas/portal/catalog/pages.ts';
import { readConfigurations } from '../../../lib/config/read-configurations.ts';
import { contentSecurityPolicy } from '../../../lib/portal/security-headers.ts';
import { resources } from '../synthesized-app.ts';
import { synthesizePortal } from './synthesized-portal.ts';

const called = readConfigurations({}).filter(({ environment }) => environment === 'sandbox');
const directives = (recaptcha: boolean) =>
  new Map(
    contentSecurityPolicy({ called, recaptcha })
      .split('; ')
      .map((text) => [text.split(' ')[0], text.split(' ').slice(1)] as const),
  );

describe('the content security policy', () => {
  it('allows the portal’s own scripts and styles, and none in a page', () => {
    const policy = directives(false);
    expect(policy.get('default-src')).toEqual(["'none'"]);
    for (const name of ['script-src', 'style-src', 'font-src', 'worker-src', 'form-action']) {
      expect(policy.get(name), name).toEqual(["'self'"]);
    }
    expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
    expect(policy.get('base-uri')).toEqual(["'none'"]);
    expect([...policy.values()].flat().join(' ')).not.toMatch(/unsafe|\*|http:/);
  });

  it('lets a page call the sandbox’s hosts, each by name, and no production host', () => {
    const sources = directives(false).get('connect-src') ?? [];
    expect(sources).toEqual(
      expect.arrayContaining([
        "'self'",
        'https://auth.sandbox.memberdata.example',
        'https://token.sandbox.memberdata.example',
        'https://dsnp.api.sandbox.memberdata.example',
      ]),
    );
    expect(sources).toHaveLength(3 + (called[0]?.linesOfBusiness.length ?? 0));
    for (const source of sources.slice(1)) expect(source).toContain('.sandbox.');
  });

  it('lets no text become script or markup but by the policies the pages make', () => {
    expect(directives(false).get('require-trusted-types-for')).toEqual(["'script'"]);
    expect(directives(false).get('trusted-types')).toEqual(['portal']);
    // Google's reCAPTCHA script does not support Trusted Types.
    expect(directives(true).has('require-trusted-types-for')).toBe(false);
  });

  it('knows Google only where reCAPTCHA is configured', () => {
    expect(contentSecurityPolicy({ called, recaptcha: false })).not.toContain('google');
    const policy = directives(true);
    for (const name of ['script-src', 'frame-src', 'connect-src']) {
      expect(policy.get(name)?.join(' '), name).toContain('https://www.google.com/recaptcha/');
    }
  });
});

describe('every answer of the portal’s host', () => {
  let behaviours: readonly { readonly ResponseHeadersPolicyId?: unknown }[];
  let config: Readonly<Record<string, unknown>>;
  beforeAll(() => {
    const { site } = synthesizePortal();
    const [policy] = resources(site, 'AWS::CloudFront::ResponseHeadersPolicy');
    config = policy?.Properties.ResponseHeadersPolicyConfig as typeof config;
    const [distribution] = resources(site, 'AWS::CloudFront::Distribution');
    const { DefaultCacheBehavior, CacheBehaviors } = distribution?.Properties.DistributionConfig as {
      readonly DefaultCacheBehavior: (typeof behaviours)[number];
      readonly CacheBehaviors: typeof behaviours;
    };
    behaviours = [DefaultCacheBehavior, ...CacheBehaviors];
  });

  it('has the same policy, of pages and of the API', () => {
    expect(behaviours).toHaveLength(2 + functionPages.length);
    for (const { ResponseHeadersPolicyId } of behaviours) {
      expect(ResponseHeadersPolicyId).toEqual({ Ref: expect.stringMatching(/^SecurityHeaders/) });
    }
  });

  it('tells the browser to use HTTPS, trust no other site and guess nothing', () => {
    expect(config.SecurityHeadersConfig).toMatchObject({
      ContentSecurityPolicy: { Override: true },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY' },
      ReferrerPolicy: { ReferrerPolicy: 'same-origin' },
      StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000, IncludeSubdomains: true },
    });
    const { Items } = config.CustomHeadersConfig as {
      readonly Items: readonly { readonly Header: string; readonly Value: string }[];
    };
    expect(Items.map(({ Header, Value }) => [Header, Value])).toEqual(
      expect.arrayContaining([
        ['Cross-Origin-Opener-Policy', 'same-origin'],
        ['Permissions-Policy', expect.stringContaining('camera=()')],
      ]),
    );
  });
});
