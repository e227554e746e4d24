/**
 * Conditions of an act on an application that its state alone does not decide: evidence, pre-flight, kind of change. States are in
 * `portal/catalog/application-states.ts`.
 */

import type { ApplicationConfiguration } from '../api/applications.ts';
import type { Verdict } from '../api/operator-views.ts';
import { type PortalProblem, problem } from '../api/route-handler.ts';
import { verdictOf } from '../api/verdict.ts';
import { attestation as attestationText } from '../catalog/agreements.ts';
import type { Application, LoadedApplication } from './application.ts';
import type { CommandServices } from './application-ports.ts';
import type { RequestedAct } from './apply-act.ts';
import { configurationProblem } from './configuration-problem.ts';
import { differences } from './difference.ts';
import { untestedProducts } from './evidence.ts';
import { hasBlocker } from './preflight-checks.ts';
import { readEvidence } from './read-evidence.ts';
import { kindIssues } from './registration.ts';
import { runPreflight } from './run-preflight.ts';

/**
 * Checks the conditions of an act beyond the state tables: a promotion needs sandbox evidence, a submission a pre-flight without a
 * blocker, an edit the same kind of client, an attestation the current text.
 *
 * @returns the refusal, or that the act may proceed, with the results of its pre-flight if it has one.
 */
export async function checkPreconditions(
  portal: CommandServices,
  loaded: LoadedApplication,
  requested: RequestedAct,
): Promise<PortalProblem | MetPreconditions> {
  if (requested.act === 'submit' || requested.act === 'submit_change')
    return await passedPreflight(portal, loaded);
  return (await unmetPrecondition(portal, loaded, requested)) ?? { kind: 'met' };
}

/** An act may proceed. */
interface MetPreconditions {
  readonly kind: 'met';
  /** The results of the pre-flight of a submission. */
  readonly verdict?: Verdict;
}

async function unmetPrecondition(
  portal: CommandServices,
  loaded: LoadedApplication,
  requested: RequestedAct,
): Promise<PortalProblem | undefined> {
  switch (requested.act) {
    case 'edit_sandbox':
    case 'edit_production':
    case 'propose_change':
      return otherClientKind(loaded.application, requested);
    case 'promote':
      return await missingEvidence(portal, loaded);
    case 'attest': {
      const { version } = attestationText;
      return requested.textVersion === version ? undefined : problem('terms_outdated', { version });
    }
    default:
      return undefined;
  }
}

type RequestedEdit = Extract<
  RequestedAct,
  { readonly act: 'edit_sandbox' | 'edit_production' | 'propose_change' }
>;

/** The configuration that an edit replaces. */
function replacedConfiguration(
  { sandbox, production, approved, change }: Application,
  { act }: RequestedEdit,
): ApplicationConfiguration | undefined {
  if (act === 'edit_sandbox') return sandbox;
  return act === 'edit_production' ? production : (change ?? approved?.configuration);
}

/** Names of the fields that differ between an edit and the application as it is; none for any other act. */
export function changedFields(application: Application, requested: RequestedAct): readonly string[] {
  switch (requested.act) {
    case 'edit_sandbox':
    case 'edit_production':
    case 'propose_change': {
      const present = replacedConfiguration(application, requested);
      if (present === undefined) return [];
      return differences(present, requested.configuration).map(({ field }) => field);
    }
    default:
      return [];
  }
}

function otherClientKind(application: Application, requested: RequestedEdit): PortalProblem | undefined {
  const { configuration } = requested;
  const present = replacedConfiguration(application, requested);
  const issues = present === undefined ? [] : kindIssues(present, configuration);
  return issues.length === 0 ? undefined : configurationProblem(issues, configuration);
}

/** Compares with the sandbox's values, which were tested: production's may differ, and the pre-flight shows the difference. */
async function missingEvidence(
  portal: CommandServices,
  loaded: LoadedApplication,
): Promise<PortalProblem | undefined> {
  const { sandbox, applicationId } = loaded.application;
  const { evidence, away } = await readEvidence(portal, loaded, sandbox);
  if (untestedProducts(sandbox, evidence).length === 0) return undefined;
  if (away) return problem('environment_unavailable');
  const reloaded = (await portal.applications.load(applicationId)) ?? loaded;
  const checks = await runPreflight(portal, reloaded);
  return problem('preflight_failed', { checks: checks.filter(({ id }) => id.startsWith('evidence-')) });
}

async function passedPreflight(
  portal: CommandServices,
  loaded: LoadedApplication,
): Promise<PortalProblem | MetPreconditions> {
  const tooMany = await preflightLimit(portal, loaded.application.teamId);
  if (tooMany !== undefined) return tooMany;
  const checks = await runPreflight(portal, loaded);
  return hasBlocker(checks)
    ? problem('preflight_failed', { checks })
    : { kind: 'met', verdict: verdictOf(checks) };
}

/** Counts a pre-flight: each one calls addresses somebody typed, so a team may ask for a limited number of them. */
export async function preflightLimit(
  { preflights }: Pick<CommandServices, 'preflights'>,
  teamId: string,
): Promise<PortalProblem | undefined> {
  const verdict = await preflights.count(teamId);
  return verdict.kind === 'allowed'
    ? undefined
    : problem('too_many_requests', { retryAfter: verdict.retryAfterSeconds });
}
