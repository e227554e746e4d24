import { beforeAll, describe, expect, it } from 'vitest';
import { demonstration } from '../../../lambdas/catalog/oauth/demonstration.ts';
import { readConfigurations } from '../../../lib/config/read-configurations.ts';
import { resources, synthesizeApp, type Template } from '../synthesized-app.ts';

interface Rule {
  readonly Name: string;
  readonly Statement: Statement;
  readonly Action?: object;
}

interface Statement {
  readonly ManagedRuleGroupStatement?: {
    readonly Name: string;
    readonly RuleActionOverrides?: readonly { readonly Name: string; readonly ActionToUse: object }[];
  };
  readonly RateBasedStatement?: { readonly Limit: number; readonly ScopeDownStatement?: Statement };
  readonly NotStatement?: { readonly Statement: Statement };
  readonly OrStatement?: { readonly Statements: readonly Statement[] };
  readonly AndStatement?: { readonly Statements: readonly Statement[] };
  readonly SizeConstraintStatement?: object;
  readonly ByteMatchStatement?: {
    readonly PositionalConstraint: string;
    readonly TextTransformations: readonly { readonly Type: string }[];
  };
}

let templates: ReadonlyMap<string, Template>;
beforeAll(() => {
  templates = synthesizeApp();
});

/** The rules of every web ACL, by stack. */
const webAcls = () =>
  [...templates].flatMap(([stack, each]) =>
    resources(each, 'AWS::WAFv2::WebACL').map(
      ({ Properties: { Rules } }) => [stack, Rules as readonly Rule[]] as const,
    ),
  );

const counted = (rules: readonly Rule[]) =>
  rules.flatMap(({ Statement: { ManagedRuleGroupStatement: group } }) =>
    (group?.RuleActionOverrides ?? [])
      .filter(({ ActionToUse }) => 'Count' in ActionToUse)
      .map(({ Name }) => Name),
  );

/**
 * Web ACL capacity units of AWS's managed rule groups. The second page has those of a rule's statement.
 *
 * @see https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 * @see https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statements-list.html
 */
const managedUnits: Readonly<Record<string, number>> = {
  AWSManagedRulesAmazonIpReputationList: 25,
  AWSManagedRulesKnownBadInputsRuleSet: 200,
  AWSManagedRulesCommonRuleSet: 700,
};

function units(statement: Statement | undefined): number {
  if (statement === undefined) return 0;
  const { ManagedRuleGroupStatement: group, RateBasedStatement: rate, NotStatement: not } = statement;
  const { ByteMatchStatement: match, OrStatement: any = statement.AndStatement } = statement;
  if (statement.SizeConstraintStatement !== undefined) return 1;
  if (any !== undefined) return any.Statements.reduce((sum, each) => sum + units(each), 0);
  if (group !== undefined) return managedUnits[group.Name] ?? Number.NaN;
  if (rate !== undefined) return 2 + units(rate.ScopeDownStatement);
  if (not !== undefined) return units(not.Statement);
  if (match === undefined) return Number.NaN;
  const transformations = match.TextTransformations.filter(({ Type }) => Type !== 'NONE').length;
  return (/CONTAINS/.test(match.PositionalConstraint) ? 10 : 2) + 10 * transformations;
}

