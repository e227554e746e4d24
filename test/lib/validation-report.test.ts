import { describe, expect, it } from 'vitest';
import { validationFailures } from '../../bin/validation-report.ts';

const clean = ['CloudFormation Validate', 'AwsSolutions', 'HIPAA.Security', 'NIST.800.53.R5'].map(
  (pluginName) => ({
    pluginName,
    conclusion: 'success',
    violations: [] as object[],
  }),
);

function report(pluginReports: readonly object[]): string {
  return JSON.stringify({ pluginReports });
}

describe('the report of a validated synth', () => {
  it('has no failure if every plugin ran and found nothing', () => {
    expect(validationFailures(report(clean))).toEqual([]);
  });

  it('names the rule and the construct of each violation', () => {
    const violation = {
      ruleName: 'AwsSolutions-IAM5',
      description: 'The IAM entity contains wildcard permissions.',
      violatingConstructs: [{ constructPath: 'sandbox/One' }, { constructPath: 'sandbox/Two' }],
    };
    const failing = clean.map((plugin) =>
      plugin.pluginName === 'AwsSolutions'
        ? { ...plugin, conclusion: 'failure', violations: [violation] }
        : plugin,
    );
    expect(validationFailures(report(failing))).toEqual([
      'AwsSolutions AwsSolutions-IAM5 at sandbox/One: The IAM entity contains wildcard permissions.',
      'AwsSolutions AwsSolutions-IAM5 at sandbox/Two: The IAM entity contains wildcard permissions.',
    ]);
  });

  it('fails for a plugin that did not run, and for one that failed without a violation', () => {
    expect(validationFailures(report(clean.slice(1)))).toEqual(['CloudFormation Validate did not run']);
    expect(
      validationFailures(report(clean.map((plugin) => ({ ...plugin, conclusion: 'failure' })))),
    ).toHaveLength(4);
  });
});
