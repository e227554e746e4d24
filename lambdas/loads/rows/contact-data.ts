/** Extracts a member's contact and matching data from the Patient of a drop. */

import type { ContactData } from '../../platform/kernel/contact-data.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import type { FhirJson } from './fhir-json.ts';

/** Most e-mail addresses, and most phone numbers, that are kept of a member. */
const mostValues = 3;
const longest = { email: 254, phone: 40, postalCode: 20, name: 200 } as const;

/** Uses of phone numbers, those first that most likely receive text messages. */
const phoneUses: readonly unknown[] = ['mobile', undefined, 'home', 'work', 'temp'];
const unranked = 1_000;

/**
 * Extracts a member's contact and matching data from the Patient. Contacts and names that are old or have ended are left out.
 *
 * @param nowMs milliseconds since 1970.
 * @see http://hl7.org/fhir/R4/datatypes.html#ContactPoint
 */
export function contactDataOf(patient: FhirJson, nowMs: number): ContactData {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const points = current(patient.telecom, today);
  const emails = valuesOf(points, ['email'], rankOf).filter(
    (value) => value.length <= longest.email && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value),
  );
  const phones = valuesOf(points, ['phone', 'sms'], phoneOrder).filter(
    (value) => value.length <= longest.phone,
  );
  const postalCodes = current(patient.address, today)
    .map((address) => textOf(address, 'postalCode'))
    .filter((code) => code !== '' && code.length <= longest.postalCode);
  const { birthDate } = patient;
  return {
    name: nameOfPatient(current(patient.name, today)),
    ...(typeof birthDate === 'string' && { birthDate: birthDate.slice(0, 10) }),
    postalCodes: firstOf(postalCodes),
    emails: firstOf(emails),
    phones: firstOf(phones),
  };
}

function current(list: unknown, today: string): readonly unknown[] {
  return jsonEntries(list).filter((entry) => {
    const end = jsonMember(jsonMember(entry, 'period'), 'end');
    const isOver = typeof end === 'string' && end.slice(0, 10) < today;
    return jsonMember(entry, 'use') !== 'old' && !isOver;
  });
}

function valuesOf(
  points: readonly unknown[],
  systems: readonly unknown[],
  order: (point: unknown) => number,
): readonly string[] {
  return points
    .filter((point) => systems.includes(jsonMember(point, 'system')))
    .sort((a, b) => order(a) - order(b))
    .map((point) => textOf(point, 'value'))
    .filter((value) => value !== '');
}

/** `rank`: 1 is the most preferred. */
function rankOf(point: unknown): number {
  const rank = jsonMember(point, 'rank');
  return typeof rank === 'number' && rank > 0 ? Math.min(rank, unranked) : unranked;
}

function phoneOrder(point: unknown): number {
  const isText = jsonMember(point, 'system') === 'sms';
  const use = isText ? 0 : phoneUses.indexOf(jsonMember(point, 'use'));
  return (use === -1 ? phoneUses.length : use) * 2 * unranked + rankOf(point);
}

function nameOfPatient(names: readonly unknown[]): string {
  const name = names.find((one) => jsonMember(one, 'use') === 'usual') ?? names[0];
  const given = jsonEntries(jsonMember(name, 'given')).filter((part) => typeof part === 'string');
  const parts = [...given, textOf(name, 'family')].filter((part) => part !== '');
  return (parts.length > 0 ? parts.join(' ') : textOf(name, 'text')).slice(0, longest.name);
}

function textOf(value: unknown, name: string): string {
  const text = jsonMember(value, name);
  return typeof text === 'string' ? text.trim() : '';
}

function firstOf(values: readonly string[]): readonly string[] {
  return [...new Set(values)].slice(0, mostValues);
}
