import * as z from 'zod';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { clinicalSchemas } from './clinical-schemas.ts';
import { operationOutcome, patient } from './member-schemas.ts';

/**
 * OpenAPI schemas of a member's coverage and claims: the elements that the CARIN profiles require and that an application reads first. A
 * resource may have more elements (FHIR R4). `test/docs/openapi.test.ts` validates the synthetic members by these schemas.
 *
 * @see http://hl7.org/fhir/us/carin-bb/STU2/artifacts.html
 */

const text = (description: string) => z.string().meta({ description });
const date = (description: string) => text(`${description} A date.`);

const meta = z
  .looseObject({
    versionId: text('Version of the resource; also in the `ETag`.'),
    lastUpdated: text('ISO 8601 with fractional seconds and offset.'),
    profile: z
      .array(z.string())
      .meta({ description: 'The CARIN profile of the resource, with its version.' }),
  })
  .meta({ id: 'Meta' });

const concept = z
  .looseObject({
    coding: z
      .array(z.looseObject({ system: z.string().optional(), code: z.string().optional() }))
      .optional()
      .meta({ description: 'Codes with the same meaning, each with its code system.' }),
    text: text('The meaning as text.').optional(),
  })
  .meta({ id: 'CodeableConcept' });

const reference = z
  .looseObject({
    reference: text('`<type>/<id>`, relative to the FHIR base.').optional(),
    display: text('Name.').optional(),
  })
  .meta({ id: 'Reference' });

const identifier = z
  .looseObject({ type: concept.optional(), system: z.string().optional(), value: z.string().optional() })
  .meta({ id: 'ResourceIdentifier' });

const period = z
  .looseObject({
    start: date('First day.').optional(),
    end: date('Last day; absent if the period has not ended.').optional(),
  })
  .meta({ id: 'Period' });

const money = z
  .looseObject({ value: z.number().optional(), currency: text('`USD`.').optional() })
  .meta({ id: 'Money' });

const adjudication = z
  .looseObject({
    category: concept.meta({
      description: 'Category of the amount: billed, allowed, paid, the member’s share.',
    }),
    amount: money.optional(),
  })
  .meta({ id: 'Adjudication' });

const humanName = z
  .looseObject({ family: z.string().optional(), given: z.array(z.string()).optional() })
  .meta({ id: 'HumanName' });

const about = (schema: z.ZodType, description: string) => schema.meta({ description });
const several = (schema: z.ZodType, description: string) => z.array(schema).meta({ description });

const common = <T extends string>(type: T) => ({
  resourceType: z.literal(type),
  id: text('Resource ID, in a form like a UUID.'),
  meta,
});

const coverage = z
  .looseObject({
    ...common('Coverage'),
    identifier: several(identifier, 'The member ID on the card.').optional(),
    status: text('`active` or `cancelled`.'),
    type: about(concept, 'Type of insurance.').optional(),
    subscriberId: text('The subscriber’s number.'),
    beneficiary: about(reference, 'The member who is covered.'),
    relationship: about(concept, 'Relationship of the member to the subscriber: `self`, `spouse`, `child`.'),
    period: about(period, 'Period of the coverage.').optional(),
    payor: several(reference, 'The plan.'),
    class: z
      .array(z.looseObject({ type: concept, value: z.string(), name: z.string().optional() }))
      .optional()
      .meta({ description: 'Group and plan.' }),
  })
  .meta({ id: 'Coverage' });

