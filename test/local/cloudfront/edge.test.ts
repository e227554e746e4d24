import { describe, expect, it } from 'vitest';
import { readFunctions } from '../../../local/lambda/functions.ts';
import { configOf, files, read, serveSite, site } from './site.ts';

describe('pages from the bucket', () => {
  it('serves a file with its type, entity tag and the cache control of its deployment', async () => {
    const portal = serveSite();
    const page = await portal.get('/guides/start.html');
    expect([page.status, page.body]).toEqual([200, files['guides/start.html']]);
    expect(page.header('content-type')).toBe('text/html');
    expect(page.header('cache-control')).toBe('no-cache');
    expect(page.header('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect(Date.parse(page.header('last-modified') ?? '')).toBeGreaterThan(0);
    const script = await portal.get('/assets/app.js');
    expect(script.header('content-type')).toBe('text/javascript');
    expect(script.header('cache-control')).toBe('max-age=31536000, immutable');
    expect((await portal.get('/assets/fonts/pets.woff2')).header('content-type')).toBe('binary/octet-stream');
  });

  it('leaves out what a deployment excludes', async () => {
    expect((await serveSite().get('/assets/index.html')).status).toBe(403);
  });

  it('serves the default root object at / only', async () => {
    const portal = serveSite(
      (resources) => delete configOf(resources).DefaultCacheBehavior.FunctionAssociations,
    );
    expect((await portal.get('/')).body).toBe(files['index.html']);
    expect((await portal.get('/guides/')).status).toBe(403);
  });

  it('answers 304 to the entity tag it gave', async () => {
    const portal = serveSite();
    const etag = (await portal.get('/index.html')).header('etag') ?? '';
    const again = await portal.get('/index.html', { headers: [['If-None-Match', etag]] });
    expect([again.status, again.body]).toEqual([304, '']);
    expect(again.header('cache-control')).toBe('no-cache');
    const other = await portal.get('/index.html', { headers: [['If-None-Match', '"other"']] });
    expect(other.status).toBe(200);
  });

  it('denies a missing file where CloudFront may not list the bucket, and says 404 where it may', async () => {
    const denied = await serveSite().get('/missing.html');
    expect([denied.status, denied.body]).toEqual([403, expect.stringContaining('AccessDenied')]);
    const listing = serveSite((resources) => {
      const Statement = [read(), read('s3:ListBucket', '')];
      Object.assign(resources.BucketPolicy?.Properties ?? {}, { PolicyDocument: { Statement } });
    });
    expect((await listing.get('/missing.html')).status).toBe(404);
  });

  it.each<[string, (resources: ReturnType<typeof site>) => void]>([
    ['there is no bucket policy', (resources) => delete resources.BucketPolicy],
    [
      'the policy is for another distribution',
      (resources) => {
        const statement = {
          ...read(),
          Condition: { StringEquals: { 'AWS:SourceArn': 'arn:aws:cloudfront::1:x' } },
        };
        Object.assign(resources.BucketPolicy?.Properties ?? {}, {
          PolicyDocument: { Statement: [statement] },
        });
      },
    ],
  ])('denies every file where %s', async (_what, change) => {
    expect((await serveSite(change).get('/index.html')).status).toBe(403);
  });

  it.each([
    '/../index.html',
    '/%2e%2e/index.html',
    '/guides/../../cdk.json',
    '/%',
  ])('does not leave the bucket at %s', async (path) => {
    expect((await serveSite().get(path)).status).toBeGreaterThanOrEqual(400);
  });

  it('refuses methods the behaviour does not allow, bodies of a GET, and endless addresses', async () => {
    const portal = serveSite();
    expect((await portal.get('/index.html', { method: 'POST' })).status).toBe(403);
    expect((await portal.get('/index.html', { body: 'x' })).status).toBe(403);
    expect((await portal.get(`/${'x'.repeat(8_200)}`)).status).toBe(414);
    expect((await portal.get('/index.html', { method: 'HEAD' })).status).toBe(200);
  });
});

describe('the response headers policy', () => {
  it('adds and replaces headers', async () => {
    const page = await serveSite().get('/index.html');
    expect(page.header('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect(page.header('x-frame-options')).toBe('DENY');
    expect(page.header('x-content-type-options')).toBe('nosniff');
    expect(page.header('referrer-policy')).toBe('no-referrer');
    expect(page.header('permissions-policy')).toBe('camera=()');
  });

  it("keeps an origin's header where it says not to override", async () => {
    const portal = serveSite(undefined, () => ({
      statusCode: 200,
      headers: { 'content-security-policy': 'open', 'cache-control': 'private' },
      body: '{}',
    }));
    const answer = await portal.get('/api/x');
    expect(answer.header('cache-control')).toBe('private');
    expect(answer.raw.headers.filter(([name]) => name.toLowerCase() === 'content-security-policy')).toEqual([
      ['Content-Security-Policy', "default-src 'self'"],
    ]);
    expect((await serveSite().get('/api/x')).header('cache-control')).toBe('no-store');
  });
});

describe('the API behind a path', () => {
  it("is called at its own endpoint with the viewer's headers but Host", async () => {
    const portal = serveSite();
    const { physicalId, region } = portal.assembly.ofType('AWS::ApiGateway::RestApi')[0] ?? {};
    const answer = await portal.get('/api/pets?a=1&b=x%20y', {
      method: 'POST',
      headers: [
        ['Origin', 'http://portal.localhost:8080'],
        ['Cookie', 'session=1; other=2'],
        ['Authorization', 'Bearer t'],
        ['X-Forwarded-For', '192.0.2.1'],
      ],
      body: '{"name":"Rex"}',
    });
    expect(answer.status).toBe(200);
    expect(answer.resourcePath).toBe('/api/{path+}');
    expect(portal.events[0]).toMatchObject({
      path: '/api/pets',
      httpMethod: 'POST',
      body: '{"name":"Rex"}',
      queryStringParameters: { a: '1', b: 'x y' },
      headers: {
        Host: `${physicalId}.execute-api.${region}.amazonaws.com`,
        Origin: 'http://portal.localhost:8080',
        Cookie: 'session=1; other=2',
        Authorization: 'Bearer t',
        'X-Forwarded-For': '192.0.2.1, 127.0.0.1, 130.176.1.1',
      },
      requestContext: {
        path: '/live/api/pets',
        stage: 'live',
        domainName: `${physicalId}.execute-api.${region}.amazonaws.com`,
        identity: { sourceIp: '130.176.1.1' },
      },
    });
  });

  it('gets nothing of the viewer that no policy forwards', async () => {
    const portal = serveSite((resources) => {
      const [behaviour] = configOf(resources).CacheBehaviors;
      delete behaviour?.OriginRequestPolicyId;
    });
    await portal.get('/api/pets?a=1', {
      headers: [
        ['Origin', 'http://portal.localhost'],
        ['Cookie', 'session=1'],
        ['Authorization', 'Bearer t'],
      ],
    });
    expect(portal.events[0]?.queryStringParameters).toBeNull();
    expect(Object.keys(portal.events[0]?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(Origin|Cookie|Authorization)$/)]),
    );
    expect(portal.events[0]?.headers['User-Agent']).toBe('Amazon CloudFront');
  });

  it('is refused where its own endpoint is disabled', async () => {
    const portal = serveSite((resources) => {
      Object.assign(resources.Api?.Properties ?? {}, { DisableExecuteApiEndpoint: true });
    });
    const answer = await portal.get('/api/pets');
    expect([answer.status, answer.body, portal.events]).toEqual([403, '{"message":"Forbidden"}', []]);
  });

  it('is shown the headers the origin names, whatever the viewer sends', async () => {
    const portal = serveSite((resources) => {
      const OriginCustomHeaders = [{ HeaderName: 'x-origin-verify', HeaderValue: 'secret' }];
      Object.assign(configOf(resources).Origins[1] ?? {}, { OriginCustomHeaders });
    });
    await portal.get('/api/pets', { headers: [['X-Origin-Verify', 'forged']] });
    const shown = Object.entries(portal.events[0]?.headers ?? {});
    expect(shown.filter(([name]) => name.toLowerCase() === 'x-origin-verify')).toEqual([
      ['x-origin-verify', 'secret'],
    ]);
  });

  it('passes every cookie of an answer on', async () => {
    const portal = serveSite(undefined, () => ({
      statusCode: 200,
      multiValueHeaders: { 'Set-Cookie': ['a=1; HttpOnly', 'b=2'] },
      body: '',
    }));
    const { raw } = await portal.get('/api/pets');
    expect(raw.headers.filter(([name]) => name === 'Set-Cookie').map(([, value]) => value)).toEqual([
      'a=1; HttpOnly',
      'b=2',
    ]);
  });
});

describe('several distributions', () => {
  const second = (alias: string) => (resources: ReturnType<typeof site>) => {
    const config = {
      ...configOf(site()),
      Aliases: [alias],
      DefaultRootObject: '404.html',
      CacheBehaviors: [],
    };
    resources.Second = {
      Type: 'AWS::CloudFront::Distribution',
      Properties: { DistributionConfig: config },
    };
    const mine = read();
    const both = { ...mine, Condition: { StringLike: { 'AWS:SourceArn': 'arn:aws:cloudfront::*' } } };
    Object.assign(resources.BucketPolicy?.Properties ?? {}, { PolicyDocument: { Statement: both } });
  };

  it('are each found under their own host', async () => {
    const portal = serveSite(second('other.localhost'));
    expect(portal.edge.hosts.map(({ name }) => name)).toEqual(['portal.localhost', 'other.localhost']);
    expect(portal.edge.serves('elsewhere.localhost')).toBe(false);
    expect((await portal.get('/')).body).toBe(files['index.html']);
    expect((await portal.get('/', { host: 'other.localhost' })).body).toBe(files['404.html']);
  });

  it('cannot share an alias', () => {
    expect(() => serveSite(second('portal.localhost'))).toThrow('two distributions have the alias');
  });
});

// The templates don't use these settings. The local CloudFront refuses them by name, so that a distribution never behaves differently in AWS.
describe('a distribution this machine does not know', () => {
  type Change = (config: ReturnType<typeof configOf>) => void;
  it.each<[string, string, Change]>([
    [
      'Lambda@Edge',
      'LambdaFunctionAssociations is not implemented',
      (config) => {
        config.DefaultCacheBehavior.LambdaFunctionAssociations = [{ EventType: 'origin-request' }];
      },
    ],
    [
      'signed URLs',
      'TrustedKeyGroups is not implemented',
      (config) => {
        config.DefaultCacheBehavior.TrustedKeyGroups = ['group'];
      },
    ],
    [
      'geo restriction',
      'geo restriction is not implemented',
      (config) => {
        config.Restrictions = { GeoRestriction: { RestrictionType: 'whitelist', Locations: ['US'] } };
      },
    ],
    [
      'another origin',
      'the origin example.org is not implemented',
      (config) => {
        Object.assign(config.Origins[1] ?? {}, { DomainName: 'example.org' });
      },
    ],
    [
      'a bucket without access control',
      'without an origin access control',
      (config) => delete config.Origins[0]?.OriginAccessControlId,
    ],
    [
      'a policy nobody made',
      'the policy 11111111-1111-1111-1111-111111111111 is not known',
      (config) => {
        config.DefaultCacheBehavior.CachePolicyId = '11111111-1111-1111-1111-111111111111';
      },
    ],
    [
      'a policy that forwards the Host of the viewer',
      'the policy 216adef6-5c7f-47e4-b989-5492eafa07d3 is not known',
      (config) => {
        Object.assign(config.CacheBehaviors[0] ?? {}, {
          OriginRequestPolicyId: '216adef6-5c7f-47e4-b989-5492eafa07d3',
        });
      },
    ],
    [
      'error pages, which would replace the problems of the API too',
      'CustomErrorResponses is not implemented',
      (config) => {
        config.CustomErrorResponses = [{ ErrorCode: 403, ResponseCode: 404, ResponsePagePath: '/404.html' }];
      },
    ],
    [
      'a setting nobody knows here',
      'ContinuousDeploymentPolicyId is not implemented',
      (config) => {
        config.ContinuousDeploymentPolicyId = 'x';
      },
    ],
  ])('is refused: %s', (_what, message, change) => {
    expect(() => serveSite((resources) => change(configOf(resources)))).toThrow(message);
  });

  it('is refused: a bucket encrypted with a key', () => {
    const byDefault = { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: 'alias/site' };
    const rules = [{ ServerSideEncryptionByDefault: byDefault }];
    const BucketEncryption = { ServerSideEncryptionConfiguration: rules };
    expect(() =>
      serveSite((resources) => Object.assign(resources.Bucket?.Properties ?? {}, { BucketEncryption })),
    ).toThrow('encrypted with a KMS key is not implemented');
  });
});

describe('the function that deploys files in the cloud', () => {
  it('is not one of the functions that run here', () => {
    const names = readFunctions(serveSite().assembly).map(({ name }) => name);
    expect(names).toHaveLength(2);
    expect(names.join()).not.toContain('Deploying');
  });
});
