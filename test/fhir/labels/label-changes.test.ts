import { describe, expect, it } from 'vitest';
import { isGrowing, labelChanges } from '../../../lambdas/fhir/labels/label-changes.ts';
import { aboutNames } from '../../../lambdas/fhir/labels/resource-label.ts';
import type { Label } from '../../../lambdas/fhir/values/label.ts';

const none: Label = { categories: [] };
const use: Label = { categories: ['substance-use'] };
const mood: Label = { categories: ['mental-health'] };
const put = (name: string, label: Label, ...about: readonly string[]) => ({ name, label, about });
const changes = (
  stored: Readonly<Record<string, Label>>,
  puts: readonly ReturnType<typeof put>[],
  about: Readonly<Record<string, readonly string[]>> = {},
) => Object.fromEntries(labelChanges(new Map(Object.entries(stored)), puts, new Map(Object.entries(about))));

describe('the labels of what is loaded', () => {
  it('are of what a resource is about too, at any distance and in any order', () => {
    expect(
      changes({}, [
        put('MedicationDispense/d', none, 'MedicationRequest/r'),
        put('MedicationRequest/r', none, 'Condition/c'),
        put('Condition/c', use),
        put('Condition/other', none),
      ]),
    ).toEqual({ 'Condition/c': use, 'MedicationRequest/r': use, 'MedicationDispense/d': use });
    expect(changes({ 'Condition/c': use }, [put('MedicationRequest/r', none, 'Condition/c')])).toEqual({
      'MedicationRequest/r': use,
    });
  });

  it('grow with what they are about, and stay until they are loaded themselves', () => {
    const about = { 'MedicationRequest/r': ['Condition/c'], 'MedicationDispense/d': ['MedicationRequest/r'] };
    expect(changes({}, [put('Condition/c', use)], about)).toEqual({
      'Condition/c': use,
      'MedicationRequest/r': use,
      'MedicationDispense/d': use,
    });
    const stored = { 'Condition/c': use, 'MedicationRequest/r': use };
    expect(changes(stored, [put('Condition/c', none)])).toEqual({ 'Condition/c': undefined });
    expect(
      changes({ 'MedicationRequest/r': use }, [put('MedicationRequest/r', none, 'Condition/c')]),
    ).toEqual({ 'MedicationRequest/r': undefined });
    expect(changes(stored, [put('Condition/c', use)])).toEqual({});
  });

  it('are of Provenance where all its targets are of a category', () => {
    const target = (...names: readonly string[]) => [put('Provenance/p', none, ...names)];
    const stored = { 'Condition/c': use, 'Condition/d': mood, 'Condition/e': use };
    expect(changes(stored, target('Condition/c', 'Condition/e'))).toEqual({ 'Provenance/p': use });
    expect(changes(stored, target('Condition/c', 'Condition/x'))).toEqual({});
    expect(changes(stored, target('Condition/c', 'Condition/d'))).toEqual({});
  });

  it('grow where a category is new', () => {
    const stored = new Map([['Condition/c', use]]);
    expect(isGrowing(stored, new Map([['Condition/c', none]]))).toBe(false);
    expect(isGrowing(stored, new Map([['Condition/c', undefined]]))).toBe(false);
    expect(isGrowing(stored, new Map([['Condition/c', mood]]))).toBe(true);
  });
});

describe('what a resource is about', () => {
  const condition = { reference: 'https://host.example/fhir/Condition/c', display: 'x' };
  it.each([
    [{ resourceType: 'MedicationRequest', reasonReference: [condition] }, ['Condition/c']],
    [{ resourceType: 'CarePlan', addresses: [condition], goal: [{ reference: 'Goal/g' }] }, ['Condition/c']],
    [{ resourceType: 'Encounter', diagnosis: [{ condition }, { condition }] }, ['Condition/c']],
    [
      { resourceType: 'DocumentReference', context: { encounter: [{ reference: 'Encounter/e' }] } },
      ['Encounter/e'],
    ],
    [{ resourceType: 'DiagnosticReport', result: [{ reference: 'Observation/o' }] }, ['Observation/o']],
    [
      { resourceType: 'MedicationDispense', authorizingPrescription: [{ reference: 'MedicationRequest/m' }] },
      ['MedicationRequest/m'],
    ],
    [
      { resourceType: 'Provenance', target: [{ reference: 'Goal/g' }, { reference: 'Patient/p' }] },
      ['Goal/g'],
    ],
    [
      { resourceType: 'Condition', evidence: [{ detail: [condition] }], subject: { reference: 'Patient/p' } },
      [],
    ],
    [{ resourceType: 'MedicationRequest', reasonReference: [{ reference: '#inside' }] }, []],
  ])('%j', (resource, names) => {
    expect(aboutNames(resource)).toEqual(names);
  });
});
