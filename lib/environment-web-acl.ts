import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { WebAcl } from './web-acl.ts';

/** Requests one address may make in five minutes, metered or not, before it has to wait. */
const requestsPerAddress = 3_000;

/**
 * Rules of AWS's common set that are counted and not obeyed: an authorization request names a redirect URI in its query,
 * which may be long and, for an application in development, lead to localhost; a server's client may send no User-Agent.
 */
const countedOnly = [
  'EC2MetaDataSSRF_QUERYARGUMENTS',
  'GenericRFI_QUERYARGUMENTS',
  'NoUserAgent_HEADER',
  'SizeRestrictions_QUERYSTRING',
];

/** What an address may send to any host of the environment. */
export function environmentWebAcl(scope: Construct, logKey: IKey): WebAcl {
  return new WebAcl(scope, 'WebAcl', {
    logKey,
    rules: [
      {
        name: 'RatePerAddress',
        statement: { rateBasedStatement: { limit: requestsPerAddress, aggregateKeyType: 'IP' } },
      },
    ],
    managed: [
      { name: 'AWSManagedRulesAmazonIpReputationList' },
      { name: 'AWSManagedRulesKnownBadInputsRuleSet' },
      { name: 'AWSManagedRulesCommonRuleSet', counted: countedOnly },
    ],
  });
}
