import type { Assembly } from '../assembly/resources.ts';
import { isTrue, type Reader, readerOf, type Settings, settingsOf, textsOf } from './settings.ts';

type Selection = (name: string) => boolean;

/** What of a viewer's request goes on to the origin, and how CloudFront may compress. */
export interface Forwarding {
  readonly headers: Selection;
  readonly cookies: Selection;
  readonly queryParameters: Selection;
  readonly gzip: boolean;
  readonly brotli: boolean;
}

const none: Selection = () => false;
const all: Selection = () => true;
const nothing: Forwarding = {
  headers: none,
  cookies: none,
  queryParameters: none,
  gzip: false,
  brotli: false,
};

/** Managed policies by id. Source: CloudFront developer guide, "Use managed cache policies", "… origin request policies". */
const managed: Readonly<Record<string, Forwarding>> = {
  // CachingOptimized
  '658327ea-f89d-4fab-a63d-7e88639e58f6': { ...nothing, gzip: true, brotli: true },
  // CachingOptimizedForUncompressedObjects
  'b2884449-e4de-46a7-ac36-70bc7f1ddd6d': nothing,
  // CachingDisabled
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': nothing,
  // AllViewer
  '216adef6-5c7f-47e4-b989-5492eafa07d3': { ...nothing, headers: all, cookies: all, queryParameters: all },
  // AllViewerExceptHostHeader
  'b689b0a8-53d0-40ab-baf2-68738e2966ac': {
    ...nothing,
    headers: (name) => name !== 'host',
    cookies: all,
    queryParameters: all,
  },
  // UserAgentRefererHeaders
  'acba4595-bd28-49b8-b9fe-13317c0390fa': {
    ...nothing,
    headers: (name) => name === 'user-agent' || name === 'referer',
  },
};

/**
 * Joins what a behaviour's cache policy and its origin request policy forward.
 *
 * @throws AssemblyError for a policy that is neither in the templates nor known here.
 */
export function readForwarding(assembly: Assembly, behaviour: Settings, reader: Reader): Forwarding {
  if (behaviour.CachePolicyId === undefined) reader.fail('a behaviour needs a CachePolicyId');
  const cache = policy(assembly, String(behaviour.CachePolicyId), reader);
  if (behaviour.OriginRequestPolicyId === undefined) return cache;
  const origin = policy(assembly, String(behaviour.OriginRequestPolicyId), reader);
  return {
    headers: (name) => cache.headers(name) || origin.headers(name),
    cookies: (name) => cache.cookies(name) || origin.cookies(name),
    queryParameters: (name) => cache.queryParameters(name) || origin.queryParameters(name),
    gzip: cache.gzip,
    brotli: cache.brotli,
  };
}

function policy(assembly: Assembly, id: string, reader: Reader): Forwarding {
  const known = managed[id];
  if (known !== undefined) return known;
  const own =
    assembly.byPhysicalId(id, 'AWS::CloudFront::CachePolicy') ??
    assembly.byPhysicalId(id, 'AWS::CloudFront::OriginRequestPolicy');
  if (own === undefined) return reader.fail(`the policy ${id} is not known on one machine`);
  const { CachePolicyConfig, OriginRequestPolicyConfig } = own.properties;
  const parameters = settingsOf(CachePolicyConfig).ParametersInCacheKeyAndForwardedToOrigin;
  const settings = settingsOf(parameters ?? OriginRequestPolicyConfig);
  const ownReader = readerOf(own);
  return {
    headers: selection(settings, 'Header', 'Headers', ownReader, true),
    cookies: selection(settings, 'Cookie', 'Cookies', ownReader, false),
    queryParameters: selection(settings, 'QueryString', 'QueryStrings', ownReader, false),
    // Nothing is compressed that isn't cached ("Conditions for compression").
    gzip: isTrue(settings.EnableAcceptEncodingGzip) && settingsOf(CachePolicyConfig).MaxTTL !== 0,
    brotli: isTrue(settings.EnableAcceptEncodingBrotli) && settingsOf(CachePolicyConfig).MaxTTL !== 0,
  };
}

/** `HeadersConfig: { HeaderBehavior, Headers }` and its like. */
function selection(
  settings: Settings,
  singular: string,
  plural: string,
  reader: Reader,
  foldCase: boolean,
): Selection {
  const config = settingsOf(settings[`${plural}Config`]);
  const fold = (name: string) => (foldCase ? name.toLowerCase() : name);
  const names = new Set(textsOf(config[plural]).map(fold));
  const behaviour = String(config[`${singular}Behavior`]);
  switch (behaviour) {
    case 'none':
      return none;
    case 'all':
    case 'allViewer':
      return all;
    case 'whitelist':
      return (name) => names.has(fold(name));
    case 'allExcept':
      return (name) => !names.has(fold(name));
    default:
      // A value AWS may add one day: forwarding too much or too little would go unseen.
      return reader.fail(`${singular}Behavior ${behaviour} is not implemented on one machine`);
  }
}
