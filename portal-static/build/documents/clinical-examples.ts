/** Example clinical resources of the OpenAPI document. */

import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import examples from './examples/clinical.json' with { type: 'json' };

interface Example {
  readonly resourceType: string;
  readonly id: string;
}

/** The types of clinical data, and what clinical data refers to. */
export type ClinicalType = Exclude<
  PatientAccessType,
  'Patient' | 'Coverage' | 'ExplanationOfBenefit' | 'Organization' | 'Practitioner' | 'RelatedPerson'
>;

/** A made-up clinical resource of each type: as the sandbox's members have them (`test/docs/examples.test.ts` writes the file). */
export const clinicalExamples: Readonly<Record<ClinicalType, Example>> = examples;
