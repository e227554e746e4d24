/** Example resources of the OpenAPI document. */

import { fhirBase } from '../../../lambdas/catalog/addresses.ts';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { clinicalExamples } from './clinical-examples.ts';
import coverage from './examples/coverage.json' with { type: 'json' };
import explanationOfBenefit from './examples/explanation-of-benefit.json' with { type: 'json' };
import organization from './examples/organization.json' with { type: 'json' };
import practitioner from './examples/practitioner.json' with { type: 'json' };
import relatedPerson from './examples/related-person.json' with { type: 'json' };
import { exampleLob, examplePatient } from './member-examples.ts';

interface Example {
  readonly resourceType: string;
  readonly id: string;
}

/** A synthetic resource of each type, like those of the sandbox's members (`test/docs/examples.test.ts` writes the files). */
export const exampleResources = {
  ...clinicalExamples,
  Patient: examplePatient,
  Coverage: coverage,
  ExplanationOfBenefit: explanationOfBenefit,
  Organization: organization,
  Practitioner: practitioner,
  RelatedPerson: relatedPerson,
} as const satisfies Readonly<Record<PatientAccessType, Example>>;

/** Makes the example of a searchset Bundle with one result. */
export function exampleSearchset({ environments: { sandbox } }: PublishedService, type: PatientAccessType) {
  const base = fhirBase(sandbox.origins, exampleLob, 'patient-access');
  const resource = exampleResources[type];
  return {
    resourceType: 'Bundle',
    meta: { lastUpdated: '2026-11-22T14:03:07.512Z' },
    type: 'searchset',
    total: 1,
    link: [{ relation: 'self', url: `${base}/${type}` }],
    entry: [{ fullUrl: `${base}/${type}/${resource.id}`, resource, search: { mode: 'match' } }],
  };
}
