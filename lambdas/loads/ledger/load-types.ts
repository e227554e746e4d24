/** Table of the resource types that a drop may hold. */

import {
  type PatientAccessType,
  patientAccessTypes,
  servedResource,
} from '../../catalog/fhir/fhir-resources.ts';

/** Rules for loading rows of a type. */
export interface LoadType {
  /**
   * The element that names the member: its `reference`, or one of its list, is `Patient/<id>`. Absent for what several members share
   * (organizations, practitioners): it is kept once for the LOB, and each member who refers to it gets a copy.
   */
  readonly patientElement?: string;
  /** Wave its files are loaded in: one begins when the one before has ended, so that references lead to what is stored. */
  readonly wave: number;
}

/** The wave of each type a drop may hold. A wave comes after those it mostly refers to. */
const waves: Readonly<Record<PatientAccessType, number>> = {
  Organization: 0,
  Practitioner: 0,
  Medication: 0,
  Location: 1,
  Patient: 1,
  PractitionerRole: 2,
  Coverage: 2,
  RelatedPerson: 2,
  Device: 2,
  Encounter: 2,
  Specimen: 2,
  Binary: 2,
  QuestionnaireResponse: 2,
  Condition: 3,
  AllergyIntolerance: 10,
  CareTeam: 10,
  DocumentReference: 10,
  Immunization: 10,
  MedicationRequest: 10,
  Observation: 10,
  Procedure: 10,
  ServiceRequest: 10,
  ExplanationOfBenefit: 11,
  DiagnosticReport: 11,
  Goal: 11,
  MedicationDispense: 11,
  CarePlan: 12,
  Provenance: 13,
};

/**
 * Waves in which ranges of a type are looked at again before what refers to them is loaded. A visit is for a condition that an earlier visit
 * found: of a population every third visit waits for its condition, and most of the record would wait for the visit.
 */
const earlyLooks: Readonly<Record<string, readonly number[]>> = {
  Encounter: [4, 6, 8],
  Condition: [5, 7, 9],
};

/** The next wave in which a range of a type with unresolved references is looked at early, if there is one. */
export function earlyLookAfter(type: string, wave: number): number | undefined {
  return earlyLooks[type]?.find((each) => each > wave);
}

/**
 * Whether an early look may resolve something: the drop has every type it is for, and the last one resolved a reference.
 *
 * @param looked the types of the drop, with the number of references that the last look at them resolved.
 */
export function hasEarlyLooks(looked: ReadonlyMap<string, number>, wave: number): boolean {
  const types = Object.keys(earlyLooks);
  const first = Math.min(...Object.values(earlyLooks).flat());
  const resolved = types.reduce((sum, type) => sum + (looked.get(type) ?? 0), 0);
  return types.every((type) => looked.has(type)) && (wave < first || resolved > 0);
}

/** The types a drop may hold. */
export const loadTypes: Readonly<Record<string, LoadType>> = Object.fromEntries(
  patientAccessTypes.map((type) => {
    const { patientElement } = servedResource(type);
    return [type, { wave: waves[type], ...(patientElement !== undefined && { patientElement }) }];
  }),
);

/** The type of rows that change what is stored and hold no resource: withdrawals, moves, merges. */
export const changeRowType = 'Parameters';
/** Ranges with references that led nowhere are loaded again when every other resource of the drop is stored: each look is a wave. */
export const secondLookWave = 14;
/** Changes come after all resources of the drop. */
export const changeWave = 30;

/** Whether resources of a type are kept once for the LOB, and copied to the members who refer to them. */
export function isSharedType(type: string): boolean {
  const known = loadTypes[type];
  return known !== undefined && known.patientElement === undefined && type !== 'Patient';
}
