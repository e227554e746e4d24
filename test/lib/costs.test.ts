import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';
import { resources, synthesizeApp, type Template } from './synthesized-app.ts';

const text = readFileSync(join(repositoryRoot, 'docs/costs.md'), 'utf8');

/** The costs of a row in the table of fixed costs: `[environment, portal]`. */
function row(name: string): readonly number[] {
  const found = text.split('\n').find((line) => line.startsWith(`| ${name} |`));
  return (found ?? '').split('|').slice(2, 4).map(Number);
}

describe('what stands costs', () => {
  const templates = [...synthesizeApp()];
  const of = (stage: string, type: string) =>
    templates
      .filter(([stack]) => stack.startsWith(`${stage}/`))
      .flatMap(([, each]: readonly [string, Template]) => resources(each, type));

  it.each([
    ['KMS keys', 'AWS::KMS::Key'],
    ['Secrets of Secrets Manager', 'AWS::SecretsManager::Secret'],
    ['CloudWatch alarms', 'AWS::CloudWatch::Alarm'],
    ['Dashboards (the first three of an account are free)', 'AWS::CloudWatch::Dashboard'],
    ['Web ACLs', 'AWS::WAFv2::WebACL'],
    ['CloudFront distributions', 'AWS::CloudFront::Distribution'],
  ])('as the page says: %s', (name, type) => {
    const counted = ['production', 'portal'].map((stage) => of(stage, type).length);
    expect(row(name)).toEqual(counted);
  });

  it('as the page says: metrics of metric filters, of which several filters may count one', () => {
    const counted = ['production', 'portal'].map(
      (stage) =>
        new Set(
          of(stage, 'AWS::Logs::MetricFilter').map(({ Properties: { MetricTransformations } }) => {
            const [made] = MetricTransformations as readonly { readonly MetricName: string }[];
            return made?.MetricName;
          }),
        ).size,
    );
    expect(row('Metrics of metric filters')).toEqual(counted);
  });

  it('as the page says, rule by rule of a web ACL, and of the metrics that were left out', () => {
    const rules = ['production', 'portal'].map((stage) =>
      of(stage, 'AWS::WAFv2::WebACL').reduce(
        (sum, { Properties: { Rules } }) => sum + (Rules as readonly unknown[]).length,
        0,
      ),
    );
    expect(row('Rules and rule groups in them')).toEqual(rules);
    expect(5 * of('production', 'AWS::ApiGateway::Method').length).toBeGreaterThan(1_000);
  });
});
