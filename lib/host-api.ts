import { Duration, RemovalPolicy, Size } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiKeySourceType,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodOptions,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Configuration } from './config/configuration.ts';
import type { DataStack } from './data-stack.ts';
import type { GatewayResponseTable } from './gateway-responses/gateway-response.ts';

export interface HostApiProps {
  /** The one name the API is reached under; the endpoint API Gateway would give it is off. */
  readonly hostname: string;
  readonly configuration: Configuration;
  readonly data: DataStack;
  /** How this host words the gateway's own refusals. */
  readonly gatewayResponses: GatewayResponseTable;
}

/**
 * The access log: who called what with which outcome. `resourcePath` has `{id}` where the path has a patient's id, and
 * no header or query string is named, so that neither PHI nor a secret can be logged.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTimeEpoch',
    requestId: '$context.requestId',
    host: '$context.domainName',
    method: '$context.httpMethod',
    route: '$context.resourcePath',
    status: '$context.status',
    responseType: '$context.error.responseType',
    apiKeyId: '$context.identity.apiKeyId',
    sourceIp: '$context.identity.sourceIp',
    responseLength: '$context.responseLength',
    latencyMs: '$context.responseLatency',
    integrationMs: '$context.integrationLatency',
    authorizerMs: '$context.authorizer.latency',
  }),
);

/** A host: one REST API with one stage, named after the environment, under one domain name. */
export class HostApi extends RestApi {
  constructor(scope: Construct, id: string, props: HostApiProps) {
    const accessLog = new LogGroup(scope, `${id}AccessLog`, {
      encryptionKey: props.data.logKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    super(scope, id, {
      restApiName: props.hostname,
      endpointTypes: [EndpointType.REGIONAL],
      disableExecuteApiEndpoint: true,
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      minCompressionSize: Size.bytes(1024),
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
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        metricsEnabled: true,
        tracingEnabled: true,
      },
    });
    // The output RestApi makes names the endpoint that is off.
    this.node.tryRemoveChild('Endpoint');
    for (const [type, response] of Object.entries(props.gatewayResponses)) {
      this.addGatewayResponse(type, response);
    }
  }

  /** A method served by a function; API Gateway may call the function for any route of this API. */
  route(path: string, httpMethod: string, handler: IFunction, options: MethodOptions = {}): void {
    const integration = new LambdaIntegration(handler, { scopePermissionToMethod: false });
    this.root.resourceForPath(path).addMethod(httpMethod, integration, options);
  }

  /** Lets browsers of any origin call a path: no cookie is read there, credentials are headers. */
  allowCrossOrigin(path: string, methods: readonly string[], allowHeaders: readonly string[]): void {
    const resource: IResource = this.root.resourceForPath(path);
    resource.addCorsPreflight({
      allowOrigins: ['*'],
      allowMethods: [...methods],
      allowHeaders: [...allowHeaders],
      maxAge: Duration.hours(2),
    });
  }
}
