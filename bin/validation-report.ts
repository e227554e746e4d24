/** Reads the report of `cdk synth` with CloudFormation validation and cdk-nag (`npm run synth:validate`). */

import { readFileSync } from 'node:fs';

/** Parts of `cdk.out/validation-report.json` that decide whether a synth is valid. */
interface ValidationReport {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly conclusion: string;
    readonly violations: readonly {
      readonly ruleName: string;
      readonly description: string;
      readonly violatingConstructs: readonly { readonly constructPath?: string }[];
    }[];
  }[];
}

const plugins = ['CloudFormation Validate', 'AwsSolutions', 'HIPAA.Security'];

/**
 * Lists what makes a validation report a failure: violations, and plugins that did not run.
 *
 * `cdk synth` exits with 0 for violations of a plugin of `Validations.of`, and writes the report only.
 *
 * @param text content of `cdk.out/validation-report.json`.
 * @returns one line for each failure; empty if every plugin ran and found nothing.
 */
export function validationFailures(text: string): readonly string[] {
  const { pluginReports } = JSON.parse(text) as ValidationReport;
  const missing = plugins.filter((name) => !pluginReports.some(({ pluginName }) => pluginName === name));
  return [
    ...missing.map((name) => `${name} did not run`),
    ...pluginReports.flatMap(({ pluginName, conclusion, violations }) => {
      const lines = violations.flatMap(({ ruleName, description, violatingConstructs }) =>
        violatingConstructs.map(
          ({ constructPath = 'an unnamed construct' }) =>
            `${pluginName} ${ruleName} at ${constructPath}: ${description}`,
        ),
      );
      return lines.length === 0 && conclusion !== 'success' ? [`${pluginName}: ${conclusion}`] : lines;
    }),
  ];
}

if (import.meta.main) {
  const failures = validationFailures(readFileSync('cdk.out/validation-report.json', 'utf8'));
  for (const line of failures) console.error(line);
  if (failures.length > 0) process.exitCode = 1;
}
