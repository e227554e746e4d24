import { beforeAll, describe, expect, it } from 'vitest';
import { functionPages } from '../../../lambdas/portal/catalog/pages.ts';
import { portalFunctions } from '../../../lambdas/portal/catalog/portal-routes.ts';
import { methods, resources, type Template } from '../synthesized-app.ts';
import { type PortalTemplates, synthesizePortal } from './synthesized-portal.ts';

let templates: PortalTemplates;
beforeAll(() => {
  templates = synthesizePortal();
});

const only = (stack: keyof PortalTemplates, type: string) => {
  const found = resources(templates[stack], type);
  expect(found).toHaveLength(1);
  return found[0]?.Properties ?? {};
};

describe('the developers’ pool', () => {
  it('lets nobody enrol, and signs in by account id only', () => {
    const pool = only('data', 'AWS::Cognito::UserPool');
    expect(pool.AdminCreateUserConfig).toEqual({ AllowAdminCreateUserOnly: true });
    expect(pool.AliasAttributes).toBeUndefined();
    expect(pool.UsernameAttributes).toBeUndefined();
    expect(pool.DeletionProtection).toBe('ACTIVE');
  });

  it('asks for fifteen characters, of whatever kind', () => {
    const { Policies } = only('data', 'AWS::Cognito::UserPool');
    expect(Policies).toMatchObject({
      PasswordPolicy: {
        MinimumLength: 15,
        RequireLowercase: false,
        RequireNumbers: false,
        RequireSymbols: false,
        RequireUppercase: false,
      },
    });
  });

  it('has one client, which is secret, and the group of operators', () => {
    expect(only('data', 'AWS::Cognito::UserPoolClient')).toMatchObject({
      GenerateSecret: true,
      PreventUserExistenceErrors: 'ENABLED',
      ExplicitAuthFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
    });
    expect(only('data', 'AWS::Cognito::UserPoolGroup').GroupName).toBe('operators');
  });
});

