/** Reads the validation report of `npm run synth:validate` (`cdk synth` with CloudFormation validation and cdk-nag). */

import { readFileSync } from 'node:fs';

/** The parts of `cdk.out/validation-report.json` that decide whether synthesis succeeded. */
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

const plugins = ['CloudFormation Validate', 'AwsSolutions', 'HIPAA.Security', 'NIST.800.53.R5'];

/**
 * Lists the failures in a validation report: violations, and plugins that did not run.
 *
 * `cdk synth` exits with 0 despite violations of a plugin of `Validations.of`, and only writes the report.
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
