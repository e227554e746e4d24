/** Reads the form by which a member lets this plan ask another for the member's data. */

import type { MemberExchange } from '../../payer-exchange/exchange/exchange-contract.ts';
import { type Parameters, parameterOf } from '../oauth/parameters.ts';
import type { TypedPlan } from '../pages/other-plans-page.ts';
import type { PlanFormFault } from '../pages/words/strings.ts';

/** A member's choice about another plan. */
export interface ChosenPlan {
  readonly plan: MemberExchange['plan'];
  readonly isConcurrent: boolean;
  readonly policy: 'regular' | 'sensitive';
  /** End of the permission, ISO 8601. */
  readonly until: string | undefined;
}

export type PlanFormReading =
  | { readonly kind: 'chosen'; readonly chosen: ChosenPlan }
  | { readonly kind: 'faults'; readonly faults: readonly PlanFormFault[] };

const longestName = 100;
/** Numbers of cards are of letters and digits, in groups. */
const cardNumber = /^[A-Za-z0-9][A-Za-z0-9 -]{0,39}$/;

/** The fields as they were typed, for the form that shows its faults. */
export function typedPlan(form: Parameters): TypedPlan {
  const text = (name: string) => (parameterOf(form, name) ?? '').slice(0, 256).trim();
  const [covers, scope] = [text('covers'), text('scope')];
  return {
    name: text('plan_name').replace(/\s+/g, ' '),
    memberNumber: text('member_number'),
    groupNumber: text('group_number'),
    covers: covers === 'yes' || covers === 'no' ? covers : undefined,
    scope: scope === 'regular' || scope === 'sensitive' ? scope : undefined,
    until: text('until'),
  };
}

/** The fields of a stored exchange, with which its form begins. */
export function storedPlan({ plan, isConcurrent, permission }: MemberExchange): TypedPlan {
  return {
    name: plan.name,
    memberNumber: plan.memberNumber ?? '',
    groupNumber: plan.groupNumber ?? '',
    covers: isConcurrent ? 'yes' : 'no',
    scope: permission?.policy,
    until: permission?.until?.slice(0, 10) ?? '',
  };
}

/**
 * Reads the choice of a form, or its faults in the order of the fields.
 *
 * @param stored the exchange, if its card can't be changed now: the form has no fields for it then
 * @param now milliseconds since 1970
 */
export function readPlanForm(
  typed: TypedPlan,
  stored: Pick<MemberExchange, 'plan'> | undefined,
  now: number,
): PlanFormReading {
  const { covers, scope } = typed;
  const until = endOfDay(typed.until);
  const faults: PlanFormFault[] = [
    ...(stored === undefined ? cardFaults(typed) : []),
    ...(covers === undefined ? (['covers_missing'] as const) : []),
    ...(scope === undefined ? (['scope_missing'] as const) : []),
    ...(typed.until !== '' && (until === undefined || Date.parse(until) <= now)
      ? (['until_past'] as const)
      : []),
  ];
  if (faults.length > 0 || covers === undefined || scope === undefined) return { kind: 'faults', faults };
  const plan = stored?.plan ?? {
    name: typed.name,
    ...(typed.memberNumber !== '' && { memberNumber: typed.memberNumber }),
    ...(typed.groupNumber !== '' && { groupNumber: typed.groupNumber }),
  };
  return { kind: 'chosen', chosen: { plan, isConcurrent: covers === 'yes', policy: scope, until } };
}

function cardFaults({ name, memberNumber, groupNumber }: TypedPlan): readonly PlanFormFault[] {
  const isMalformed = [memberNumber, groupNumber].some((text) => text !== '' && !cardNumber.test(text));
  return [
    ...(name === '' ? (['plan_missing'] as const) : []),
    ...(name.length > longestName ? (['plan_long'] as const) : []),
    ...(isMalformed ? (['number_malformed'] as const) : []),
  ];
}

/** The last millisecond of a day, which is the same day in the time zone of the pages; undefined for another text. */
function endOfDay(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = `${text}T23:59:59.999Z`;
  return Number.isNaN(Date.parse(time)) || new Date(time).toISOString() !== time ? undefined : time;
}
