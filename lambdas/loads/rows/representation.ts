/** Parses rows about personal representatives. */

import {
  isRepresentativeRole,
  type RepresentativeRole,
  representativeRoleSystem,
} from '../../catalog/oauth/representative-roles.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import type { RejectCode } from '../ledger/rejects.ts';
import { type FhirJson, patientReferred } from './fhir-json.ts';

/** A personal representative of one member, by the plan's records. */
export interface Representation {
  /** The plan's identifier of the person; for a member, the member identifier. */
  readonly representativeId: string;
  readonly name: string;
  /** FHIR date. */
  readonly birthDate: string;
  readonly role: RepresentativeRole;
  /** First second of the period, in seconds since 1970. */
  readonly from?: number;
  /** Last second of the period, in seconds since 1970. */
  readonly until?: number;
}

/** A representation, its member and the RelatedPerson; or the row's fault. */
export type RepresentationReading =
  | {
      readonly kind: 'representation';
      readonly patientId: string;
      readonly representation: Representation;
      readonly person: FhirJson;
    }
  | { readonly kind: 'fault'; readonly code: RejectCode; readonly element: string };

const longest = { identifier: 256, name: 200 } as const;

/** Whether a value can be the plan's identifier of a person: any text of some length. */
export function isPersonIdentifier(value: unknown): value is string {
  return (
    typeof value === 'string' && value.trim() === value && value !== '' && value.length <= longest.identifier
  );
}

/**
 * Parses the RelatedPerson of a `representative` row. It is not stored in the member's record: a RelatedPerson there is a subscriber or a
 * relative, who can't sign in for the member.
 *
 * @see http://hl7.org/fhir/R4/relatedperson.html
 */
export function readRepresentation(resource: unknown): RepresentationReading {
  const element = (name: string) => jsonMember(resource, name);
  if (element('resourceType') !== 'RelatedPerson') return fault('unknown_change', 'parameter.resource');
  const patientId = patientReferred(element('patient'));
  if (patientId === undefined) return fault('no_patient', 'patient.reference');
  const identifiers = new Set(jsonEntries(element('identifier')).map((each) => jsonMember(each, 'value')));
  const [representativeId, ...others] = identifiers;
  if (!isPersonIdentifier(representativeId) || others.length > 0)
    return fault('no_representative_id', 'identifier');
  const role = jsonEntries(element('relationship'))
    .flatMap((concept) => jsonEntries(jsonMember(concept, 'coding')))
    .filter((coding) => jsonMember(coding, 'system') === representativeRoleSystem)
    .map((coding) => jsonMember(coding, 'code'))
    .find(isRepresentativeRole);
  if (role === undefined) return fault('unknown_relationship', 'relationship');
  const name = nameOfPerson(element('name'));
  if (name === '') return fault('missing_element', 'name');
  const birthDate = element('birthDate');
  if (typeof birthDate !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(birthDate))
    return fault('missing_element', 'birthDate');
  const [from, until] = [
    periodEdge(jsonMember(element('period'), 'start'), 'start'),
    periodEdge(jsonMember(element('period'), 'end'), 'end'),
  ];
  if (Number.isNaN(from) || Number.isNaN(until)) return fault('period_malformed', 'period');
  const representation = {
    representativeId,
    name,
    birthDate,
    role,
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
  };
  return { kind: 'representation', patientId, representation, person: resource as FhirJson };
}

/** The first of a person's names: given names and family name, for display. */
export function nameOfPerson(names: unknown): string {
  const all = jsonEntries(names).filter((each) => jsonMember(each, 'use') !== 'old');
  const name = all.find((each) => jsonMember(each, 'use') === 'usual') ?? all[0];
  const parts = [...jsonEntries(jsonMember(name, 'given')), jsonMember(name, 'family')];
  const joined = parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
  const text = jsonMember(name, 'text');
  return (joined !== '' || typeof text !== 'string' ? joined : text).trim().slice(0, longest.name);
}

/**
 * The start or end of a Period, in UTC; a date includes the whole day (R4, datatypes.html#Period).
 *
 * @returns seconds since 1970; undefined if the period is open; NaN if the value is not a date or instant.
 */
function periodEdge(value: unknown, edge: 'start' | 'end'): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return Number.NaN;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  if (!isDay && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)) return Number.NaN;
  const time = isDay ? `${value}${edge === 'start' ? 'T00:00:00Z' : 'T23:59:59Z'}` : value;
  return Math.floor(Date.parse(time) / 1000);
}

function fault(code: RejectCode, element: string): RepresentationReading {
  return { kind: 'fault', code, element };
}
