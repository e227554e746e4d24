import { RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

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

/** What an address may send to any host of the environment, before a function or an authorizer runs. */
export class WebAcl extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, props: { readonly logKey: IKey }) {
    super(scope, id);
    const webAcl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('WebAcl'),
      rules: [
        {
          name: 'RatePerAddress',
          priority: 0,
          action: { block: {} },
          statement: { rateBasedStatement: { limit: requestsPerAddress, aggregateKeyType: 'IP' } },
          visibilityConfig: visibility('RatePerAddress'),
        },
        managedRules(1, 'AWSManagedRulesAmazonIpReputationList'),
        managedRules(2, 'AWSManagedRulesKnownBadInputsRuleSet'),
        managedRules(3, 'AWSManagedRulesCommonRuleSet', countedOnly),
      ],
    });
    this.arn = webAcl.attrArn;
    this.log(webAcl, props.logKey);
  }

  /** Only refusals are logged, and of them nothing that may hold a credential or a member's identity. */
  private log(webAcl: CfnWebACL, logKey: IKey): void {
    const logGroup = new LogGroup(this, 'Log', {
      // AWS WAF writes to no log group whose name begins otherwise.
      logGroupName: `aws-waf-logs-${this.node.addr}`,
      encryptionKey: logKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const headers = ['authorization', 'x-api-subscription-key', 'cookie'];
    new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: webAcl.attrArn,
      logDestinationConfigs: [logGroup.logGroupArn],
      redactedFields: [
        ...headers.map((name) => ({ singleHeader: { Name: name } })),
        { queryString: {} },
        { uriPath: {} },
      ],
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
          },
        ],
      },
    });
  }
}

function managedRules(
  priority: number,
  name: string,
  counted: readonly string[] = [],
): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ...(counted.length > 0 && {
          ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        }),
      },
    },
    visibilityConfig: visibility(name),
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