describe('what the portal must not lose', () => {
  it.each(['AWS::DynamoDB::GlobalTable', 'AWS::Cognito::UserPool'])('outlives its stack: %s', (type) => {
    for (const resource of resources(templates.data, type)) {
      expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });

  it('can be restored to any second', () => {
    expect(only('data', 'AWS::DynamoDB::GlobalTable')).toMatchObject({
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      Replicas: [
        {
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
    });
  });
});

describe('the buckets', () => {
  it('are private, encrypted, versioned and asked by TLS only', () => {
    const buckets = resources(templates.site, 'AWS::S3::Bucket');
    expect(buckets).toHaveLength(2);
    for (const { Properties: properties } of buckets) {
      expect(properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        VersioningConfiguration: { Status: 'Enabled' },
      });
      expect(properties.BucketEncryption).toBeDefined();
    }
    for (const { Properties: properties } of resources(templates.site, 'AWS::S3::BucketPolicy')) {
      expect(JSON.stringify(properties)).toContain('"aws:SecureTransport":"false"');
    }
  });

  it('give pages to the distribution alone', () => {
    const policies = resources(templates.site, 'AWS::S3::BucketPolicy').flatMap(
      ({ Properties: { PolicyDocument } }) =>
        (PolicyDocument as { readonly Statement: readonly Record<string, unknown>[] }).Statement,
    );
    const readers = policies.filter(
      ({ Action, Effect }) => Effect === 'Allow' && [Action].flat().includes('s3:GetObject'),
    );
    expect(readers).toHaveLength(1);
    expect(readers[0]?.Principal).toEqual({ Service: 'cloudfront.amazonaws.com' });
    expect(JSON.stringify(readers[0]?.Condition)).toContain('AWS:SourceArn');
  });

  it('keep hashed files for a year and ask for every page anew', () => {
    const deployments = resources(templates.site, 'Custom::CDKBucketDeployment').map(
      ({ Properties: { Include, Exclude, Prune, SystemMetadata } }) => ({
        Include,
        Exclude,
        Prune,
        cache: (SystemMetadata as { readonly 'cache-control': string })['cache-control'],
      }),
    );
    expect(deployments).toEqual(
      expect.arrayContaining([
        {
          Include: ['assets/*'],
          Exclude: ['*'],
          Prune: false,
          cache: 'public, max-age=31536000, immutable',
        },
        { Include: undefined, Exclude: ['assets/*'], Prune: true, cache: 'no-cache' },
      ]),
    );
    expect(deployments).toHaveLength(2);
  });
});

describe('the distribution', () => {
  const config = () =>
    only('site', 'AWS::CloudFront::Distribution').DistributionConfig as Record<string, unknown>;

  it('answers under the portal’s host, by TLS 1.2 and newer', () => {
    expect(config()).toMatchObject({
      Aliases: ['developer.memberdata.example'],
      DefaultRootObject: 'index.html',
      HttpVersion: 'http2and3',
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021', SslSupportMethod: 'sni-only' },
    });
    expect(config().Logging).toBeDefined();
  });

  it('passes calls of the API on, uncached, and takes files from the bucket', () => {
    const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
    const allViewerExceptHost = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
    const cachingOptimized = '658327ea-f89d-4fab-a63d-7e88639e58f6';
    expect(config().CacheBehaviors).toMatchObject([
      {
        PathPattern: '/api/*',
        CachePolicyId: cachingDisabled,
        OriginRequestPolicyId: allViewerExceptHost,
        ViewerProtocolPolicy: 'https-only',
        AllowedMethods: expect.arrayContaining(['DELETE', 'PATCH', 'POST', 'PUT']),
      },
      ...functionPages.map((path) => ({
        PathPattern: path,
        CachePolicyId: cachingDisabled,
        ViewerProtocolPolicy: 'redirect-to-https',
        AllowedMethods: ['GET', 'HEAD'],
      })),
    ]);
    expect(config().DefaultCacheBehavior).toMatchObject({
      CachePolicyId: cachingOptimized,
      Compress: true,
      ViewerProtocolPolicy: 'redirect-to-https',
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS'],
    });
  });

  it('has no error pages of its own, which would take the place of the API’s problems', () => {
    expect(config().CustomErrorResponses).toBeUndefined();
  });

  it('shows the API a secret that stands in no template', () => {
    const origins = config().Origins as readonly Record<string, unknown>[];
    const api = origins.find(({ OriginCustomHeaders }) => OriginCustomHeaders !== undefined);
    const text = JSON.stringify(api?.OriginCustomHeaders);
    expect(text).toContain('x-origin-verify');
    expect(text).toContain('{{resolve:secretsmanager:');
    expect(JSON.stringify(api?.OriginPath)).toContain('DeploymentStageportal');
  });

  it('shows another secret that the web ACL took before, when its number is raised', () => {
    const secretsIn = (value: unknown) =>
      [...new Set(JSON.stringify(value).match(/OriginSecret\d+(?=[A-F0-9]{8})/g))].sort();
    const secretsOf = (site: Template) => {
      const [distribution] = resources(site, 'AWS::CloudFront::Distribution');
      const [acl] = resources(site, 'AWS::WAFv2::WebACL');
      return { shown: secretsIn(distribution), taken: secretsIn(acl?.Properties.Rules), acl };
    };
    const before = secretsOf(templates.site);
    const after = secretsOf(synthesizePortal({ originSecret: 2 }).site);
    expect([before.shown, before.taken]).toEqual([['OriginSecret1'], ['OriginSecret1', 'OriginSecret2']]);
    expect([after.shown, after.taken]).toEqual([['OriginSecret2'], ['OriginSecret2', 'OriginSecret3']]);
    // The web ACL drops the old secret only after CloudFront has stopped sending it.
    expect(JSON.stringify(after.acl)).toMatch(/"DependsOn":\[[^\]]*"SiteDistribution/);
  });

  it('writes DNS records and names a web ACL where the configuration says so', () => {
    const webAclArn = 'arn:aws:wafv2:us-east-1:777788889999:global/webacl/edge/0a';
    const { site } = synthesizePortal({
      hostedZone: { id: 'Z0123456789', name: 'memberdata.example' },
      webAclArn,
    });
    const types = resources(site, 'AWS::Route53::RecordSet')
      .filter(({ Properties: { Name } }) => Name === 'developer.memberdata.example.')
      .map(({ Properties: { Type } }) => Type);
    expect(types.sort()).toEqual(['A', 'AAAA']);
    const [distribution] = resources(site, 'AWS::CloudFront::Distribution');
    expect(distribution?.Properties.DistributionConfig).toMatchObject({ WebACLId: webAclArn });
    expect(resources(templates.site, 'AWS::Route53::RecordSet')).toEqual([]);
  });
});

describe('the portal’s API', () => {
  it('sends each prefix, and everything below it, to its function, and public pages to theirs', () => {
    const prefixes = Object.values(portalFunctions).flat();
    expect(
      methods(templates.site)
        .map(({ httpMethod, path }) => `${httpMethod} ${path}`)
        .sort(),
    ).toEqual(
      prefixes
        .flatMap((prefix) => [`ANY ${prefix}`, `ANY ${prefix}/{proxy+}`])
        .concat(functionPages.flatMap((path) => [`GET ${path}`, `HEAD ${path}`]))
        .sort(),
    );
  });

  it('limits how much comes at once, and logs no header and no query', () => {
    const stage = only('site', 'AWS::ApiGateway::Stage');
    expect(stage).toMatchObject({
      StageName: 'portal',
      MethodSettings: [{ DataTraceEnabled: false, ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 }],
    });
    const { Format } = stage.AccessLogSetting as { readonly Format: string };
    expect(Format).not.toMatch(/\$context\.path|\.(header|querystring|userAgent|apiKey)\b/);
  });

  it('refuses who does not come through CloudFront, and limits signing in and up most', () => {
    const { Rules } = only('site', 'AWS::WAFv2::WebACL') as {
      readonly Rules: readonly { readonly Name: string; readonly Statement: Record<string, never> }[];
    };
    expect(Rules[0]).toMatchObject({ Name: 'OnlyThroughCloudFront', Action: { Block: {} } });
    expect(JSON.stringify(Rules[0]?.Statement)).toContain('{{resolve:secretsmanager:');
    const limits = Rules.flatMap(({ Name, Statement }) => {
      const { RateBasedStatement: rate } = Statement as {
        readonly RateBasedStatement?: {
          readonly Limit: number;
          readonly AggregateKeyType: string;
          readonly ForwardedIPConfig: unknown;
        };
      };
      if (rate === undefined) return [];
      expect(rate.AggregateKeyType).toBe('FORWARDED_IP');
      expect(rate.ForwardedIPConfig).toEqual({ HeaderName: 'x-viewer-address', FallbackBehavior: 'MATCH' });
      return [[Name, rate.Limit] as const];
    });
    const [[, ofAll] = ['', 0], ...tighter] = limits;
    expect(tighter.map(([name]) => name)).toEqual(['RateOfSignIns', 'RateOfSignUps', 'RateOfPasswordResets']);
    for (const [, limit] of tighter) expect(limit).toBeLessThan(ofAll / 10);
    expect(resources(templates.site, 'AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
  });
});

describe('a bundle that is missing', () => {
  it.each(['portal-accounts', 'portal-outbox-worker'])('is named: %s', (name) => {
    expect(() => synthesizePortal({}, [name])).toThrow(`dist/${name} is missing: run npm run bundle`);
  });

  it('of the pages is named too', () => {
    expect(() => synthesizePortal({}, ['portal-static'])).toThrow(
      /portal-static has none of the portal's pages/,
    );
  });
});
