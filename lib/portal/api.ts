/** The portal's REST API, behind CloudFront. */

import { RemovalPolicy, Size } from 'aws-cdk-lib';
import {
  AuthorizationType,
  CfnClientCertificate,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { portalOrigin } from '../config/portal-configuration.ts';
import { accessLogFormat, noExecutionLogs } from '../constructs/access-log-format.ts';
import { acknowledgePublic } from '../constructs/cdk-nag-findings.ts';
import { portalProblemResponses } from '../constructs/gateway-responses/portal.ts';
import type { WebAcl } from '../constructs/web-acl.ts';
import type { PortalData, PortalStackProps } from './portal-data.ts';

export interface PortalApiProps extends Pick<PortalStackProps, 'configuration'> {
  readonly data: Pick<PortalData, 'logKey' | 'alarms'>;
  readonly webAcl: WebAcl;
}

/** Rate (calls per second) and burst for all developers together. */
const throttle = { throttlingRateLimit: 100, throttlingBurstLimit: 200 };

/**
 * The portal's API. CloudFront calls its default endpoint, which is therefore enabled; the web ACL blocks calls that don't come through
 * CloudFront.
 */
export class PortalApi extends RestApi {
  constructor(scope: Construct, id: string, { configuration, data, webAcl }: PortalApiProps) {
    const accessLog = new LogGroup(scope, `${id}AccessLog`, {
      encryptionKey: data.logKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const certificate = new CfnClientCertificate(scope, `${id}ClientCertificate`);
    super(scope, id, {
      restApiName: configuration.hostname,
      description: 'developer portal',
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.bytes(1024),
      cloudWatchRole: false,
      deployOptions: {
        stageName: 'portal',
        ...throttle,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        // A client certificate is for HTTP back ends and unused here, since all back ends are functions protected by IAM. The HIPAA rule
        // pack of cdk-nag requires it.
        clientCertificateId: certificate.attrClientCertificateId,
        ...noExecutionLogs,
      },
    });
    // Removes RestApi's output with the default endpoint, which only CloudFront uses.
    this.node.tryRemoveChild('Endpoint');
    for (const [type, response] of Object.entries(portalProblemResponses(portalOrigin(configuration)))) {
      this.addGatewayResponse(type, response);
    }
    data.alarms.host(id, configuration.hostname, 'portal', accessLog);
    new CfnWebACLAssociation(this, 'WebAclAssociation', {
      resourceArn: this.deploymentStage.stageArn,
      webAclArn: webAcl.arn,
    });
  }

  /** Routes a path and everything below it to a function, which knows the routes and checks the session. */
  serve(prefix: string, handler: IFunction): void {
    const integration = new LambdaIntegration(handler, { scopePermissionToMethod: false });
    for (const path of [prefix, `${prefix}/{proxy+}`]) {
      const options = { authorizationType: AuthorizationType.NONE };
      acknowledgePublic(this.root.resourceForPath(path).addMethod('ANY', integration, options), 'session');
    }
  }

  /** Routes a public page to a function that reads no session. */
  servePage(path: string, handler: IFunction): void {
    const integration = new LambdaIntegration(handler, { scopePermissionToMethod: false });
    for (const method of ['GET', 'HEAD']) {
      const options = { authorizationType: AuthorizationType.NONE };
      acknowledgePublic(this.root.resourceForPath(path).addMethod(method, integration, options), 'page');
    }
  }
}
