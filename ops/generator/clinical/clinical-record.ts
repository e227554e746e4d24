/** Types, code systems and helpers of the synthetic clinical data. */

import type { Claim } from '../claims/claim.ts';
import { type CodeableConcept, systems } from '../record/codes.ts';
import { daysAfter } from '../record/dates.ts';
import type { Party } from '../record/parties.ts';
import type { SyntheticPerson } from '../record/patient.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import { type Draft, draft } from '../record/resource.ts';

/** A clinical resource, and the organization that recorded it. */
export interface ClinicalRecord {
  readonly draft: Draft;
  readonly from: Party;
}

/** A visit for which a claim was paid. */
export interface Visit {
  readonly claim: Claim;
  readonly encounter: Draft;
  readonly organization: Party;
  readonly practitioner: Party | undefined;
  /** First day of each of the member's diagnoses, by ICD-10-CM code. */
  readonly onsets: ReadonlyMap<string, string>;
}

/** Days until a treatment has its full effect. */
const settledAfter = 90;

/** Whether a disease has been treated long enough for values to be normal. */
export function isSettled({ claim, onsets }: Pick<Visit, 'claim' | 'onsets'>, code: string): boolean {
  const onset = onsets.get(code);
  return onset !== undefined && daysAfter(onset, settledAfter) <= claim.start;
}

/** The code systems of clinical data. Codes have no display; `text` is worded by this project. */
export const clinicalSystems = {
  snomed: 'http://snomed.info/sct',
  loinc: 'http://loinc.org',
  rxnorm: 'http://www.nlm.nih.gov/research/umls/rxnorm',
  cvx: 'http://hl7.org/fhir/sid/cvx',
  ucum: 'http://unitsofmeasure.org',
  actCode: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
  conditionCategory: 'http://terminology.hl7.org/CodeSystem/condition-category',
  conditionStatus: 'http://terminology.hl7.org/CodeSystem/condition-clinical',
  conditionVerification: 'http://terminology.hl7.org/CodeSystem/condition-ver-status',
  allergyStatus: 'http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical',
  allergyVerification: 'http://terminology.hl7.org/CodeSystem/allergyintolerance-verification',
  usCoreCategory: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-category',
  usCoreConditionCategory: 'http://hl7.org/fhir/us/core/CodeSystem/condition-category',
  nullFlavor: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor',
  actReason: 'http://terminology.hl7.org/CodeSystem/v3-ActReason',
  prescriptionCategory: 'http://terminology.hl7.org/CodeSystem/medicationrequest-category',
  documentFormat: 'http://ihe.net/fhir/ValueSet/IHE.FormatCode.codesystem',
  observationCategory: 'http://terminology.hl7.org/CodeSystem/observation-category',
  diagnosticService: 'http://terminology.hl7.org/CodeSystem/v2-0074',
  carePlanCategory: 'http://hl7.org/fhir/us/core/CodeSystem/careplan-category',
  documentCategory: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
  dischargeDisposition: 'http://terminology.hl7.org/CodeSystem/discharge-disposition',
  participation: 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType',
  provenanceParticipant: 'http://terminology.hl7.org/CodeSystem/provenance-participant-type',
  usCoreProvenanceParticipant: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type',
} as const;

/** A CodeableConcept with one code, and a `text` worded by this project. */
export function coded(
  system: keyof typeof clinicalSystems | keyof typeof systems,
  code: string,
  text?: string,
): CodeableConcept {
  return {
    coding: [{ system: { ...systems, ...clinicalSystems }[system], code }],
    ...(text === undefined ? {} : { text }),
  };
}

export function codingOf(system: keyof typeof clinicalSystems, code: string) {
  return { system: clinicalSystems[system], code };
}

/** An amount in a UCUM unit. */
export function quantity(value: number, unit: string, code = unit) {
  return { value, unit, system: clinicalSystems.ucum, code };
}

/**
 * Makes a clinical resource.
 *
 * @param profiles names of US Core 6.1.0.
 * @param known day since which the plan has the resource.
 * @param changes number to add to the version.
 */
export function clinical(
  random: PseudoRandom,
  resourceType: string,
  profiles: readonly string[],
  elements: Readonly<Record<string, unknown>>,
  known: string,
  changes = 0,
): Draft {
  const declared = profiles.map((name) => `http://hl7.org/fhir/us/core/StructureDefinition/${name}|6.1.0`);
  return draft(random, resourceType, declared, elements, { known, changes });
}

export function refer({ resourceType, id }: Draft): { readonly reference: string } {
  return { reference: `${resourceType}/${id}` };
}

export function memberOf({ patientId }: SyntheticPerson): { readonly reference: string } {
  return { reference: `Patient/${patientId}` };
}

/** A random number between two, with one decimal place. */
export function decimal(random: PseudoRandom, least: number, most: number): number {
  return random.integer(least * 10, most * 10) / 10;
}
