/** The members of a run: their exchanges, and the acts that the run carries out on many of them. */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import { type ExchangeAct, exchangeTransitions } from '../../catalog/payer/exchange-states.ts';
import { inGroupsOf } from '../../platform/kernel/in-groups-of.ts';
import { jsonEntries, jsonMember, jsonValue } from '../../platform/kernel/json-members.ts';
import { hasPermissionEnded, type MemberExchange } from '../exchange/member-exchange.ts';
import type { ExchangeChanges } from '../exchange/member-exchanges-port.ts';
import { type ExchangeRun, type RunMember, runMatchesKey, runMembersKey } from './exchange-run.ts';
import type { RunDependencies, RunFiles } from './run-ports.ts';

/** A member that the payer matched. */
export interface MemberThere extends RunMember {
  readonly groupId: string;
  /** ID of the Patient at the payer. */
  readonly there: string;
}

/** Exchanges that are changed at once. */
const changedAtOnce = 10;
/** Give up after this many lost write races; the run's next step tries again. */
const mostAttempts = 4;

export async function readJson(files: RunFiles, key: string): Promise<unknown> {
  const bytes = await files.read(key);
  return bytes === undefined ? undefined : jsonValue(new TextDecoder().decode(bytes));
}

/** The members of a run, in their order. */
export async function membersOf({ files }: RunDependencies, run: ExchangeRun): Promise<readonly RunMember[]> {
  return jsonEntries(await readJson(files, runMembersKey(run.runId))).map((each) => ({
    patientId: String(jsonMember(each, 'patientId')),
    exchangeId: String(jsonMember(each, 'exchangeId')),
  }));
}

/** The members that the payer matched, of all batches. */
export async function membersThere(
  { files }: RunDependencies,
  run: ExchangeRun,
): Promise<readonly MemberThere[]> {
  const found: MemberThere[] = [];
  for (const [batch] of run.batches.entries()) {
    for (const each of jsonEntries(await readJson(files, runMatchesKey(run.runId, batch)))) {
      found.push({
        patientId: String(jsonMember(each, 'patientId')),
        exchangeId: String(jsonMember(each, 'exchangeId')),
        groupId: String(jsonMember(each, 'groupId')),
        there: String(jsonMember(each, 'there')),
      });
    }
  }
  return found;
}

/** Whether the run may still work on an exchange: it is its own, and the permission holds. */
export function isOfRun(
  exchange: MemberExchange | undefined,
  run: ExchangeRun,
  now: number,
): exchange is MemberExchange {
  return exchange?.runId === run.runId && exchange.state !== 'revoked' && !hasPermissionEnded(exchange, now);
}

/** The matched members whose exchange is the run's and whose permission holds now. */
export async function permittedOf<Member extends RunMember>(
  { exchanges, now }: RunDependencies,
  run: ExchangeRun,
  members: readonly Member[],
): Promise<readonly Member[]> {
  const found = await exchanges.find(members);
  return members.filter((_, at) => isOfRun(found[at], run, now()));
}

/**
 * Carries out an act on the exchanges of members that are in a state from which it leads. Others, such as those of a repeated step and of
 * members who ended their permission, are left as they are.
 *
 * @throws Error if an exchange changes faster than it can be written
 */
export async function actOnMembers<Member extends RunMember>(
  { exchanges }: RunDependencies,
  members: readonly Member[],
  act: ExchangeAct,
  changesOf: (
    member: Member,
    exchange: MemberExchange,
  ) => { readonly changes?: ExchangeChanges; readonly audit?: AuditEvent },
): Promise<void> {
  await inGroupsOf(changedAtOnce, members, async (member) => {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const [exchange] = await exchanges.find([member]);
      const { from } = exchangeTransitions[act];
      if (exchange === undefined || !(from as readonly string[]).includes(exchange.state)) return;
      const { changes, audit } = changesOf(member, exchange);
      if ((await exchanges.act(exchange, act, changes, audit)) !== undefined) return;
    }
    throw new Error('an exchange changes faster than it can be written');
  });
}
