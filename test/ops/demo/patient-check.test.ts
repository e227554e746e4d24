import { describe, expect, it } from 'vitest';
import { Unexpected } from '../../../ops/demo/expect.ts';
import { checkPatient } from '../../../ops/demo/patient-check.ts';
import { expectedMember } from '../../../ops/demo/scene.ts';
import { syntheticMembers } from '../../../ops/generator/members.ts';

const [whole, partial] = syntheticMembers('sandbox').map(expectedMember);
if (whole === undefined || partial === undefined) throw new Error('no members');

type Change = (patient: Record<string, never>) => void;

/** The paths of every object, array and value inside a value. */
function paths(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? value.map((it, at) => [at, it] as const) : Object.entries(value);
  return [path, ...entries.flatMap(([name, it]) => paths(it, [...path, name]))];
}

function without(json: string, path: readonly (string | number)[]): string {
  const root: unknown = JSON.parse(json);
  let holder = root as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) holder = holder[name] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return JSON.stringify(root);
}

describe('the demo, looking at a Patient', () => {
  it('accepts what was loaded, in both renditions', () => {
    checkPatient(whole.json, whole, 'described');
    checkPatient(whole.json, whole, 'fhir');
    checkPatient(partial.json, partial, 'described');
    checkPatient(partial.fhirJson ?? '', partial, 'fhir');
  });

  it('does not take one rendition for the other', () => {
    expect(() => checkPatient(partial.json, partial, 'fhir')).toThrow(Unexpected);
    expect(() => checkPatient(partial.fhirJson ?? '', partial, 'described')).toThrow(Unexpected);
  });

  it.each(paths(JSON.parse(whole.json)).slice(1))('misses no part of it: %s', (...path) => {
    expect(() => checkPatient(without(whole.json, path), whole, 'described')).toThrow(Unexpected);
  });

  it.each<[string, Change]>([
    ['a field the description does not have', (patient) => Object.assign(patient, { telecom: [] })],
    ['another member’s id', (patient) => Object.assign(patient, { id: partial.patientId })],
  ])('refuses %s', (_what, change) => {
    const patient = JSON.parse(whole.json);
    change(patient);
    expect(() => checkPatient(JSON.stringify(patient), whole, 'described')).toThrow(Unexpected);
  });

  it('says what it expected and what it received', () => {
    const changed = JSON.stringify({ ...JSON.parse(whole.json), gender: 'm' });
    expect(() => checkPatient(changed, whole, 'described')).toThrow(
      /gender: expected .*female.*, received "m"/,
    );
    expect(() => checkPatient('<html>', whole, 'described')).toThrow(/expected "a JSON object"/);
  });
});
