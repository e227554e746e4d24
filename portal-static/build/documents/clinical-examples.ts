/** Example clinical resources of the OpenAPI document. */

import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import examples from './examples/clinical.json' with { type: 'json' };

interface Example {
  readonly resourceType: string;
  readonly id: string;
}

/** The resource types of clinical data and of the resources that clinical data refer to. */
export type ClinicalType = Exclude<
  PatientAccessType,
  'Patient' | 'Coverage' | 'ExplanationOfBenefit' | 'Organization' | 'Practitioner' | 'RelatedPerson'
>;

/** A synthetic clinical resource of each type, like those of the sandbox's members (`test/docs/examples.test.ts` writes the file). */
export const clinicalExamples: Readonly<Record<ClinicalType, Example>> = examples;
