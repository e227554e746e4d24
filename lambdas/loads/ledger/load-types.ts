/** Table of the resource types that a drop may hold. */

import {
  type PatientAccessType,
  patientAccessTypes,
  servedResource,
} from '../../catalog/fhir/fhir-resources.ts';

/** Rules for loading rows of a type. */
export interface LoadType {
  /**
   * The element that refers to the member: its `reference`, or that of one list item, is `Patient/<id>`. Absent for resources that members
   * share (organizations, practitioners): they are stored once for the LOB, and copied into the record of each member who refers to them.
   */
  readonly patientElement?: string;
  /** The wave in which its files are loaded. Waves run one after the other, so that references lead to stored resources. */
  readonly wave: number;
}

/** The wave of each type, after those of the types it mostly refers to. */
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
 * Waves in which ranges of a type are looked at again before the types that refer to it are loaded. Visits refer to conditions and
 * conditions to earlier visits: in a population, every third visit waits for its condition, and most other resources would wait for the
 * visit.
 */
const earlyLooks: Readonly<Record<string, readonly number[]>> = {
  Encounter: [4, 6, 8],
  Condition: [5, 7, 9],
};

/** The next wave with an early look at a range that has unresolved references; undefined if there is none. */
export function earlyLookAfter(type: string, wave: number): number | undefined {
  return earlyLooks[type]?.find((each) => each > wave);
}

/**
 * Whether an early look can resolve references: the drop contains every type with early looks, and the last look resolved a reference.
 *
 * @param looked number of references resolved by the last look, by type of the drop.
 */
export function hasEarlyLooks(looked: ReadonlyMap<string, number>, wave: number): boolean {
  const types = Object.keys(earlyLooks);
  const first = Math.min(...Object.values(earlyLooks).flat());
  const resolved = types.reduce((sum, type) => sum + (looked.get(type) ?? 0), 0);
  return types.every((type) => looked.has(type)) && (wave < first || resolved > 0);
}

/** The loading rules of each type that a drop may contain. */
export const loadTypes: Readonly<Record<string, LoadType>> = Object.fromEntries(
  patientAccessTypes.map((type) => {
    const { patientElement } = servedResource(type);
    return [type, { wave: waves[type], ...(patientElement !== undefined && { patientElement }) }];
  }),
);

/** The manifest's type for rows that change stored data instead of containing a resource: withdrawals, moves, merges. */
export const changeRowType = 'Parameters';
/**
 * The first wave in which ranges with unresolved references are loaded again, after all other resources of the drop. Each further look
 * takes the next wave.
 */
export const secondLookWave = 14;
/** The wave of change rows, after all resources of the drop. */
export const changeWave = 30;

/** Whether resources of a type are stored once for the LOB, and copied into the records of members who refer to them. */
export function isSharedType(type: string): boolean {
  const known = loadTypes[type];
  return known !== undefined && known.patientElement === undefined && type !== 'Patient';
}
