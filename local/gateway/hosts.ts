/** Reads host names, base path mappings and stages from the templates, to find the API for a request's Host header. */

import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../assembly/resources.ts';
import { type AccessLogSetting, readAccessLog } from './access-log-setting.ts';
import { type RestApi, readRestApi } from './rest-api.ts';

export interface Stage {
  readonly name: string;
  readonly api: RestApi;
  readonly variables: Readonly<Record<string, string>> | null;
  /** Throttles in `MethodSettings`; `/*` and `*` stand for every resource and method. */
  readonly throttles: readonly MethodThrottle[];
  readonly accessLog?: AccessLogSetting;
}

export interface MethodThrottle {
  readonly resourcePath: string;
  readonly httpMethod: string;
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** A base path of a host, and the stage that it is mapped to. */
export interface Mapping {
  /** Base path without slashes around it; empty for the whole host. */
  readonly basePath: string;
  readonly stage: Stage;
  /**
   * Whether the host is the API's own endpoint, where the first path segment is the stage's name, which an event's `path` does not contain.
   */
  readonly ownEndpoint?: boolean;
}

/** The mappings of each host name, the longest base path first. */
export type Hosts = ReadonlyMap<string, readonly Mapping[]>;

/** REST APIs by ID. */
export type Apis = ReadonlyMap<string, RestApi>;

export function readApis(assembly: Assembly): Apis {
  return new Map(
    assembly.ofType('AWS::ApiGateway::RestApi').map((one) => [one.physicalId, readRestApi(assembly, one)]),
  );
}

/**
 * The APIs' own endpoints, unless they are disabled: `<api id>.execute-api.<region>.amazonaws.com/<stage>`. Local clients can't resolve
 * these names; the local CloudFront uses them.
 */
export function readEndpoints(assembly: Assembly, apis: Apis): Hosts {
  const hosts = new Map<string, readonly Mapping[]>();
  for (const { physicalId, region, properties } of assembly.ofType('AWS::ApiGateway::RestApi')) {
    const api = apis.get(physicalId);
    if (api === undefined || String(properties.DisableExecuteApiEndpoint) === 'true') continue;
    const stages = assembly
      .ofType('AWS::ApiGateway::Stage')
      .filter((one) => one.properties.RestApiId === physicalId)
      .map((one) => readStage(assembly, physicalId, api, String(one.properties.StageName)));
    const mappings = stages.map((stage) => ({ basePath: stage.name, stage, ownEndpoint: true }));
    hosts.set(`${physicalId}.execute-api.${region}.amazonaws.com`, mappings);
  }
  return hosts;
}

/**
 * Reads the domain names and their mappings (`BasePathMapping`, and `ApiGatewayV2::ApiMapping` for base paths of several segments). A host
 * without a mapping responds 403, as in AWS.
 */
export function readHosts(assembly: Assembly, apis: Apis): Hosts {
  const hosts = new Map<string, Mapping[]>();
  for (const domain of assembly.ofType('AWS::ApiGateway::DomainName'))
    hosts.set(domain.physicalId.toLowerCase(), []);
  const mappings = [
    ...assembly
      .ofType('AWS::ApiGateway::BasePathMapping')
      .map((one) => ({ one, api: 'RestApiId', path: 'BasePath' })),
    ...assembly
      .ofType('AWS::ApiGatewayV2::ApiMapping')
      .map((one) => ({ one, api: 'ApiId', path: 'ApiMappingKey' })),
  ];
  for (const { one, api, path } of mappings) {
    const { properties } = one;
    const where = `${one.stack}/${one.logicalId}`;
    const host = hosts.get(String(properties.DomainName).toLowerCase());
    const restApi = apis.get(String(properties[api]));
    if (host === undefined)
      throw new AssemblyError(`${where}: no domain name ${String(properties.DomainName)}`);
    if (restApi === undefined) throw new AssemblyError(`${where}: no REST API ${String(properties[api])}`);
    const stage = readStage(assembly, where, restApi, String(properties.Stage));
    host.push({ basePath: String(properties[path] ?? '').replace(/^\(none\)$/, ''), stage });
    host.sort((left, right) => right.basePath.length - left.basePath.length);
  }
  return hosts;
}

function readStage(assembly: Assembly, where: string, api: RestApi, name: string): Stage {
  const resource = assembly
    .ofType('AWS::ApiGateway::Stage')
    .find((one) => one.properties.RestApiId === api.id && one.properties.StageName === name);
  if (resource === undefined) throw new AssemblyError(`${where}: API ${api.id} has no stage ${name}`);
  const variables = resource.properties.Variables as Readonly<Record<string, string>> | undefined;
  const accessLog = readAccessLog(assembly, resource);
  return {
    name,
    api,
    variables: variables ?? null,
    throttles: readThrottles(resource),
    ...(accessLog === undefined ? {} : { accessLog }),
  };
}

function readThrottles({ properties }: Resource): readonly MethodThrottle[] {
  const settings = (properties.MethodSettings ?? []) as readonly Readonly<Record<string, unknown>>[];
  return settings
    .filter((one) => one.ThrottlingRateLimit !== undefined)
    .map((one) => ({
      resourcePath: String(one.ResourcePath ?? '/*'),
      httpMethod: String(one.HttpMethod ?? '*'),
      ratePerSecond: Number(one.ThrottlingRateLimit),
      burst: Number(one.ThrottlingBurstLimit ?? one.ThrottlingRateLimit),
    }));
}

/** The mapping that applies to a request's path, and the rest of the path. */
export function findMapping(
  mappings: readonly Mapping[],
  path: string,
): { readonly mapping: Mapping; readonly path: string } | undefined {
  for (const mapping of mappings) {
    if (mapping.basePath === '') return { mapping, path };
    const prefix = `/${mapping.basePath}`;
    if (path === prefix || path.startsWith(`${prefix}/`)) {
      return { mapping, path: path.slice(prefix.length) || '/' };
    }
  }
  return undefined;
}
