import { join } from 'node:path';
import { ConfigurationError } from '../lib/config/fields.ts';
import { memberDataApp } from '../lib/member-data-app.ts';

/**
 * The CDK app; run by the CDK CLI (cdk.json). Context:
 * - `configuration=local`, with `port=<number>`: addresses of one machine instead of the deployed ones.
 * - `validate=true`: CloudFormation's own rules and cdk-nag's AWS Solutions and HIPAA packs over every template.
 */
try {
  memberDataApp({ bundles: join(import.meta.dirname, '..', 'dist') }).synth();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