describe('a web ACL', () => {
  it('lets a redirect URI lead to the developer’s own machine, in the query and in a body', () => {
    const environments = webAcls().filter(([stack]) => !stack.startsWith('portal/'));
    expect(environments).toHaveLength(2);
    for (const [stack, rules] of environments) {
      for (const part of ['QUERYARGUMENTS', 'BODY']) {
        expect(counted(rules), stack).toContain(`EC2MetaDataSSRF_${part}`);
        expect(counted(rules), stack).toContain(`GenericRFI_${part}`);
      }
    }
  });

  it('lets the operations of payers have long bodies', () => {
    for (const [stack, rules] of webAcls().filter(([name]) => !name.startsWith('portal/'))) {
      const common = JSON.stringify(rules.find(({ Name }) => Name === 'AWSManagedRulesCommonRuleSet'));
      for (const path of ['group/', 'patient/$member-match']) {
        expect(common, stack).toContain(`"SearchString":"/extfhirpayeraccess/v1/${path}"`);
      }
    }
  });

  it('lets a password be any text', () => {
    for (const [stack, rules] of webAcls()) {
      expect(counted(rules), stack).toEqual(
        expect.arrayContaining(['CrossSiteScripting_BODY', 'GenericLFI_BODY', 'GenericRFI_BODY']),
      );
    }
  });

  it('lets a server use up from one address what its plan and the token endpoints allow, and a browser less', () => {
    for (const { environment, tiers, rates } of readConfigurations({})) {
      const [, rules = []] = webAcls().find(([stack]) => stack === `${environment}/Data`) ?? [];
      const [all, directory, pages, signIns, ...others] = rules.flatMap(
        ({ Statement: { RateBasedStatement } }) => RateBasedStatement ?? [],
      );
      // The demonstration's key is public, so each address has a share of its plan.
      expect(others.map(({ Limit }) => Limit)).toEqual(environment === 'sandbox' ? [300] : []);
      expect(JSON.stringify(others)).toMatch(
        environment === 'sandbox' ? demonstration.subscriptionKey : '[]',
      );
      const perSecond = Math.max(...Object.values(tiers).map(({ requestsPerSecond }) => requestsPerSecond));
      expect(all?.ScopeDownStatement).toBeUndefined();
      expect(all?.Limit).toBe(300 * perSecond + 5 * rates.tokenRequestsPerMinute);
      // Limits only calls without a subscription key, since usage plans throttle calls with one.
      expect(JSON.stringify(directory?.ScopeDownStatement)).toMatch(
        /extfhirproviderdir.*NotStatement.*x-api-subscription-key/,
      );
      expect(directory?.Limit).toBe(3_000);
      expect(JSON.stringify(pages?.ScopeDownStatement)).toContain('/fhir-oauth2/sec/');
      expect(pages?.Limit).toBeLessThan((all?.Limit ?? 0) / 2);
      expect(JSON.stringify(signIns?.ScopeDownStatement)).toContain('/sign-in');
      expect(signIns?.Limit).toBeLessThanOrEqual((pages?.Limit ?? 0) / 10);
    }
  });

  it('tells an address that calls the directory too often when to come again, and where the whole directory is', () => {
    const [, rules = []] = webAcls().find(([stack]) => stack === 'production/Data') ?? [];
    expect(rules.find(({ Name }) => Name === 'RateOfDirectory')?.Action).toEqual({
      Block: {
        CustomResponse: {
          ResponseCode: 429,
          ResponseHeaders: [
            { Name: 'Retry-After', Value: '300' },
            { Name: 'Link', Value: '</extfhirproviderdir/v1/$bulk-publish>; rel="alternate"' },
          ],
        },
      },
    });
  });

  it('costs no more than the 1,500 units that are in its price', () => {
    for (const [stack, rules] of webAcls()) {
      const all = rules.map(({ Name, Statement }) => {
        expect(units(Statement), `${stack} ${Name}`).toBeGreaterThan(0);
        return units(Statement);
      });
      expect(
        all.reduce((sum, each) => sum + each, 0),
        stack,
      ).toBeLessThanOrEqual(1_500);
    }
  });

  it('names its log in the way AWS WAF takes it: by prefix, and without the streams', () => {
    const loggings = [...templates.values()].flatMap((each) =>
      resources(each, 'AWS::WAFv2::LoggingConfiguration').map(({ Properties: properties }) => ({
        destinations: properties.LogDestinationConfigs as readonly unknown[],
        groups: resources(each, 'AWS::Logs::LogGroup').map(
          ({ Properties: { LogGroupName } }) => LogGroupName,
        ),
      })),
    );
    expect(loggings).toHaveLength(webAcls().length);
    for (const { destinations, groups } of loggings) {
      expect(groups).toContainEqual(expect.stringMatching(/^aws-waf-logs-/));
      for (const destination of destinations) {
        expect(JSON.stringify(destination)).toMatch(
          /^\{"Fn::Join":\["",\["arn:.*:log-group:",\{"Ref":"\w+"\}\]\]\}$/,
        );
      }
    }
  });
});
