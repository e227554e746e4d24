/** AWS WAF web ACL of an environment's hosts: rate limits by address, and managed rules. */

import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { demonstration } from '../../lambdas/catalog/oauth/demonstration.ts';
import type { Configuration } from '../config/configuration.ts';
import { type BlockedAnswer, type CustomRule, pathContains, WebAcl } from '../constructs/web-acl.ts';

const evaluationSeconds = 300;

/** Requests to members' pages that one IP address may send in five minutes. All people of an office share an address. */
const pagesPerAddress = 3_000;

/**
 * Requests to the sign-in and activation pages that one IP address may send in five minutes: one a second. `authorize` limits failed
 * attempts (`signInFailuresByAddress`); this limit protects the user pool, which takes 120 sign-ins a second, from a flood.
 */
const signInsPerAddress = 300;

/** Requests to a Provider Directory without a subscription key that one IP address may send in five minutes: ten a second. */
const directoryCallsPerAddress = 3_000;

/** Paths of payers' operations whose bodies may be long, in the lower case in which the rule compares them. */
const longBodies = ['/extfhirpayeraccess/v1/group/', '/extfhirpayeraccess/v1/patient/$member-match'];

/** Response to an address that calls the directory too often: the seconds to wait, and a link to the bulk files of the whole directory. */
const crawlerAdvice: BlockedAnswer = {
  status: 429,
  headers: {
    'Retry-After': `${evaluationSeconds}`,
    Link: '</extfhirproviderdir/v1/$bulk-publish>; rel="alternate"',
  },
};

/** Matches requests to a path that have no subscription key. */
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

/** The answer to an address that calls with the demonstration's key too often. */
const demonstrationAdvice: BlockedAnswer = {
  status: 429,
  headers: { 'Retry-After': `${evaluationSeconds}` },
};

/** Matches calls with the demonstration's subscription key, which is printed on the portal's pages. */
const withDemonstrationKey: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: 'x-api-subscription-key' } },
    positionalConstraint: 'EXACTLY',
    searchString: demonstration.subscriptionKey,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
};

/**
 * Requests that one IP address may send in five minutes, metered or not: as many as the fastest usage plan and the token endpoints allow
 * one application, whose requests may all come from one server.
 */
function requestsPerAddress({ tiers, rates }: Configuration): number {
  const perSecond = Math.max(...Object.values(tiers).map(({ requestsPerSecond }) => requestsPerSecond));
  return evaluationSeconds * perSecond + (evaluationSeconds / 60) * rates.tokenRequestsPerMinute;
}

/**
 * Rules of AWS's common rule set that only count. A redirect URI may be long, and may point to localhost for an application in development
 * or on a phone (RFC 8252 section 7.3), which these rules take for an attack; it is in the query of an authorization request and in the
 * body of a token request. The body of a sign-in contains a password, which may be any text. A server may send no User-Agent.
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

/** Rate of one visitor of the portal who tries the sandbox without an account. */
const rateOfDemonstration: CustomRule = {
  ...ratePerAddress('RateOfDemonstration', demonstration.callsPerFiveMinutes, withDemonstrationKey),
  blocked: demonstrationAdvice,
};

/** Creates the web ACL that all hosts of the environment share. */
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
      ...(demonstration.tier in configuration.tiers ? [rateOfDemonstration] : []),
    ],
    managed: [
      { name: 'AWSManagedRulesAmazonIpReputationList' },
      { name: 'AWSManagedRulesKnownBadInputsRuleSet' },
      // The rule blocks bodies over 8 KB, but a payer may send thousands of members in one body, or attach a form to a Consent.
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
        evaluationWindowSec: evaluationSeconds,
        aggregateKeyType: 'IP',
        ...(scopeDownStatement !== undefined && { scopeDownStatement }),
      },
    },
  };
}
