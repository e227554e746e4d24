/** The CDK app that `cdk deploy` and the local system synthesize (`app` of cdk.json). */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../lib/config/common-fields.ts';
import { MissingBuildError } from '../lib/constructs/missing-build.ts';
import { contextOfCli, memberDataApp } from '../lib/member-data-app.ts';
import { buildPortal, configuredService } from '../portal-static/build/build.ts';

/**
 * The CDK app, run by the CDK CLI (cdk.json). Context values:
 *
 * - `configuration=local`, with `port=<number>`: addresses on one machine instead of the deployed ones.
 * - `validate=true`: checks every template by CloudFormation's own rules and by cdk-nag's AWS Solutions and HIPAA packs.
 */
const site = mkdtempSync(join(tmpdir(), 'member-data-portal-'));
try {
  // The portal's pages contain the hosts, so they are built for each configuration; the functions are the same in all.
  await buildPortal({ outdir: site, service: configuredService(contextOfCli()) });
  memberDataApp({ bundles: join(import.meta.dirname, '..', 'dist'), site }).synth();
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof MissingBuildError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(site, { recursive: true, force: true });
}
