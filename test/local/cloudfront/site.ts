import { loadAssembly } from '../../../local/assembly/load-assembly.ts';
import { createEdge } from '../../../local/cloudfront/edge.ts';
import { createApiKeys } from '../../../local/gateway/api-keys.ts';
import { createGateway } from '../../../local/gateway/gateway.ts';
import type { GatewayRequest } from '../../../local/gateway/request.ts';
import { type Resources, writeCloudAssembly } from '../cloud-assembly.ts';
import { petsApi } from '../pets.ts';

const ref = (Ref: string) => ({ Ref });
const attribute = (logicalId: string, name: string) => ({ 'Fn::GetAtt': [logicalId, name] });
const cachingOptimized = '658327ea-f89d-4fab-a63d-7e88639e58f6';
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const allViewerExceptHost = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

/** The address of the API, split as CDK's RestApiOrigin does. */
const apiUrl = {
  'Fn::Join': [
    '',
    [
      'https://',
      ref('Api'),
      '.execute-api.',
      ref('AWS::Region'),
      '.',
      ref('AWS::URLSuffix'),
      '/',
      ref('Stage'),
      '/',
    ],
  ],
};
const partOfUrl = (index: number) => ({ 'Fn::Select': [index, { 'Fn::Split': ['/', apiUrl] }] });

export const files = {
  'index.html': `<!doctype html><title>Pets</title>${'<p>pets</p>'.repeat(200)}`,
  '404.html': '<!doctype html><title>Not found</title>',
  'guides/start.html': '<!doctype html><title>Start</title>',
  'assets/app.js': 'export const pets = 1;',
  'assets/fonts/pets.woff2': 'font',
  'assets/index.html': '<!doctype html><title>Not deployed</title>',
};

function deployment(properties: Record<string, unknown>) {
  return {
    Type: 'Custom::CDKBucketDeployment',
    Properties: {
      ServiceToken: attribute('Deploying', 'Arn'),
      SourceBucketNames: ['assets'],
      DestinationBucketName: ref('Bucket'),
      WaitForDistributionInvalidation: true,
      ...properties,
    },
  };
}

/**
 * A site at `portal.localhost`: pages in a bucket, and `/api/*` from the pets' API. Each call returns a new copy, which tests may change.
 */
export function site(): Resources {
  const { Domain: _domain, Mapping: _mapping, ...api } = petsApi();
  return {
    ...api,
    Bucket: { Type: 'AWS::S3::Bucket', Properties: {} },
    BucketPolicy: {
      Type: 'AWS::S3::BucketPolicy',
      Properties: { Bucket: ref('Bucket'), PolicyDocument: { Statement: [read()] } },
    },
    Deploying: {
      Type: 'AWS::Lambda::Function',
      Properties: { Runtime: 'python3.13', Handler: 'index.handler', Code: { S3Key: 'tool.zip' } },
    },
    Pages: deployment({
      SourceObjectKeys: ['pages.zip'],
      Exclude: ['assets/*'],
      SystemMetadata: { 'cache-control': 'no-cache' },
      Prune: false,
    }),
    Assets: deployment({
      SourceObjectKeys: ['pages.zip'],
      Exclude: ['*'],
      Include: ['assets/*.js', 'assets/*.woff2'],
      Prune: false,
      SystemMetadata: { 'cache-control': 'max-age=31536000, immutable' },
    }),
    Access: {
      Type: 'AWS::CloudFront::OriginAccessControl',
      Properties: {
        OriginAccessControlConfig: {
          Name: 'pages',
          OriginAccessControlOriginType: 's3',
          SigningBehavior: 'always',
          SigningProtocol: 'sigv4',
        },
      },
    },
    Headers: {
      Type: 'AWS::CloudFront::ResponseHeadersPolicy',
      Properties: {
        ResponseHeadersPolicyConfig: {
          Name: 'headers',
          SecurityHeadersConfig: {
            ContentSecurityPolicy: { ContentSecurityPolicy: "default-src 'self'", Override: true },
            ContentTypeOptions: { Override: true },
            FrameOptions: { FrameOption: 'DENY', Override: true },
            ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
            StrictTransportSecurity: {
              AccessControlMaxAgeSec: 31536000,
              IncludeSubdomains: true,
              Override: true,
            },
          },
          CustomHeadersConfig: {
            Items: [
              { Header: 'Permissions-Policy', Value: 'camera=()', Override: true },
              { Header: 'Cache-Control', Value: 'no-store', Override: false },
            ],
          },
        },
      },
    },
    Rewrite: {
      Type: 'AWS::CloudFront::Function',
      Properties: {
        Name: 'rewrite',
        AutoPublish: true,
        FunctionConfig: { Runtime: 'cloudfront-js-2.0', Comment: 'pages without .html' },
        FunctionCode: `function handler(event) {
          const request = event.request;
          if (!request.uri.includes('.') && request.uri !== '/') request.uri += '.html';
          return request;
        }`,
      },
    },
    Distribution: {
      Type: 'AWS::CloudFront::Distribution',
      Properties: { DistributionConfig: distributionConfig() },
    },
    // These resources have no effect on one machine.
    Logs: { Type: 'AWS::S3::Bucket', Properties: { AccessControl: 'LogDeliveryWrite' } },
    WebAcl: { Type: 'AWS::WAFv2::WebACL', Properties: { Scope: 'CLOUDFRONT' } },
    Record: { Type: 'AWS::Route53::RecordSet', Properties: { Name: 'portal.example.org' } },
  };
}

