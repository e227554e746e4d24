/** Parses rows about what other payers are asked for a member: an offer, the member's permission, its end. */

import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import type { RejectCode } from '../ledger/rejects.ts';
import { patientReferred } from './fhir-json.ts';

/** The other plan, by the member's Coverage there. */
export interface OtherPlan {
  readonly name: string;
  readonly memberNumber?: string;
  readonly groupNumber?: string;
}

/** Offers a member that this plan asks another payer, or records that the member permits it. */
export interface ExchangeChange {
  readonly patientId: string;
  readonly plan: OtherPlan;
  readonly isConcurrent: boolean;
  /** Start of the member's coverage here, `YYYY-MM-DD`. */
  readonly coverageStart?: string;
  /** Absent in an offer. Times are ISO 8601. */
  readonly permission?: {
    readonly givenAt: string;
    readonly policy: 'regular' | 'sensitive';
    readonly until: string;
  };
}

/** Ends a member's permission to ask another payer. */
export interface ExchangeEnd {
  readonly patientId: string;
  readonly plan: Pick<OtherPlan, 'name'>;
}

export type ExchangeChangeReading =
  | { readonly kind: 'exchange'; readonly change: ExchangeChange }
  | {
      readonly kind: 'fault';
      readonly code: Extract<
        RejectCode,
        | 'no_other_payer'
        | 'permission_unusable'
        | 'coverage_start_malformed'
        | 'no_patient'
        | 'foreign_reference'
      >;
      readonly element: string;
    };

const policyPage = 'http://hl7.org/fhir/us/davinci-hrex/StructureDefinition-hrex-consent.html#';

/**
 * Parses an offer or a permission.
 *
 * @param coverage the member's Coverage at the other payer: `payor`, `subscriberId`, `class`, and `status`, which is `active` while it
 *   still covers the member
 * @param consent the Consent of HRex; undefined in an offer
 * @param start `valueDate` of the start of coverage here; undefined if it wasn't sent
 */
export function readExchangeChange(
  coverage: unknown,
  consent: unknown,
  start: unknown,
): ExchangeChangeReading {
  const plan = otherPlanOf(coverage);
  if (plan === undefined) return fault('no_other_payer', 'other-payer.resource.payor');
  const beneficiary = patientReferred(jsonMember(coverage, 'beneficiary'));
  if (beneficiary === undefined) return fault('no_patient', 'other-payer.resource.beneficiary');
  if (start !== undefined && !(typeof start === 'string' && /^\d{4}-\d\d-\d\d$/.test(start)))
    return fault('coverage_start_malformed', 'coverage-start');
  const change = {
    patientId: beneficiary,
    plan,
    isConcurrent: jsonMember(coverage, 'status') === 'active',
    ...(start !== undefined && { coverageStart: start }),
  };
  if (consent === undefined) return { kind: 'exchange', change };
  if (patientReferred(jsonMember(consent, 'patient')) !== beneficiary)
    return fault('foreign_reference', 'other-payer-permission.resource.patient');
  const permission = permissionOf(consent);
  if (permission === undefined) return fault('permission_unusable', 'other-payer-permission.resource');
  return { kind: 'exchange', change: { ...change, permission } };
}

/** The plan that a Coverage is of; undefined if it names none. */
export function otherPlanOf(coverage: unknown): OtherPlan | undefined {
  const [payor] = jsonEntries(jsonMember(coverage, 'payor'));
  const name = text(jsonMember(payor, 'display'), longest.name);
  if (jsonMember(coverage, 'resourceType') !== 'Coverage' || name === undefined) return undefined;
  const byIdentifier = jsonEntries(jsonMember(coverage, 'identifier')).map((each) =>
    jsonMember(each, 'value'),
  );
  const number = [jsonMember(coverage, 'subscriberId'), ...byIdentifier]
    .map((each) => text(each, longest.number))
    .find((each) => each !== undefined);
  const groups = jsonEntries(jsonMember(coverage, 'class')).filter((each) =>
    jsonEntries(jsonMember(jsonMember(each, 'type'), 'coding')).some(
      (coding) => jsonMember(coding, 'code') === 'group',
    ),
  );
  const group = text(jsonMember(groups[0], 'value'), longest.number);
  return {
    name,
    ...(number !== undefined && { memberNumber: number }),
    ...(group !== undefined && { groupNumber: group }),
  };
}

const longest = { name: 100, number: 40 } as const;

function permissionOf(consent: unknown): ExchangeChange['permission'] {
  const provision = jsonMember(consent, 'provision');
  const period = jsonMember(provision, 'period');
  const uris = jsonEntries(jsonMember(consent, 'policy')).map((policy) => jsonMember(policy, 'uri'));
  const policy = (['regular', 'sensitive'] as const).find(
    (each) => uris.length === 1 && uris[0] === `${policyPage}${each}`,
  );
  const [givenAt, until] = [
    instantOf(jsonMember(consent, 'dateTime')),
    lastInstantOf(jsonMember(period, 'end')),
  ];
  const isPermit =
    jsonMember(consent, 'resourceType') === 'Consent' &&
    jsonMember(consent, 'status') === 'active' &&
    jsonMember(provision, 'type') === 'permit';
  if (!isPermit || policy === undefined || givenAt === undefined || until === undefined) return undefined;
  return { givenAt, policy, until };
}

/** The first moment of a date or an instant. */
function instantOf(value: unknown): string | undefined {
  const time = typeof value === 'string' && value.length >= 10 ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** The last moment: a date includes the whole day (R4, datatypes.html#Period). */
function lastInstantOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length === 10
    ? instantOf(`${value}T23:59:59.999Z`)
    : instantOf(value);
}

/** A value that has a text of some length, without spaces around it. */
function text(value: unknown, most: number): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim() : '';
  return trimmed === '' || trimmed.length > most ? undefined : trimmed;
}

function fault(
  code: Extract<ExchangeChangeReading, { kind: 'fault' }>['code'],
  element: string,
): ExchangeChangeReading {
  return { kind: 'fault', code, element: `parameter.${element}` };
}
