/** AWS WAF web ACL of an environment's hosts: rates by address, managed rules. */

import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Configuration } from '../config/configuration.ts';
import { type BlockedAnswer, type CustomRule, pathContains, WebAcl } from '../constructs/web-acl.ts';

const windowSeconds = 300;

/** Requests to the members' own pages that one address may make in five minutes. An office shares an address. */
const pagesPerAddress = 3_000;

/**
 * Requests to the sign-in and activation pages that one address may make in five minutes: one a second. How many of them may be
 * wrong is counted by `authorize` (`signInFailuresByAddress`); this bounds what a flood costs the user pool, which takes 120 sign-ins a second.
 */
const signInsPerAddress = 300;

/** Calls to a Provider Directory without a subscription key that one address may make in five minutes: ten a second. */
const directoryCallsPerAddress = 3_000;

/** Paths of payers' operations whose bodies may be long, in lower case as the rule compares them. */
const longBodies = ['/extfhirpayeraccess/v1/group/', '/extfhirpayeraccess/v1/patient/$member-match'];

/** The answer to an address that calls the directory too often: how long to wait, and where the whole directory is. */
const crawlerAdvice: BlockedAnswer = {
  status: 429,
  headers: {
    'Retry-After': `${windowSeconds}`,
    Link: '</extfhirproviderdir/v1/$bulk-publish>; rel="alternate"',
  },
};

/** Matches calls of a path that have no subscription key. */
function withoutKey(path: string): CfnWebACL.StatementProperty {
  const key = {
    sizeConstraintStatement: {
      fieldToMatch: { singleHeader: { Name: 'x-api-subscription-key' } },
      comparisonOperator: 'GT',
      size: 0,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  };
  return { andStatement: { statements: [pathContains(path), { notStatement: { statement: key } }] } };
}

/**
 * Requests one address may make in five minutes, metered or not: a server that uses up what its usage plan and the token
 * endpoints allow an application comes from one.
 */
function requestsPerAddress({ tiers, rates }: Configuration): number {
  const perSecond = Math.max(...Object.values(tiers).map(({ requestsPerSecond }) => requestsPerSecond));
  return windowSeconds * perSecond + (windowSeconds / 60) * rates.tokenRequestsPerMinute;
}

/**
 * Rules of AWS's common set that count requests and don't block them. A redirect URI may be long and, for an application in
 * development or on a phone, point to localhost (RFC 8252 section 7.3), which these rules take for an attack;
 * it is in the query of an authorization request and in the body of a token request. A sign-in's body contains a
 * password, which may be any text. A server may send no User-Agent.
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

/** Creates the web ACL of every host of the environment. */
export function environmentWebAcl(scope: Construct, logKey: IKey, configuration: Configuration): WebAcl {
  return new WebAcl(scope, 'WebAcl', {
    logKey,
    rules: [
      ratePerAddress('RatePerAddress', requestsPerAddress(configuration)),
      {
        ...ratePerAddress('RateOfDirectory', directoryCallsPerAddress, withoutKey('/extfhirproviderdir/')),
        blocked: crawlerAdvice,
      },
      ratePerAddress('RateOfPages', pagesPerAddress, pathContains('/fhir-oauth2/sec/')),
      ratePerAddress('RateOfSignIns', signInsPerAddress, {
        orStatement: { statements: [pathContains('/sign-in'), pathContains('/activation')] },
      }),
    ],
    managed: [
      { name: 'AWSManagedRulesAmazonIpReputationList' },
      { name: 'AWSManagedRulesKnownBadInputsRuleSet' },
      // The rule blocks bodies over 8 KB; a payer sends thousands of members in one, and attaches forms to a Consent.
      {
        name: 'AWSManagedRulesCommonRuleSet',
        counted: countedOnly,
        except: { orStatement: { statements: longBodies.map(pathContains) } },
      },
    ],
  });
}

function ratePerAddress(
  name: string,
  limit: number,
  scopeDownStatement?: CfnWebACL.StatementProperty,
): CustomRule {
  return {
    name,
    statement: {
      rateBasedStatement: {
        limit,
        evaluationWindowSec: windowSeconds,
        aggregateKeyType: 'IP',
        ...(scopeDownStatement !== undefined && { scopeDownStatement }),
      },
    },
  };
}
