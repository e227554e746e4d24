/** AWS WAF web ACL of the portal's API. */

import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { type CustomRule, originVerifyHeader, pathContains, WebAcl } from '../constructs/web-acl.ts';
import { viewerAddressHeader } from './edge-functions.ts';

/** Requests one viewer may make in five minutes, to paths that contain the text. An office shares an address. */
const rates = [
  { name: 'RatePerAddress', path: undefined, requests: 3_000 },
  { name: 'RateOfSignIns', path: '/api/session', requests: 200 },
  { name: 'RateOfSignUps', path: '/api/accounts', requests: 50 },
  { name: 'RateOfPasswordResets', path: '/api/password-reset', requests: 50 },
] as const;

/**
 * Rules of AWS's common set that count requests and don't block them: bodies of this API contain URLs (some of localhost) and
 * free text of up to 64 KB. The functions validate each by a schema, and no page renders one as HTML.
 */
const countedOnly = [
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'SizeRestrictions_BODY',
];

/**
 * Creates the web ACL of the portal's API: it lets calls pass that came through CloudFront, which names the viewer, up to a rate per viewer.
 *
 * @param originSecrets the value CloudFront shows, and the one it shows next.
 */
export function portalWebAcl(
  scope: Construct,
  logKey: IKey,
  originSecrets: readonly [string, string],
): WebAcl {
  return new WebAcl(scope, 'WebAcl', {
    logKey,
    rules: [
      {
        name: 'OnlyThroughCloudFront',
        statement: { notStatement: { statement: { orStatement: { statements: originSecrets.map(shows) } } } },
      },
      ...rates.map(rateRule),
    ],
    managed: [
      { name: 'AWSManagedRulesKnownBadInputsRuleSet' },
      { name: 'AWSManagedRulesCommonRuleSet', counted: countedOnly },
    ],
  });
}

function shows(originSecret: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: originVerifyHeader } },
      positionalConstraint: 'EXACTLY',
      searchString: originSecret,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  };
}

/** Counts by the viewer address in CloudFront's header: the address the API sees is CloudFront's own. */
function rateRule({ name, path, requests }: (typeof rates)[number]): CustomRule {
  return {
    name,
    statement: {
      rateBasedStatement: {
        limit: requests,
        evaluationWindowSec: 300,
        aggregateKeyType: 'FORWARDED_IP',
        forwardedIpConfig: { headerName: viewerAddressHeader, fallbackBehavior: 'MATCH' },
        ...(path !== undefined && { scopeDownStatement: pathContains(path) }),
      },
    },
  };
}
