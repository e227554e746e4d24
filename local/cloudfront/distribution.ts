/** Reads a CloudFront distribution from the templates. */

import type { Assembly, Resource } from '../assembly/resources.ts';
import { listOf, type Reader, readerOf, type Settings, settingsOf, textsOf } from '../assembly/settings.ts';
import { type Origin, type OriginDeps, readOrigin } from './origins.ts';
import { compilePathPattern } from './path-pattern.ts';
import { type ChangeHeaders, readResponseHeadersPolicy } from './response-headers-policy.ts';
import { readViewerFunction, type ViewerFunction } from './viewer-function.ts';

export interface Behaviour {
  /** Path pattern: `/api/*`, or `*` for the default behavior. */
  readonly pattern: string;
  readonly covers: (path: string) => boolean;
  readonly methods: readonly string[];
  readonly origin: Origin;
  /** Whether the viewer's headers (except `Host`), cookies and query are forwarded to the origin, or none of them. */
  readonly forwardsViewer: boolean;
  readonly changeHeaders: ChangeHeaders;
  readonly onRequest?: ViewerFunction;
  readonly onResponse?: ViewerFunction;
}

export interface Distribution {
  readonly id: string;
  readonly domainName: string;
  readonly comment: string;
  readonly aliases: readonly string[];
  readonly defaultRootObject: string;
  /** Cache behaviors in the order in which they are tried; the last one matches every path. */
  readonly behaviours: readonly Behaviour[];
}

/** Settings that have no effect here: caching, compression, TLS, logs, web ACLs, prices. */
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
  behaviour: ['Compress', 'ViewerProtocolPolicy', 'CachedMethods', 'RealtimeLogConfigArn'],
};

/**
 * Reads a distribution.
 *
 * @throws AssemblyError naming a setting that is not supported here.
 */
export function readDistribution(deps: OriginDeps, resource: Resource): Distribution {
  const config = settingsOf(resource.properties.DistributionConfig);
  const reader = readerOf(resource);
  const known = ['Aliases', 'CacheBehaviors', 'Comment', 'DefaultCacheBehavior'];
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
  };
}

/** Refuses settings that restrict viewers and that the stand-in can't apply; ignoring them would admit more requests than AWS does. */
function checkRestrictions(config: Settings, reader: Reader): void {
  const geo = settingsOf(settingsOf(config.Restrictions).GeoRestriction);
  if ((geo.RestrictionType ?? 'none') !== 'none')
    reader.fail('geo restriction is not implemented on one machine');
  if (listOf(settingsOf(config.OriginGroups).Items).length > 0) {
    reader.fail('origin groups are not implemented on one machine');
  }
}

function readBehaviour(
  assembly: Assembly,
  settings: Settings,
  pattern: string,
  origins: ReadonlyMap<string, Origin>,
  reader: Reader,
): Behaviour {
  const known = ['AllowedMethods', 'CachePolicyId', 'FunctionAssociations', 'OriginRequestPolicyId'];
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
    forwardsViewer: readForwarding(settings, reader),
    changeHeaders: readResponseHeadersPolicy(assembly, settings.ResponseHeadersPolicyId, reader),
    ...functions,
  };
}

/** IDs of the managed cache policies CachingOptimized and CachingDisabled, neither of which forwards anything. */
const cachePolicies: readonly string[] = [
  '658327ea-f89d-4fab-a63d-7e88639e58f6',
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
];
/** ID of the managed origin request policy that forwards everything except the viewer's `Host`. */
const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

/** @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-origin-request-policies.html */
function readForwarding({ CachePolicyId, OriginRequestPolicyId }: Settings, reader: Reader): boolean {
  const known = [...cachePolicies, allViewerExceptHostHeader];
  for (const id of [CachePolicyId, OriginRequestPolicyId ?? allViewerExceptHostHeader].map(String)) {
    if (!known.includes(id)) reader.fail(`the policy ${id} is not known on one machine`);
  }
  return OriginRequestPolicyId !== undefined;
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
