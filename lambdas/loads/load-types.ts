import { type PatientAccessType, patientAccessTypes } from '../catalog/fhir-resources.ts';

/** Rules for loading rows of a type. */
export interface LoadType {
  /**
   * The element that names the member: its `reference` is `Patient/<id>`. Absent for what several members share (organizations,
   * practitioners): it is kept once for the LOB, and each member who refers to it gets a copy.
   */
  readonly patientElement?: string;
  /** Elements every row has, beside `id` and `meta`. */
  readonly required: readonly string[];
  /** Wave its files are loaded in: one begins when the one before has ended, so that references lead to what is stored. */
  readonly wave: number;
}

/**
 * The types a drop may hold. The patient element is that of R4's patient compartment, the required elements those with a
 * cardinality of at least one in R4, and in the profiles that are served.
 *
 * @see http://hl7.org/fhir/R4/compartmentdefinition-patient.html
 */
const table: Readonly<Record<string, LoadType>> = {
  Organization: { required: ['name'], wave: 0 },
  Practitioner: { required: ['name'], wave: 0 },
  Location: { required: [], wave: 0 },
  Medication: { required: ['code'], wave: 0 },
  PractitionerRole: { required: [], wave: 1 },
  Patient: { required: ['identifier', 'name'], wave: 1 },
  Coverage: { patientElement: 'beneficiary', required: ['status', 'payor'], wave: 2 },
  RelatedPerson: { patientElement: 'patient', required: [], wave: 2 },
  Device: { patientElement: 'patient', required: [], wave: 2 },
  ExplanationOfBenefit: {
    patientElement: 'patient',
    required: ['status', 'type', 'use', 'created', 'insurer', 'provider', 'outcome', 'insurance'],
    wave: 3,
  },
  AllergyIntolerance: { patientElement: 'patient', required: [], wave: 3 },
  CarePlan: { patientElement: 'subject', required: ['status', 'intent'], wave: 3 },
  CareTeam: { patientElement: 'subject', required: [], wave: 3 },
  Condition: { patientElement: 'subject', required: [], wave: 3 },
  DiagnosticReport: { patientElement: 'subject', required: ['status', 'code'], wave: 3 },
  DocumentReference: { patientElement: 'subject', required: ['status', 'content'], wave: 3 },
  Encounter: { patientElement: 'subject', required: ['status', 'class'], wave: 2 },
  Goal: { patientElement: 'subject', required: ['lifecycleStatus', 'description'], wave: 3 },
  Immunization: { patientElement: 'patient', required: ['status', 'vaccineCode'], wave: 3 },
  MedicationRequest: { patientElement: 'subject', required: ['status', 'intent'], wave: 3 },
  Observation: { patientElement: 'subject', required: ['status', 'code'], wave: 3 },
  Procedure: { patientElement: 'subject', required: ['status'], wave: 3 },
};

/** The types of the table that Patient Access serves. */
export const loadTypes: Readonly<Record<string, LoadType>> = Object.fromEntries(
  (patientAccessTypes as readonly PatientAccessType[])
    .filter((type) => Object.hasOwn(table, type))
    .map((type) => [type, table[type] as LoadType]),
);

/** The type of rows that change what is stored and hold no resource: withdrawals, moves, merges. */
export const changeRowType = 'Parameters';
/** Ranges with references that led nowhere are loaded once more, when every other resource of the drop is stored. */
export const secondLookWave = 4;
/** Changes come after every resource of the drop. */
export const changeWave = 5;

export function waveOf(type: string): number {
  return loadTypes[type]?.wave ?? changeWave;
}

/** Whether resources of a type are kept once for the LOB, and copied to the members who refer to them. */
export function isSharedType(type: string): boolean {
  const known = loadTypes[type];
  return known !== undefined && known.patientElement === undefined && type !== 'Patient';
}
