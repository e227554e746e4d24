/** Runs the pre-flight checks on the configuration that a submission would have. */

import type { ApplicationConfiguration } from '../api/applications.ts';
import type { PreflightCheck } from '../api/views.ts';
import type { PortalActor } from '../catalog/account-states.ts';
import { awaitedConfiguration, type LoadedApplication } from './application.ts';
import type { PreflightServices } from './application-ports.ts';
import { checkNames } from './name-check.ts';
import { addressesToCheck, preflight, type Reachability } from './preflight-checks.ts';
import { readEvidence } from './read-evidence.ts';
import { checkedConfiguration, termsOf } from './registration.ts';

/** Runs every check of a submission, on the network too where that is allowed. */
export async function runPreflight(
  portal: PreflightServices,
  loaded: LoadedApplication,
  viewer: PortalActor = 'developer',
): Promise<readonly PreflightCheck[]> {
  const configuration = awaitedConfiguration(loaded.application);
  const checked = checkedConfiguration(configuration, 'production', termsOf(portal, 'production'));
  const [{ evidence, away }, reachability, names] = await Promise.all([
    readEvidence(portal, loaded, configuration),
    reach(portal, configuration),
    checkNames(portal, loaded.application, configuration, viewer),
  ]);
  const checks = preflight({
    configuration,
    application: loaded.application,
    evidence,
    sandboxAway: away,
    issues: checked.kind === 'issues' ? checked.issues : [],
    reachability,
  });
  return [...checks, ...names];
}

async function reach(
  { network }: PreflightServices,
  configuration: ApplicationConfiguration,
): Promise<ReadonlyMap<string, Reachability>> {
  const found = await Promise.all(
    addressesToCheck(configuration).map(async (uri) => [uri, await network.reach(uri)] as const),
  );
  return new Map(found);
}
