/** Warns of application names that resemble protected or registered ones. */

import type { ApplicationConfiguration } from '../api/applications.ts';
import type { ApplicationSummary, PreflightCheck } from '../api/views.ts';
import type { PortalActor } from '../catalog/account-states.ts';
import type { ApplicationState } from '../catalog/application-states.ts';
import type { Application } from './application.ts';
import type { Portal } from './application-ports.ts';
import { isSimilar, namesProtected } from './similar-names.ts';

/** States in which members or operators may have seen an application's name. */
const knownStates: readonly ApplicationState[] = [
  'promoted_to_production',
  'awaiting_operator_approval',
  'changes_requested',
  'rejected',
  'approved',
  'suspended',
  'revoked',
];

/** A name to check, with its field. */
interface Named {
  readonly field: 'applicationName' | 'displayName';
  readonly name: string;
}

const title = 'The name is not misleading';

/**
 * Compares the names that members will see with protected names (`protectedNames` of the configuration) and with the names of other
 * applications. Only warns: the operator decides whether a name misleads.
 *
 * @param viewer an operator sees which applications have a similar name, a developer only that there is one.
 */
export async function checkNames(
  portal: Pick<Portal, 'applications' | 'protectedNames'>,
  application: Application,
  configuration: ApplicationConfiguration,
  viewer: PortalActor,
): Promise<readonly PreflightCheck[]> {
  const lists = await Promise.all(knownStates.map((state) => portal.applications.inState(state)));
  const others = lists.flat().filter(({ applicationId }) => applicationId !== application.applicationId);
  const warnings = namesOf(configuration).flatMap((named) => [
    ...protectedWarning(named, portal.protectedNames),
    ...similarWarning(named, others, viewer),
  ]);
  if (warnings.length > 0) return warnings;
  const detail = 'It is not similar to a protected name or another application’s name.';
  return [{ id: 'name', title, result: 'pass', detail, field: 'applicationName' }];
}

function namesOf({ applicationName, displayName }: ApplicationConfiguration): readonly Named[] {
  const own: Named = { field: 'applicationName', name: applicationName };
  return displayName === undefined || displayName === applicationName
    ? [own]
    : [own, { field: 'displayName', name: displayName }];
}

function protectedWarning({ field, name }: Named, names: readonly string[]): readonly PreflightCheck[] {
  const found = names.filter((each) => namesProtected(name, each));
  if (found.length === 0) return [];
  const detail = `It looks like ${found.join(', ')}. Members must not mistake an application for a health plan, an agency or a government program.`;
  return [{ id: `name-protected-${field}`, title, result: 'warn', detail, field }];
}

function similarWarning(
  { field, name }: Named,
  others: readonly ApplicationSummary[],
  viewer: PortalActor,
): readonly PreflightCheck[] {
  const found = others.filter((other) => isSimilar(name, other.name));
  if (found.length === 0) return [];
  const named = found.slice(0, 5).map((other) => `${other.name} (${other.state.replaceAll('_', ' ')})`);
  const detail =
    viewer === 'operator'
      ? `Similar: ${named.join(', ')}${found.length > named.length ? ` and ${found.length - named.length} more` : ''}.`
      : 'Another application has this name or a similar one. Members could confuse the two.';
  return [{ id: `name-similar-${field}`, title, result: 'warn', detail, field }];
}