/** Policy statement that lets the distribution read the bucket. */
export function read(Action = 's3:GetObject', path = '/*') {
  const distribution = {
    'Fn::Join': ['', ['arn:aws:cloudfront::', ref('AWS::AccountId'), ':distribution/', ref('Distribution')]],
  };
  return {
    Action,
    Effect: 'Allow',
    Principal: { Service: 'cloudfront.amazonaws.com' },
    Resource: { 'Fn::Join': ['', [attribute('Bucket', 'Arn'), path]] },
    Condition: { StringEquals: { 'AWS:SourceArn': distribution } },
  };
}

function distributionConfig(): DistributionConfig {
  return {
    Aliases: ['portal.localhost'],
    Comment: "the pets' portal",
    Enabled: true,
    HttpVersion: 'http2',
    IPV6Enabled: true,
    DefaultRootObject: 'index.html',
    Logging: { Bucket: attribute('Logs', 'RegionalDomainName') },
    WebACLId: attribute('WebAcl', 'Arn'),
    CacheBehaviors: [
      {
        PathPattern: '/api/*',
        TargetOriginId: 'api',
        AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
        CachePolicyId: cachingDisabled,
        OriginRequestPolicyId: allViewerExceptHost,
        ResponseHeadersPolicyId: ref('Headers'),
        Compress: true,
        ViewerProtocolPolicy: 'https-only',
      },
    ],
    DefaultCacheBehavior: {
      TargetOriginId: 'pages',
      CachePolicyId: cachingOptimized,
      ResponseHeadersPolicyId: ref('Headers'),
      Compress: true,
      ViewerProtocolPolicy: 'redirect-to-https',
      FunctionAssociations: [
        { EventType: 'viewer-request', FunctionARN: attribute('Rewrite', 'FunctionARN') },
      ],
    },
    Origins: [
      {
        Id: 'pages',
        DomainName: attribute('Bucket', 'RegionalDomainName'),
        OriginAccessControlId: attribute('Access', 'Id'),
        S3OriginConfig: { OriginAccessIdentity: '' },
      },
      {
        Id: 'api',
        DomainName: partOfUrl(2),
        OriginPath: { 'Fn::Join': ['', ['/', partOfUrl(3)]] },
        CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      },
    ],
    CustomErrorResponses: [],
  };
}

interface DistributionConfig extends Record<string, unknown> {
  CacheBehaviors: Record<string, unknown>[];
  DefaultCacheBehavior: Record<string, unknown>;
  Origins: Record<string, unknown>[];
  CustomErrorResponses: object[];
}

/** The distribution's configuration in a template, which tests change. */
export function configOf(resources: Resources): DistributionConfig {
  return resources.Distribution?.Properties?.DistributionConfig as DistributionConfig;
}

export interface ProxyEvent {
  readonly path: string;
  readonly httpMethod: string;
  readonly body: string | null;
  readonly headers: Record<string, string>;
  readonly queryStringParameters: Record<string, string> | null;
  readonly requestContext: {
    readonly path: string;
    readonly domainName: string;
    readonly stage: string;
    readonly identity: { readonly sourceIp: string };
  };
}

/** Serves the template of a site. `pets` is the answer of the function behind `/api/files/*`. */
export function serveSite(
  change: (resources: Resources) => void = () => {},
  pets: (event: ProxyEvent) => object = () => ({ statusCode: 200, body: '{}' }),
) {
  const resources = site();
  // The API's routes are below /api.
  Object.assign(resources.FilesResource?.Properties ?? {}, { PathPart: 'api' });
  change(resources);
  const { directory, remove } = writeCloudAssembly(
    [{ name: 'portal-Site', template: { Resources: resources } }],
    { pets: '', guard: '', tool: '' },
    { stageName: 'portal', folders: { pages: files } },
  );
  try {
    const assembly = loadAssembly(directory);
    const events: ProxyEvent[] = [];
    const lines: string[] = [];
    const gateway = createGateway({
      assembly,
      apiKeys: createApiKeys(),
      now: Date.now,
      invoke: async (_arn, payload) => {
        const event = JSON.parse(payload) as ProxyEvent;
        events.push(event);
        return { payload: JSON.stringify(pets(event)) };
      },
    });
    const edge = createEdge({ assembly, gateway: gateway.answer, log: (line) => lines.push(line) });
    return {
      assembly,
      edge,
      events,
      lines,
      async get(target: string, options: Options = {}) {
        const { answer, resourcePath } = await edge.answer(requestOf(target, options));
        const header = (name: string) =>
          answer.headers.findLast(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
        return { status: answer.statusCode, header, body: answer.body.toString(), raw: answer, resourcePath };
      },
    };
  } finally {
    remove();
  }
}

interface Options {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
}

function requestOf(
  target: string,
  { method = 'GET', host = 'portal.localhost', headers = [], body = '' }: Options,
): GatewayRequest {
  const [path = '', query = ''] = target.split('?');
  return {
    requestId: '00000000-0000-4000-8000-000000000001',
    extendedRequestId: 'extended=',
    traceId: 'Root=1-1-1',
    method,
    host,
    port: 8080,
    path,
    query,
    headers: [['Host', `${host}:8080`], ...headers],
    body: Buffer.from(body),
    sourceIp: '127.0.0.1',
    receivedAt: Date.UTC(2026, 10, 20, 12),
  };
}
