/** Selects the applications of a team that are suspended with one of its accounts. */

import type { AccountDecision } from '../api/operations.ts';
import type { OperatorAccountView } from '../api/operator-views.ts';
import type { SuspensionEntry } from '../api/outbox.ts';
import { type PortalProblem, problem } from '../api/route-handler.ts';
import { selectSuspended } from '../api/suspended-applications.ts';
import { type Account, fullName } from './account.ts';
import type { AccountChange } from './account-store-port.ts';
import type { DeveloperServices } from './developer-services.ts';

/** The fields of an application that decisions about accounts need. */
export interface TeamApplication {
  readonly applicationId: string;
  readonly name: string;
}

/** Reads the applications of a team. Adapter: `lambdas/portal/compose-portal-applications.ts`. */
export interface TeamApplications {
  /** Lists the approved applications, which may call production and can be suspended. */
  approved(teamId: string): Promise<readonly TeamApplication[]>;
  /** IDs of the given applications, already suspended, whose client production refuses by now. */
  stopped(applicationIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export type TeamServices = Pick<DeveloperServices, 'accounts'> & {
  readonly teams: Pick<DeveloperServices['teams'], 'members'>;
  readonly applications: TeamApplications;
};

/** Lists the other active members of an account's team, who can do everything that the account can. */
async function activeOthers(
  { accounts, teams }: TeamServices,
  { accountId, teamId }: Account,
): Promise<readonly Account[]> {
  const members = (await teams.members(teamId)).filter((member) => member.accountId !== accountId);
  const found = await Promise.all(members.map(async (member) => await accounts.find(member.accountId)));
  return found.flatMap((other) => (other?.state === 'active' && other.teamId === teamId ? [other] : []));
}

/** The view of an account's team for the operator who decides about a suspension. */
export async function teamOf(
  services: TeamServices,
  account: Account,
): Promise<NonNullable<OperatorAccountView['team']>> {
  const [others, approved] = await readTeam(services, account);
  return { others: others.map(fullName), approved };
}

async function readTeam(services: TeamServices, account: Account) {
  return await Promise.all([activeOthers(services, account), services.applications.approved(account.teamId)]);
}

interface SelectedSuspensions extends Pick<AccountChange, 'suspensions' | 'remains'> {
  readonly kind: 'selected';
  readonly applications: readonly TeamApplication[];
}

/**
 * Selects the applications that a decision about an account suspends with it. If none is suspended because another member is active, that
 * member must still be active when the decision is written.
 */
export async function selectSuspensions(
  services: TeamServices,
  account: Account,
  decision: AccountDecision,
  by: { readonly id: string; readonly name: string },
): Promise<SelectedSuspensions | PortalProblem> {
  if (decision.act !== 'suspend' || decision.applications === undefined)
    return { kind: 'selected', applications: [] };
  const { applications: wanted, reason } = decision;
  const [others, approved] = await readTeam(services, account);
  const { applications, errors } = selectSuspended({ others: others.map(fullName), approved }, wanted);
  if (errors.length > 0) return problem('invalid_request', { errors });
  const suspensions = applications.map(
    ({ applicationId }): SuspensionEntry => ({
      kind: 'suspension',
      applicationId,
      by: { accountId: by.id, name: by.name },
      reason,
    }),
  );
  const [remains] = wanted === 'unattended' ? others : [];
  return { kind: 'selected', applications, suspensions, ...(remains === undefined ? {} : { remains }) };
}
