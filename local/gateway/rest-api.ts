/** Local API Gateway: reads a REST API from the templates. */

import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../assembly/resources.ts';

/** A gateway response of the template. */
export interface GatewayResponse {
  readonly statusCode?: number;
  /** Mapping expressions by `gatewayresponse.header.X`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Templates by content type. */
  readonly templates: Readonly<Record<string, string>>;
}

/** An authorizer of type REQUEST; other types are refused. */
export interface Authorizer {
  readonly id: string;
  readonly functionArn: string;
  /** `method.request.header.X`, … */
  readonly identitySources: readonly string[];
  readonly ttlSeconds: number;
}

export type Integration =
  | { readonly type: 'AWS_PROXY'; readonly functionArn: string; readonly timeoutMs: number }
  | { readonly type: 'MOCK'; readonly properties: Readonly<Record<string, unknown>> };

export interface Method {
  readonly httpMethod: string;
  readonly resourceId: string;
  readonly resourcePath: string;
  readonly authorizer?: Authorizer;
  readonly apiKeyRequired: boolean;
  readonly integration: Integration;
  readonly methodResponses: readonly Readonly<Record<string, unknown>>[];
}

/** A path segment in the tree of an API's resources. */
export interface Node {
  readonly id: string;
  readonly path: string;
  readonly segment: string;
  readonly children: Node[];
  readonly methods: Map<string, Method>;
}

export interface RestApi {
  readonly id: string;
  /** The dimension `ApiName` of its metrics. */
  readonly name: string;
  readonly description: string;
  readonly arnPrefix: string;
  readonly account: string;
  readonly keySource: 'HEADER' | 'AUTHORIZER';
  readonly minimumCompressionBytes?: number;
  readonly binaryMediaTypes: readonly string[];
  readonly root: Node;
  readonly responses: ReadonlyMap<string, GatewayResponse>;
}

type Properties = Readonly<Record<string, unknown>>;

/** Reads an `AWS::ApiGateway::RestApi` and the resources that belong to it. */
export function readRestApi(assembly: Assembly, resource: Resource): RestApi {
  const { properties, physicalId: id } = resource;
  const own = (type: string) =>
    assembly.ofType(`AWS::ApiGateway::${type}`).filter((one) => one.properties.RestApiId === id);
  const compression = properties.MinimumCompressionSize;
  return {
    id,
    name: String(properties.Name ?? ''),
    description: String(properties.Description ?? ''),
    arnPrefix: `arn:aws:execute-api:${resource.region}:${resource.account}:${id}`,
    account: resource.account,
    keySource: properties.ApiKeySourceType === 'AUTHORIZER' ? 'AUTHORIZER' : 'HEADER',
    ...(compression === undefined ? {} : { minimumCompressionBytes: Number(compression) }),
    binaryMediaTypes: texts(properties.BinaryMediaTypes),
    root: readTree(own('Resource'), own('Method'), own('Authorizer').map(readAuthorizer)),
    responses: new Map(
      own('GatewayResponse').map((one) => [String(one.properties.ResponseType), readResponse(one)]),
    ),
  };
}

function readTree(
  resources: readonly Resource[],
  methods: readonly Resource[],
  authorizers: readonly Authorizer[],
): Node {
  const ids = new Set(resources.map((one) => one.physicalId));
  const parents = [
    ...resources.map((one) => one.properties.ParentId),
    ...methods.map((one) => one.properties.ResourceId),
  ];
  const rootId = String(parents.find((parent) => !ids.has(String(parent))) ?? '');
  const node = (id: string, path: string, segment: string): Node => {
    const methodsHere = methods.filter((one) => one.properties.ResourceId === id);
    const children = resources.filter((one) => one.properties.ParentId === id);
    return {
      id,
      path: path === '' ? '/' : path,
      segment,
      methods: new Map(
        methodsHere.map((one) => {
          const method = readMethod(one, id, path === '' ? '/' : path, authorizers);
          return [method.httpMethod, method];
        }),
      ),
      children: children.map((one) => {
        const part = String(one.properties.PathPart);
        return node(one.physicalId, `${path}/${part}`, part);
      }),
    };
  };
  return node(rootId, '', '');
}

function readMethod(
  resource: Resource,
  resourceId: string,
  resourcePath: string,
  authorizers: readonly Authorizer[],
): Method {
  const { properties } = resource;
  const where = `method ${resource.stack}/${resource.logicalId}`;
  const authorizer = authorizers.find((one) => one.id === properties.AuthorizerId);
  const type = String(properties.AuthorizationType ?? 'NONE');
  if (type !== 'NONE' && authorizer === undefined) {
    throw new AssemblyError(`${where}: authorization ${type} has no authorizer this runner knows`);
  }
  return {
    httpMethod: String(properties.HttpMethod),
    resourceId,
    resourcePath,
    ...(authorizer === undefined || type === 'NONE' ? {} : { authorizer }),
    apiKeyRequired: properties.ApiKeyRequired === true,
    integration: readIntegration(where, (properties.Integration ?? {}) as Properties),
    methodResponses: (properties.MethodResponses ?? []) as readonly Properties[],
  };
}

function readIntegration(where: string, properties: Properties): Integration {
  if (properties.Type === 'MOCK') return { type: 'MOCK', properties };
  if (properties.Type !== 'AWS_PROXY') {
    throw new AssemblyError(
      `${where}: integration ${String(properties.Type)} is not known to the local runner`,
    );
  }
  // "Quotas": 50 ms to 29 s.
  const timeoutMs = Number(properties.TimeoutInMillis ?? 29_000);
  return { type: 'AWS_PROXY', functionArn: functionOf(where, properties.Uri), timeoutMs };
}

function readAuthorizer(resource: Resource): Authorizer {
  const { properties } = resource;
  const where = `authorizer ${resource.stack}/${resource.logicalId}`;
  if (properties.Type !== 'REQUEST') {
    throw new AssemblyError(`${where}: type ${String(properties.Type)} is not known to the local runner`);
  }
  const sources = String(properties.IdentitySource ?? '');
  return {
    id: resource.physicalId,
    functionArn: functionOf(where, properties.AuthorizerUri),
    identitySources: sources
      .split(',')
      .map((source) => source.trim())
      .filter((source) => source !== ''),
    // AWS::ApiGateway::Authorizer: default 300.
    ttlSeconds: Number(properties.AuthorizerResultTtlInSeconds ?? 300),
  };
}

/** `arn:aws:apigateway:<region>:lambda:path/2015-03-31/functions/<function ARN>/invocations`. */
function functionOf(where: string, uri: unknown): string {
  const found = /:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/.exec(String(uri))?.[1];
  if (found === undefined) throw new AssemblyError(`${where}: ${String(uri)} names no function`);
  return found;
}

function readResponse({ properties }: Resource): GatewayResponse {
  return {
    ...(properties.StatusCode === undefined ? {} : { statusCode: Number(properties.StatusCode) }),
    parameters: (properties.ResponseParameters ?? {}) as Readonly<Record<string, string>>,
    templates: (properties.ResponseTemplates ?? {}) as Readonly<Record<string, string>>,
  };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
