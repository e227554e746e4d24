/** Construct of a web ACL: managed rule groups, rate limits, and the header that CloudFront adds. */

import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** Header with the secret by which an API recognizes requests that came through CloudFront. */
export const originVerifyHeader = 'x-origin-verify';

/** A managed rule group, with those of its rules that only count because their matches are legitimate here. */
export interface ManagedRules {
  readonly name: string;
  readonly counted?: readonly string[];
  /** Statement of the requests that the group doesn't check. */
  readonly except?: CfnWebACL.StatementProperty;
}

export interface WebAclProps {
  readonly logKey: IKey;
  /** Rules in the order of evaluation, before the managed rule groups. */
  readonly rules: readonly CustomRule[];
  readonly managed: readonly ManagedRules[];
}

/** A rule that blocks requests that match its statement. */
export interface CustomRule {
  readonly name: string;
  readonly statement: CfnWebACL.StatementProperty;
  /**
   * Response to a blocked request.
   *
   * @default the gateway's 403
   */
  readonly blocked?: BlockedAnswer;
}

/** A custom response that AWS WAF sends itself. */
export interface BlockedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The web ACL of an API, which checks requests before any authorizer or function runs. */
export class WebAcl extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { logKey, rules, managed }: WebAclProps) {
    super(scope, id);
    const webAcl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('WebAcl'),
      rules: [
        ...rules.map(({ name, statement, blocked }, priority) => ({
          name,
          priority,
          action: { block: blocked === undefined ? {} : { customResponse: customResponse(blocked) } },
          statement,
          visibilityConfig: visibility(name),
        })),
        ...managed.map((group, index) => managedRules(rules.length + index, group)),
      ],
    });
    this.arn = webAcl.attrArn;
    this.log(webAcl, logKey);
  }

  /** Logs blocked requests only, without fields that may contain a credential or a member's identity. */
  private log(webAcl: CfnWebACL, logKey: IKey): void {
    const logGroup = new LogGroup(this, 'Log', {
      // AWS WAF requires this prefix in a log group's name.
      logGroupName: `aws-waf-logs-${this.node.addr}`,
      encryptionKey: logKey,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const headers = ['authorization', 'x-api-subscription-key', 'cookie', originVerifyHeader];
    new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: webAcl.attrArn,
      logDestinationConfigs: [arnOf(logGroup)],
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

/**
 * The ARN of a log group in the form that AWS WAF documents: without the `:*` (all log streams) that CloudFormation's attribute ends with.
 */
function arnOf(logGroup: LogGroup): string {
  return Stack.of(logGroup).formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: logGroup.logGroupName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

function customResponse({ status, headers }: BlockedAnswer): CfnWebACL.CustomResponseProperty {
  return {
    responseCode: status,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
}

function managedRules(
  priority: number,
  { name, counted = [], except }: ManagedRules,
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
        ...(except !== undefined && { scopeDownStatement: { notStatement: { statement: except } } }),
      },
    },
    visibilityConfig: visibility(name),
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}

/** Statement that matches requests whose path contains a text, in any encoding or case. */
export function pathContains(path: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { uriPath: {} },
      positionalConstraint: 'CONTAINS',
      searchString: path,
      textTransformations: [
        { priority: 0, type: 'URL_DECODE' },
        { priority: 1, type: 'NORMALIZE_PATH' },
        { priority: 2, type: 'LOWERCASE' },
      ],
    },
  };
}
