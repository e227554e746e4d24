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
  /** Elements every row has, beside `id` and `meta`. */
  readonly required: readonly string[];
  /** Wave its files are loaded in: one begins when the one before has ended, so that references lead to what is stored. */
  readonly wave: number;
}

/**
 * The types a drop may hold, with the elements that have a cardinality of at least one in R4 and in the profiles that are served. A wave
 * comes after those it mostly refers to.
 */
const table: Readonly<Record<PatientAccessType, Omit<LoadType, 'patientElement'>>> = {
  Organization: { required: ['name'], wave: 0 },
  Practitioner: { required: ['name'], wave: 0 },
  Location: { required: ['name'], wave: 0 },
  Medication: { required: ['code'], wave: 0 },
  PractitionerRole: { required: [], wave: 1 },
  Patient: { required: ['identifier', 'name'], wave: 1 },
  Coverage: { required: ['status', 'payor'], wave: 2 },
  RelatedPerson: { required: [], wave: 2 },
  Device: { required: [], wave: 2 },
  Encounter: { required: ['status', 'class'], wave: 2 },
  Specimen: { required: ['type'], wave: 2 },
  Binary: { required: ['contentType'], wave: 2 },
  ExplanationOfBenefit: {
    required: ['status', 'type', 'use', 'created', 'insurer', 'provider', 'outcome', 'insurance'],
    wave: 3,
  },
  AllergyIntolerance: { required: ['code'], wave: 3 },
  CareTeam: { required: [], wave: 3 },
  Condition: { required: ['category', 'code'], wave: 3 },
  DocumentReference: { required: ['status', 'content'], wave: 3 },
  Immunization: { required: ['status', 'vaccineCode'], wave: 3 },
  MedicationRequest: { required: ['status', 'intent'], wave: 3 },
  Observation: { required: ['status', 'code'], wave: 3 },
  Procedure: { required: ['status', 'code'], wave: 3 },
  QuestionnaireResponse: { required: ['status'], wave: 3 },
  ServiceRequest: { required: ['status', 'intent', 'code'], wave: 3 },
  DiagnosticReport: { required: ['status', 'code'], wave: 4 },
  Goal: { required: ['lifecycleStatus', 'description'], wave: 4 },
  MedicationDispense: { required: ['status'], wave: 4 },
  CarePlan: { required: ['status', 'intent'], wave: 5 },
  Provenance: { required: ['recorded', 'agent'], wave: 5 },
};

/** The types of the table, each with the element that names the member. */
export const loadTypes: Readonly<Record<string, LoadType>> = Object.fromEntries(
  patientAccessTypes.map((type) => {
    const { patientElement } = servedResource(type);
    return [type, { ...table[type], ...(patientElement !== undefined && { patientElement }) }];
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
