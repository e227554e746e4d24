/** Table of the resource types that a drop may hold. */

import {
  type PatientAccessType,
  patientAccessTypes,
  servedResource,
} from '../catalog/fhir/fhir-resources.ts';

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
  Location: 0,
  Medication: 0,
  PractitionerRole: 1,
  Patient: 1,
  Coverage: 2,
  RelatedPerson: 2,
  Device: 2,
  Encounter: 2,
  Specimen: 2,
  Binary: 2,
  QuestionnaireResponse: 2,
  ExplanationOfBenefit: 3,
  AllergyIntolerance: 3,
  CareTeam: 3,
  Condition: 3,
  DocumentReference: 3,
  Immunization: 3,
  MedicationRequest: 3,
  Observation: 3,
  Procedure: 3,
  ServiceRequest: 3,
  DiagnosticReport: 4,
  Goal: 4,
  MedicationDispense: 4,
  CarePlan: 5,
  Provenance: 5,
};

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
export const secondLookWave = 6;
/** Changes come after every resource of the drop. */
export const changeWave = 20;

/** Whether resources of a type are kept once for the LOB, and copied to the members who refer to them. */
export function isSharedType(type: string): boolean {
  const known = loadTypes[type];
  return known !== undefined && known.patientElement === undefined && type !== 'Patient';
}
