import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { portalFunctions } from '../../lambdas/catalog/portal-routes.ts';
import { portalOrigin } from '../config/portal-configuration.ts';
import { acknowledgeUnrotated } from '../findings.ts';
import { PortalApi } from './portal-api.ts';
import type { PortalDataStack, PortalStackProps } from './portal-data-stack.ts';
import { PortalFunctions } from './portal-functions.ts';
import { portalWebAcl } from './portal-web-acl.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { SiteBucket } from './site-bucket.ts';
import { SiteDistribution } from './site-distribution.ts';

export interface PortalSiteStackProps extends PortalStackProps {
  readonly data: PortalDataStack;
}

/** The portal's host: pages, API and the functions behind it. */
export class PortalSiteStack extends Stack {
  constructor(scope: Construct, id: string, props: PortalSiteStackProps) {
    super(scope, id, props);
    const { configuration, environments, data, site } = props;
    const functions = new PortalFunctions(this, 'Functions', props);
    const originSecret = this.createOriginSecret(data);
    const webAcl = portalWebAcl(this, data.logKey, originSecret);
    const api = new PortalApi(this, 'Api', { configuration, data, webAcl });
    for (const [name, handler] of Object.entries(functions.serving)) {
      for (const prefix of portalFunctions[name as keyof typeof portalFunctions]) api.serve(prefix, handler);
    }
    new SiteDistribution(this, 'Site', {
      configuration,
      api,
      originSecret,
      site: new SiteBucket(this, 'Files', { data, site }),
      securityHeaders: createSecurityHeaders(this, 'SecurityHeaders', {
        called: environments.filter(({ environment }) => environment === 'sandbox'),
        recaptcha: configuration.recaptcha !== undefined,
      }),
    });
    new CfnOutput(this, 'PortalUrl', { value: portalOrigin(configuration) });
  }

  /** @returns a reference that CloudFormation resolves; the value stands in no template. */
  private createOriginSecret(data: PortalDataStack): string {
    const secret = new Secret(this, 'OriginSecret', {
      description: 'CloudFront shows it to the API',
      encryptionKey: data.secretsKey,
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledgeUnrotated(
      secret,
      'CloudFront and the web ACL take a new value with a deployment only. It guards rate limits, not data.',
    );
    return secret.secretValue.unsafeUnwrap();
  }
}
