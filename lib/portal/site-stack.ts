/** The stack with the portal's host: pages, API and functions. */

import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { functionPages } from '../../lambdas/portal/catalog/pages.ts';
import { portalFunctions } from '../../lambdas/portal/catalog/portal-routes.ts';
import { portalOrigin } from '../config/portal-configuration.ts';
import { acknowledgeUnrotated } from '../constructs/cdk-nag-findings.ts';
import { PortalApi } from './api.ts';
import { PortalFunctions } from './functions.ts';
import type { PortalData, PortalStackProps } from './portal-data.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { SiteBucket } from './site-bucket.ts';
import { SiteDistribution } from './site-distribution.ts';
import { portalWebAcl } from './web-acl.ts';

export interface PortalSiteStackProps extends PortalStackProps {
  readonly data: PortalData;
}

/** The portal's host: pages, API and the functions behind it. */
export class PortalSiteStack extends Stack {
  constructor(scope: Construct, id: string, props: PortalSiteStackProps) {
    super(scope, id, props);
    const { configuration, environments, data, site } = props;
    const functions = new PortalFunctions(this, 'Functions', props);
    const { originSecret: number } = configuration;
    const shown = this.createOriginSecret(data, number);
    const next = this.createOriginSecret(data, number + 1);
    const webAcl = portalWebAcl(this, data.logKey, [shown, next]);
    const api = new PortalApi(this, 'Api', { configuration, data, webAcl });
    for (const [name, handler] of Object.entries(functions.serving)) {
      for (const prefix of portalFunctions[name as keyof typeof portalFunctions]) api.serve(prefix, handler);
    }
    for (const path of functionPages) api.servePage(path, functions.directory);
    const distribution = new SiteDistribution(this, 'Site', {
      configuration,
      api,
      originSecret: shown,
      site: new SiteBucket(this, 'Files', { logKey: data.logKey, site }),
      securityHeaders: createSecurityHeaders(this, 'SecurityHeaders', {
        called: environments.filter(({ environment }) => environment === 'sandbox'),
        recaptcha: configuration.recaptcha !== undefined,
      }),
    });
    // CloudFront must send the new secret before the web ACL stops accepting the previous one.
    webAcl.node.addDependency(distribution);
    new CfnOutput(this, 'PortalUrl', { value: portalOrigin(configuration) });
  }

  /**
   * Creates the secret that CloudFront sends to the API, by the configured number. The web ACL accepts the secrets of this number and the
   * next. So the number can be increased without a refused call: the web ACL accepts the new secret before CloudFront sends it.
   *
   * @returns a reference that CloudFormation resolves; no template contains the value.
   */
  private createOriginSecret({ secretsKey }: PortalData, number: number): string {
    const secret = new Secret(this, `OriginSecret${number}`, {
      description: 'Secret header that CloudFront sends to the API',
      encryptionKey: secretsKey,
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledgeUnrotated(
      secret,
      'CloudFront and the web ACL get a new value by a deployment only. It protects rate limits, not data.',
    );
    return secret.secretValue.unsafeUnwrap();
  }
}
