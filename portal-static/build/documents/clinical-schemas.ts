import * as z from 'zod';
import { patientAccessTypes, servedResource } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { type ClinicalType, clinicalExamples } from './clinical-examples.ts';

/**
 * OpenAPI schemas of clinical resources: the elements common to all types. Each description names the US Core profiles that define the
 * others.
 */
export const clinicalSchemas = Object.fromEntries(
  patientAccessTypes
    .filter((type) => Object.hasOwn(clinicalExamples, type))
    .map((type) => [type, schemaOf(type as ClinicalType)]),
) as unknown as Readonly<Record<ClinicalType, z.ZodObject>>;

function schemaOf(type: ClinicalType) {
  const profiles = servedResource(type).supportedProfiles.map((each) => `\`${each.split('/').at(-1)}\``);
  const conforms = profiles.length === 0 ? 'FHIR R4' : `a profile of US Core: ${profiles.join(', ')}`;
  return z
    .looseObject({
      resourceType: z.literal(type),
      id: z.string().meta({ description: 'Resource ID, in a form like a UUID.' }),
      meta: z.looseObject({
        versionId: z.string().meta({ description: 'Version of the resource; also in the `ETag`.' }),
        lastUpdated: z.string().meta({ description: 'ISO 8601 with fractional seconds and offset.' }),
        profile: z.array(z.string()).optional(),
      }),
    })
    .meta({ id: type, description: `Conforms to ${conforms}.` });
}
