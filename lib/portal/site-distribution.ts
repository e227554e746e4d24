/** The CloudFront distribution of the portal's host: pages from the bucket, `/api/*` from the REST API. */

import { CfnOutput } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  FunctionEventType,
  HttpVersion,
  OriginRequestPolicy,
  type ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { RestApiOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { functionPages } from '../../lambdas/portal/catalog/pages.ts';
import type { PortalConfiguration } from '../config/portal-configuration.ts';
import { originVerifyHeader } from '../constructs/web-acl.ts';
import type { PortalApi } from './api.ts';
import { EdgeFunctions } from './edge-functions.ts';
import type { SiteBucket } from './site-bucket.ts';

export interface SiteDistributionProps {
  readonly configuration: PortalConfiguration;
  readonly site: SiteBucket;
  readonly api: PortalApi;
  /** The secret by which the API's web ACL recognizes requests from CloudFront. */
  readonly originSecret: string;
  readonly securityHeaders: ResponseHeadersPolicy;
}

/**
 * The portal's only host: `/api/*` is served by the API, everything else from the bucket. Therefore cookies are limited to one host, and no
 * CORS is needed.
 */
export class SiteDistribution extends Construct {
  constructor(scope: Construct, id: string, props: SiteDistributionProps) {
    super(scope, id);
    const { configuration, site } = props;
    const edge = new EdgeFunctions(this, 'Edge');
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'developer portal',
      domainNames: [configuration.hostname],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', configuration.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultRootObject: 'index.html',
      defaultBehavior: pages(props, edge),
      additionalBehaviors: {
        '/api/*': api(props, edge),
        ...Object.fromEntries(functionPages.map((path) => [path, page(props, edge)])),
      },
      enableLogging: true,
      logBucket: site.logs,
      logFilePrefix: 'cloudfront/',
      logIncludesCookies: false,
      ...(configuration.webAclArn === undefined ? {} : { webAclId: configuration.webAclArn }),
    });
    this.addDnsRecords(configuration, distribution);
  }

  private addDnsRecords({ hostname, hostedZone }: PortalConfiguration, distribution: Distribution): void {
    if (hostedZone === undefined) {
      new CfnOutput(this, 'DnsRecord', { value: `${hostname} CNAME ${distribution.distributionDomainName}` });
      return;
    }
    const { id: hostedZoneId, name: zoneName } = hostedZone;
    const zone = HostedZone.fromHostedZoneAttributes(this, 'HostedZone', { hostedZoneId, zoneName });
    const record = {
      zone,
      recordName: `${hostname}.`,
      target: RecordTarget.fromAlias(new CloudFrontTarget(distribution)),
    };
    new ARecord(this, 'DnsRecord', record);
    new AaaaRecord(this, 'DnsRecordIpv6', record);
  }
}

/** Cache behavior of the pages. A missing file gives 404 instead of 403, because CloudFront may list the bucket; viewers can't. */
function pages({ site, securityHeaders }: SiteDistributionProps, edge: EdgeFunctions): BehaviorOptions {
  return {
    origin: S3BucketOrigin.withOriginAccessControl(site.bucket, {
      originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
    }),
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    compress: true,
    responseHeadersPolicy: securityHeaders,
    functionAssociations: [FunctionEventType.VIEWER_REQUEST, FunctionEventType.VIEWER_RESPONSE].map(
      (eventType) => ({ eventType, function: edge.pageRouting }),
    ),
  };
}

/** Cache behavior of the pages that the API renders: nothing is cached. */
function page(props: SiteDistributionProps, edge: EdgeFunctions): BehaviorOptions {
  return {
    ...api(props, edge),
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
  };
}

/** Cache behavior of the API: nothing is cached, and requests are forwarded with the API's own `Host`. */
function api(
  { api: restApi, originSecret, securityHeaders }: SiteDistributionProps,
  edge: EdgeFunctions,
): BehaviorOptions {
  return {
    origin: new RestApiOrigin(restApi, { customHeaders: { [originVerifyHeader]: originSecret } }),
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    responseHeadersPolicy: securityHeaders,
    functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: edge.viewerAddress }],
  };
}
