import type { Assembly, Resource } from '../assembly/resources.ts';
import { type Forwarding, readForwarding } from './forwarding.ts';
import { type Origin, type OriginDeps, readOrigin } from './origins.ts';
import { compilePathPattern } from './path-pattern.ts';
import { type ChangeHeaders, readResponseHeadersPolicy } from './response-headers-policy.ts';
import { isTrue, listOf, type Reader, readerOf, type Settings, settingsOf, textsOf } from './settings.ts';
import { readViewerFunction, type ViewerFunction } from './viewer-function.ts';

export interface Behaviour {
  /** `/api/*`, or `*` for the default. */
  readonly pattern: string;
  readonly covers: (path: string) => boolean;
  readonly methods: readonly string[];
  readonly origin: Origin;
  readonly forwarding: Forwarding;
  readonly compress: boolean;
  readonly changeHeaders: ChangeHeaders;
  readonly onRequest?: ViewerFunction;
  readonly onResponse?: ViewerFunction;
}

export interface ErrorResponse {
  readonly errorCode: number;
  /** Path of the page sent instead; absent where only the time an error is remembered is set. */
  readonly page?: string;
  readonly statusCode: number;
}

export interface Distribution {
  readonly id: string;
  readonly domainName: string;
  readonly comment: string;
  readonly aliases: readonly string[];
  readonly defaultRootObject: string;
  /** In the order they are tried; the last covers everything. */
  readonly behaviours: readonly Behaviour[];
  readonly errorResponses: readonly ErrorResponse[];
}

/** What shows neither in an answer nor in a refusal here: caching, TLS, logs, web ACLs, prices. */
const withoutEffect = {
  distribution: [
    'Enabled',
    'HttpVersion',
    'IPV6Enabled',
    'Logging',
    'PriceClass',
    'ViewerCertificate',
    'WebACLId',
  ],
  behaviour: ['ViewerProtocolPolicy', 'CachedMethods', 'RealtimeLogConfigArn'],
};

/** @throws AssemblyError naming a setting this machine doesn't know. */
export function readDistribution(deps: OriginDeps, resource: Resource): Distribution {
  const config = settingsOf(resource.properties.DistributionConfig);
  const reader = readerOf(resource);
  const known = ['Aliases', 'CacheBehaviors', 'Comment', 'CustomErrorResponses', 'DefaultCacheBehavior'];
  reader.check(
    config,
    [...known, 'DefaultRootObject', 'Origins', 'Restrictions', 'OriginGroups'],
    withoutEffect.distribution,
  );
  checkRestrictions(config, reader);
  const origins = new Map(
    listOf(config.Origins).map((one) => [String(one.Id), readOrigin(deps, resource, one, reader)]),
  );
  const behaviour = (settings: Settings, pattern: string) =>
    readBehaviour(deps.assembly, settings, pattern, origins, reader);
  return {
    id: resource.physicalId,
    domainName: `${resource.physicalId.toLowerCase()}.cloudfront.net`,
    comment: String(config.Comment ?? ''),
    aliases: textsOf(config.Aliases).map((name) => name.toLowerCase()),
    defaultRootObject: String(config.DefaultRootObject ?? ''),
    behaviours: [
      ...listOf(config.CacheBehaviors).map((one) => behaviour(one, String(one.PathPattern))),
      behaviour(settingsOf(config.DefaultCacheBehavior), '*'),
    ],
    errorResponses: listOf(config.CustomErrorResponses).map(readErrorResponse),
  };
}

/** Settings that decide who is answered, and that this machine can't act on: leaving them out would let more in than AWS does. */
function checkRestrictions(config: Settings, reader: Reader): void {
  const geo = settingsOf(settingsOf(config.Restrictions).GeoRestriction);
  if ((geo.RestrictionType ?? 'none') !== 'none')
    reader.fail('geo restriction is not implemented on one machine');
  if (listOf(settingsOf(config.OriginGroups).Items).length > 0) {
    reader.fail('origin groups are not implemented on one machine');
  }
}

function readErrorResponse({ ErrorCode, ResponseCode, ResponsePagePath }: Settings): ErrorResponse {
  const errorCode = Number(ErrorCode);
  return {
    errorCode,
    statusCode: Number(ResponseCode ?? errorCode),
    ...(ResponsePagePath === undefined ? {} : { page: String(ResponsePagePath) }),
  };
}

function readBehaviour(
  assembly: Assembly,
  settings: Settings,
  pattern: string,
  origins: ReadonlyMap<string, Origin>,
  reader: Reader,
): Behaviour {
  const known = [
    'AllowedMethods',
    'CachePolicyId',
    'Compress',
    'FunctionAssociations',
    'OriginRequestPolicyId',
  ];
  reader.check(
    settings,
    [...known, 'PathPattern', 'ResponseHeadersPolicyId', 'TargetOriginId'],
    withoutEffect.behaviour,
  );
  const target = String(settings.TargetOriginId);
  const origin = origins.get(target) ?? reader.fail(`there is no origin ${target}`);
  const functions = readFunctions(assembly, settings, reader);
  return {
    pattern,
    covers: pattern === '*' ? () => true : compilePathPattern(pattern),
    methods: settings.AllowedMethods === undefined ? ['GET', 'HEAD'] : textsOf(settings.AllowedMethods),
    origin,
    forwarding: readForwarding(assembly, settings, reader),
    compress: isTrue(settings.Compress),
    changeHeaders: readResponseHeadersPolicy(assembly, settings.ResponseHeadersPolicyId, reader),
    ...functions,
  };
}

function readFunctions(
  assembly: Assembly,
  settings: Settings,
  reader: Reader,
): { onRequest?: ViewerFunction; onResponse?: ViewerFunction } {
  const functions: { onRequest?: ViewerFunction; onResponse?: ViewerFunction } = {};
  for (const { EventType, FunctionARN } of listOf(settings.FunctionAssociations)) {
    const run = readViewerFunction(assembly, String(FunctionARN), reader);
    if (EventType === 'viewer-request') functions.onRequest = run;
    else if (EventType === 'viewer-response') functions.onResponse = run;
    else reader.fail(`the event ${String(EventType)} of a function is none`);
  }
  return functions;
}
