/** Handles what a member does about other health plans: lets this plan ask one, changes that, stops it. */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { exchangeTransitions } from '../../catalog/payer/exchange-states.ts';
import type {
  ExchangeChanges,
  ExchangePermission,
  MemberExchange,
  MemberExchanges,
} from '../../payer-exchange/exchange/exchange-contract.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { AuditContext } from '../oauth/audit-decision.ts';
import { aboutPatient } from '../oauth/audit-decision.ts';
import type { SignedInMember } from '../oauth/member-account.ts';
import { canCorrect, isClosed } from '../pages/other-plans-page.ts';
import type { PlanFormFault } from '../pages/words/strings.ts';
import type { ChosenPlan } from './plan-form.ts';

export interface OtherPlansServices {
  readonly exchangesOf: (
    lob: LineOfBusiness,
  ) => Pick<MemberExchanges, 'ofPatient' | 'begin' | 'act' | 'change'>;
  readonly now: Clock;
  readonly random: Random;
}

/** The member or representative who acts, the patient, and the request. */
export interface PlanAct {
  readonly lob: LineOfBusiness;
  readonly member: SignedInMember;
  readonly context: AuditContext;
}

export type PlanOutcome =
  | { readonly kind: 'done'; readonly exchange: Pick<MemberExchange, 'exchangeId'> }
  | { readonly kind: 'fault'; readonly fault: PlanFormFault };

/** Most plans of one member, so that nobody fills the table from a form. */
export const mostPlans = 20;

/**
 * Stores a member's choice. The same form sent twice changes nothing the second time; a form of an older version than the stored one is
 * refused as `changed`.
 *
 * @param exchangeId of the form: that of a stored exchange, or a new UUID
 * @param version that the form was made of; 0 for a new exchange
 * @throws StoreUnavailable
 */
export async function choosePlan(
  services: OtherPlansServices,
  act: PlanAct,
  { exchangeId, version, chosen }: { exchangeId: string; version: number; chosen: ChosenPlan },
): Promise<PlanOutcome> {
  const exchanges = services.exchangesOf(act.lob);
  const all = await exchanges.ofPatient(act.member.patientId);
  const stored = all.find((each) => each.exchangeId === exchangeId);
  if (stored !== undefined && !isClosed(stored) && isChosen(stored, chosen)) return done(stored);
  if ((stored?.version ?? 0) !== version) return { kind: 'fault', fault: 'changed' };
  const others = all.filter((each) => each !== stored && !isClosed(each));
  if (others.some((each) => isSamePlan(each, chosen))) return { kind: 'fault', fault: 'already' };
  if (stored === undefined && all.length >= mostPlans) return { kind: 'fault', fault: 'too_many' };
  const permission = permissionOf(act.member, chosen, services.now());
  const audit = decided(services, act, 'payer-exchange.permit', exchangeId);
  const { plan, isConcurrent } = chosen;
  const decidedAt = permission.givenAt;
  if (stored === undefined) {
    const { lob, member } = act;
    const begun = {
      lob,
      patientId: member.patientId,
      exchangeId,
      state: 'opted-in',
      plan,
      isConcurrent,
    } as const;
    await exchanges.begin({ ...begun, permission, decidedAt }, audit);
    return done({ exchangeId });
  }
  const after = await change(exchanges, stored, { plan, isConcurrent, permission, decidedAt }, audit);
  return after === undefined ? { kind: 'fault', fault: 'changed' } : done(after);
}

/** Chooses the act: a card that changes has the payer looked for again; a plan that now covers the member is asked again. */
async function change(
  exchanges: Pick<MemberExchanges, 'act' | 'change'>,
  stored: MemberExchange,
  changes: Pick<MemberExchange, 'plan' | 'isConcurrent' | 'permission' | 'decidedAt'>,
  audit: AuditEvent,
): Promise<MemberExchange | undefined> {
  const lookedFor: ExchangeChanges = { ...changes, payerId: undefined, match: undefined };
  if (isClosed(stored)) return await exchanges.act(stored, 'opt-in', lookedFor, audit);
  if (canCorrect(stored) && !isSameCard(stored.plan, changes.plan))
    return await exchanges.act(stored, 'correct', lookedFor, audit);
  const isAskedAgain = (exchangeTransitions['ask-again'].from as readonly string[]).includes(stored.state);
  if (stored.state === 'merged' && isAskedAgain && changes.isConcurrent && !stored.isConcurrent)
    return await exchanges.act(stored, 'ask-again', changes, audit);
  const times =
    stored.state === 'merged' && !changes.isConcurrent ? { nextAt: undefined, dueAt: undefined } : {};
  return await exchanges.change(stored, { ...changes, ...times }, audit);
}

/**
 * Ends the permission. It wins over whatever a run or another tab does at the same time.
 *
 * @returns the ended exchange; undefined if the patient has none with this ID
 * @throws StoreUnavailable; Error if the exchange changes each time
 */
export async function stopPlan(
  services: OtherPlansServices,
  act: PlanAct,
  exchangeId: string,
): Promise<Pick<MemberExchange, 'exchangeId'> | undefined> {
  const exchanges = services.exchangesOf(act.lob);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const all = await exchanges.ofPatient(act.member.patientId);
    const stored = all.find((each) => each.exchangeId === exchangeId);
    if (stored === undefined || stored.state === 'revoked') return stored;
    const audit = decided(services, act, 'payer-exchange.end', exchangeId);
    const nothingLeft = { permission: undefined, decidedAt: audit.time };
    const ended = await exchanges.act(stored, 'revoke', nothingLeft, audit);
    if (ended !== undefined) return ended;
  }
  throw new Error(`exchange ${exchangeId} changed at each of ${mostTries} tries to end it`);
}

const mostTries = 10;

function permissionOf(
  { sub, representative }: SignedInMember,
  { policy, until }: ChosenPlan,
  now: number,
): ExchangePermission {
  const by =
    representative === undefined
      ? ({ kind: 'member', id: sub } as const)
      : ({ kind: 'representative', id: representative.representativeId } as const);
  return { givenAt: new Date(now).toISOString(), by, policy, ...(until !== undefined && { until }) };
}

function decided(
  { now, random }: Pick<OtherPlansServices, 'now' | 'random'>,
  { lob, member, context }: PlanAct,
  action: 'payer-exchange.permit' | 'payer-exchange.end',
  exchangeId: string,
): AuditEvent {
  return {
    ...context,
    lob,
    ...aboutPatient(member),
    action,
    outcome: 'succeeded',
    actor: member.sub,
    exchangeId,
    eventId: random.uuid(),
    time: new Date(now()).toISOString(),
  };
}

function isChosen(stored: MemberExchange, { plan, isConcurrent, policy, until }: ChosenPlan): boolean {
  return (
    isSameCard(stored.plan, plan) &&
    stored.isConcurrent === isConcurrent &&
    stored.permission?.policy === policy &&
    stored.permission.until === until
  );
}

function isSameCard(one: MemberExchange['plan'], other: MemberExchange['plan']): boolean {
  return (
    one.name === other.name &&
    one.memberNumber === other.memberNumber &&
    one.groupNumber === other.groupNumber
  );
}

function isSamePlan({ plan }: MemberExchange, chosen: ChosenPlan): boolean {
  return plan.name.toLowerCase() === chosen.plan.name.toLowerCase();
}

function done({ exchangeId }: Pick<MemberExchange, 'exchangeId'>): PlanOutcome {
  return { kind: 'done', exchange: { exchangeId } };
}
