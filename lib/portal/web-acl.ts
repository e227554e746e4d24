/** AWS WAF web ACL of the portal's API. */

import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { type CustomRule, originVerifyHeader, pathContains, WebAcl } from '../constructs/web-acl.ts';
import { viewerAddressHeader } from './edge-functions.ts';

/** Requests that one viewer may send in five minutes to paths that contain the text. All people of an office share an address. */
const rates = [
  { name: 'RatePerAddress', path: undefined, requests: 3_000 },
  { name: 'RateOfSignIns', path: '/api/session', requests: 200 },
  { name: 'RateOfSignUps', path: '/api/accounts', requests: 50 },
  { name: 'RateOfPasswordResets', path: '/api/password-reset', requests: 50 },
] as const;

/**
 * Rules of AWS's common rule set that only count: bodies of this API contain URLs (some with localhost) and free text of up to 64 KB. The
 * functions validate each body by a schema, and no page renders one as HTML.
 */
const countedOnly = [
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'SizeRestrictions_BODY',
];

/**
 * Creates the web ACL of the portal's API. It allows requests that came through CloudFront, which adds the viewer's address, up to a rate
 * for each viewer.
 *
 * @param originSecrets the secret that CloudFront sends, and the next one.
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

/** Counts requests by the viewer's address in CloudFront's header, because the API itself sees only CloudFront's addresses. */
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