const explanationOfBenefit = z
  .looseObject({
    ...common('ExplanationOfBenefit'),
    identifier: several(identifier, 'The claim number.'),
    status: text('`active`, or `cancelled` if a newer claim replaces it.'),
    type: about(concept, 'Type of claim: institutional, oral, pharmacy or professional.'),
    subType: about(concept, 'Institutional claims only: inpatient or outpatient.').optional(),
    use: text('`claim`, or `preauthorization` for a prior authorization.'),
    patient: about(reference, 'The member.'),
    billablePeriod: about(period, 'Dates of service.').optional(),
    created: text('Date of the decision on the claim.'),
    insurer: about(reference, 'The plan.'),
    provider: about(reference, 'The provider that billed.'),
    payee: z
      .looseObject({ type: concept.optional(), party: reference.optional() })
      .optional()
      .meta({ description: 'The party that was paid.' }),
    outcome: text('`complete`, `partial`, `queued` or `error`.'),
    careTeam: z
      .array(z.looseObject({ sequence: z.number(), provider: reference, role: concept.optional() }))
      .optional()
      .meta({ description: 'Providers of the care.' }),
    supportingInfo: z
      .array(z.looseObject({ sequence: z.number(), category: concept }))
      .optional()
      .meta({ description: 'Dates, numbers and amounts by category.' }),
    diagnosis: z
      .array(z.looseObject({ sequence: z.number() }))
      .optional()
      .meta({ description: 'Diagnoses (ICD-10-CM).' }),
    procedure: z
      .array(z.looseObject({ sequence: z.number() }))
      .optional()
      .meta({ description: 'Procedures during a stay.' }),
    insurance: z
      .array(z.looseObject({ focal: z.boolean(), coverage: reference }))
      .meta({ description: 'The coverage of the claim.' }),
    item: z
      .array(
        z.looseObject({
          sequence: z.number(),
          productOrService: about(concept, 'The product or service (CPT, HCPCS, NDC, CDT).'),
          adjudication: several(adjudication, 'Amounts of the line.').optional(),
        }),
      )
      .optional()
      .meta({ description: 'The lines of the claim.' }),
    adjudication: several(adjudication, 'Amounts of the whole claim.').optional(),
    total: several(adjudication, 'Totals by category.').optional(),
    payment: z
      .looseObject({ type: concept.optional(), date: z.string().optional(), amount: money.optional() })
      .optional()
      .meta({ description: 'Amount and date of the plan’s payment.' }),
  })
  .meta({ id: 'ExplanationOfBenefit' });

const organization = z
  .looseObject({
    ...common('Organization'),
    identifier: several(identifier, 'NPI, and for a plan its payer number.').optional(),
    active: z.boolean().meta({ description: '`true` if it is active.' }),
    type: several(concept, 'Payer or provider.').optional(),
    name: text('Name.'),
    telecom: several(z.looseObject({}), 'Phone numbers.').optional(),
    address: several(z.looseObject({}), 'Addresses.').optional(),
  })
  .meta({ id: 'Organization' });

const practitioner = z
  .looseObject({
    ...common('Practitioner'),
    identifier: several(identifier, 'NPI.').optional(),
    name: several(humanName, 'Name.'),
  })
  .meta({ id: 'Practitioner' });

const relatedPerson = z
  .looseObject({
    ...common('RelatedPerson'),
    patient: about(reference, 'The member.'),
    relationship: several(concept, 'Relationship of the person to the member.'),
    name: several(humanName, 'Name.').optional(),
  })
  .meta({ id: 'RelatedPerson' });

/** Schema of each resource type. */
export const resourceSchemas = {
  ...clinicalSchemas,
  Patient: patient,
  Coverage: coverage,
  ExplanationOfBenefit: explanationOfBenefit,
  Organization: organization,
  Practitioner: practitioner,
  RelatedPerson: relatedPerson,
} as const satisfies Readonly<Record<PatientAccessType, z.ZodType>>;

/** A resource as shortened by `_summary` or `_elements` (R4, search.html#summary). */
export const resourcePart = z
  .looseObject({
    resourceType: z.string(),
    id: z.string(),
    meta: z.looseObject({ tag: z.array(z.looseObject({ code: z.string() })).min(1) }),
  })
  .meta({ id: 'ResourcePart', description: 'A part of a resource, tagged `SUBSETTED`.' });

/** A page of results (R4, bundle.html). */
export const searchset = z
  .looseObject({
    resourceType: z.literal('Bundle'),
    type: z.literal('searchset'),
    total: z
      .int()
      .optional()
      .meta({ description: 'Number of matches on all pages, without included resources.' }),
    link: z.array(z.looseObject({ relation: z.string(), url: z.string() })).meta({
      description:
        '`self`: the search as processed. `next`: the next page, absent on the last one. Use the URL unchanged.',
    }),
    entry: z
      .array(
        z.looseObject({
          fullUrl: text('URL of the resource.').optional(),
          resource: z.union([...Object.values(resourceSchemas), resourcePart, operationOutcome]).optional(),
          search: z
            .looseObject({ mode: z.enum(['match', 'include', 'outcome']) })
            .optional()
            .meta({
              description:
                '`match`: a result. `include`: an included resource. `outcome`: a parameter that was ignored.',
            }),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Bundle', description: 'A page of results.' });
