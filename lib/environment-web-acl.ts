import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { WebAcl } from './web-acl.ts';

/** Requests one address may make in five minutes, metered or not, before it has to wait. */
const requestsPerAddress = 3_000;

/**
 * Rules of AWS's common set that are counted and not obeyed. A redirect URI may be long and, for an application in
 * development or on a phone, lead to localhost (RFC 8252 section 7.3), which these take for an attack on what is behind;
 * it stands in the query of an authorization request and in the body of a token request. A sign-in's body holds a
 * password, which may be any text. A server's client may send no User-Agent.
 */
const countedOnly = [
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'EC2MetaDataSSRF_QUERYARGUMENTS',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
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
