/** A host of an environment: one REST API with one stage, domain name, access log and web ACL. */

import { CfnOutput, Duration, RemovalPolicy, Size } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  AuthorizationType,
  CfnClientCertificate,
  EndpointType,
  type IAuthorizer,
  LambdaIntegration,
  LogGroupLogDestination,
  type Method,
  type MethodOptions,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Configuration } from '../config/configuration.ts';
import { accessLogFormat, noExecutionLogs } from './access-log-format.ts';
import type { Alarms } from './alarms.ts';
import { acknowledgePublic, type publicAccessReasons } from './cdk-nag-findings.ts';
import type { GatewayResponseTable } from './gateway-responses/gateway-response.ts';
import type { WebAcl } from './web-acl.ts';

export interface HostApiProps {
  /** Host name of the API. The default endpoint is disabled. */
  readonly hostname: string;
  /** Description of the API, in a few words. */
  readonly description: string;
  readonly configuration: Configuration;
  /** The environment's log key, web ACL and alarms. */
  readonly data: { readonly logKey: IKey; readonly webAcl: WebAcl; readonly alarms: Alarms };
  /** The gateway responses, in this host's error dialect. */
  readonly gatewayResponses: GatewayResponseTable;
  /** Content types that are sent as bytes. @default none */
  readonly binaryMediaTypes?: readonly string[];
}

/** A host of an environment: one REST API with one stage, named after the environment, and one domain name. */
export class HostApi extends RestApi {
  /** Log group of the access log. */
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, props: HostApiProps) {
    const accessLog = new LogGroup(scope, `${id}AccessLog`, {
      encryptionKey: props.data.logKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const certificate = new CfnClientCertificate(scope, `${id}ClientCertificate`);
    super(scope, id, {
      restApiName: props.hostname,
      description: props.description,
      endpointTypes: [EndpointType.REGIONAL],
      disableExecuteApiEndpoint: true,
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      minCompressionSize: Size.bytes(1024),
      ...(props.binaryMediaTypes !== undefined && { binaryMediaTypes: [...props.binaryMediaTypes] }),
      cloudWatchRole: false,
      domainName: {
        domainName: props.hostname,
        certificate: Certificate.fromCertificateArn(
          scope,
          `${id}Certificate`,
          props.configuration.certificateArn,
        ),
        endpointType: EndpointType.REGIONAL,
        securityPolicy: SecurityPolicy.TLS_1_2,
      },
      deployOptions: {
        stageName: props.configuration.environment,
        throttlingRateLimit: props.configuration.rates.hostRequestsPerSecond,
        throttlingBurstLimit: props.configuration.rates.hostBurst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        // A client certificate is for HTTP back ends and unused here, since all back ends are functions protected by IAM. The HIPAA rule
        // pack of cdk-nag requires it.
        clientCertificateId: certificate.attrClientCertificateId,
        ...noExecutionLogs,
      },
    });
    this.accessLog = accessLog;
    // Removes RestApi's output with the default endpoint, which is disabled.
    this.node.tryRemoveChild('Endpoint');
    for (const [type, response] of Object.entries(props.gatewayResponses)) {
      this.addGatewayResponse(type, response);
    }
    props.data.alarms.host(
      `${scope.node.id}${id}`,
      props.hostname,
      props.configuration.environment,
      accessLog,
    );
    this.guardBy(props.data.webAcl);
    this.addDnsRecord(props.configuration, props.hostname);
  }

  /** Adds a method protected by an authorizer and a subscription key. */
  guardedRoute(path: string, httpMethod: string, handler: IFunction, authorizer: IAuthorizer): void {
    this.addRoute(path, httpMethod, handler, {
      authorizationType: AuthorizationType.CUSTOM,
      authorizer,
      apiKeyRequired: true,
    });
  }

  /** Adds a method without an authorizer; `because` names the reason. */
  publicRoute(
    path: string,
    httpMethod: string,
    handler: IFunction,
    because: keyof typeof publicAccessReasons,
  ): void {
    const method = this.addRoute(path, httpMethod, handler, { authorizationType: AuthorizationType.NONE });
    acknowledgePublic(method, because);
  }

  /** Allows CORS calls to a path from any origin. No route reads cookies, and credentials are sent in headers. */
  allowCrossOrigin(path: string, methods: readonly string[], allowHeaders: readonly string[]): void {
    const preflight = this.root.resourceForPath(path).addCorsPreflight({
      allowOrigins: ['*'],
      allowMethods: [...methods],
      allowHeaders: [...allowHeaders],
      maxAge: Duration.hours(2),
    });
    acknowledgePublic(preflight, 'preflight');
  }

  /** Adds a method. One Lambda permission covers all routes of the API. */
  private addRoute(path: string, httpMethod: string, handler: IFunction, options: MethodOptions): Method {
    const integration = new LambdaIntegration(handler, { scopePermissionToMethod: false });
    return this.root.resourceForPath(path).addMethod(httpMethod, integration, options);
  }

  private guardBy(webAcl: WebAcl): void {
    new CfnWebACLAssociation(this, 'WebAclAssociation', {
      resourceArn: this.deploymentStage.stageArn,
      webAclArn: webAcl.arn,
    });
  }

  /** Creates the host's DNS record, or an output with it if DNS is kept elsewhere. */
  private addDnsRecord({ hostedZone }: Configuration, hostname: string): void {
    if (this.domainName === undefined) return;
    if (hostedZone === undefined) {
      const value = `${hostname} CNAME ${this.domainName.domainNameAliasDomainName}`;
      new CfnOutput(this, 'DnsRecord', { value });
      return;
    }
    new ARecord(this, 'DnsRecord', {
      zone: HostedZone.fromHostedZoneAttributes(this, 'HostedZone', {
        hostedZoneId: hostedZone.id,
        zoneName: hostedZone.name,
      }),
      recordName: `${hostname}.`,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(this.domainName)),
    });
  }
}
