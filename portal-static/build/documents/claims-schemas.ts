import * as z from 'zod';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir-resources.ts';
import { operationOutcome, patient } from './member-schemas.ts';

/**
 * A member's coverage and claims, as schemas for the OpenAPI document: what the CARIN profiles ask for and an application reads
 * first. A resource may hold more (FHIR R4). `test/docs/openapi.test.ts` holds the synthetic members against them.
 *
 * @see http://hl7.org/fhir/us/carin-bb/STU2/artifacts.html
 */

const text = (description: string) => z.string().meta({ description });
const date = (description: string) => text(`${description} A date.`);

const meta = z
  .looseObject({
    versionId: text('Changes with every change of the resource; the `ETag` has it too.'),
    lastUpdated: text('ISO 8601 with fractional seconds and offset.'),
    profile: z
      .array(z.string())
      .meta({ description: 'The CARIN profile the resource meets, with its version.' }),
  })
  .meta({ id: 'Meta' });

const concept = z
  .looseObject({
    coding: z
      .array(z.looseObject({ system: z.string().optional(), code: z.string().optional() }))
      .optional()
      .meta({ description: 'Codes that say the same, each with its code system.' }),
    text: text('The same in words.').optional(),
  })
  .meta({ id: 'CodeableConcept' });

const reference = z
  .looseObject({
    reference: text('`<type>/<id>`, below the FHIR base.').optional(),
    display: text('What it is called.').optional(),
  })
  .meta({ id: 'Reference' });

const identifier = z
  .looseObject({ type: concept.optional(), system: z.string().optional(), value: z.string().optional() })
  .meta({ id: 'ResourceIdentifier' });

const period = z
  .looseObject({
    start: date('First day.').optional(),
    end: date('Last day; absent while it lasts.').optional(),
  })
  .meta({ id: 'Period' });

const money = z
  .looseObject({ value: z.number().optional(), currency: text('`USD`.').optional() })
  .meta({ id: 'Money' });

const adjudication = z
  .looseObject({
    category: concept.meta({ description: 'What the amount is: billed, allowed, paid, the member’s share.' }),
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
  id: text('Resource identifier, like a UUID.'),
  meta,
});

const coverage = z
  .looseObject({
    ...common('Coverage'),
    identifier: several(identifier, 'The member ID on the card.').optional(),
    status: text('`active` or `cancelled`.'),
    type: about(concept, 'Kind of insurance.').optional(),
    subscriberId: text('The subscriber’s number.'),
    beneficiary: about(reference, 'The member who is covered.'),
    relationship: about(concept, 'What the member is to the subscriber: `self`, `spouse`, `child`.'),
    period: about(period, 'When the coverage is in force.').optional(),
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
    status: text('`active`, or `cancelled` where a newer claim takes its place.'),
    type: about(concept, 'Kind of claim: institutional, oral, pharmacy, professional.'),
    subType: about(concept, 'Of an institutional claim: inpatient or outpatient.').optional(),
    use: text('`claim`.'),
    patient: about(reference, 'The member.'),
    billablePeriod: about(period, 'Days of service.').optional(),
    created: text('When the claim was decided.'),
    insurer: about(reference, 'The plan.'),
    provider: about(reference, 'Who billed.'),
    payee: z
      .looseObject({ type: concept.optional(), party: reference.optional() })
      .optional()
      .meta({ description: 'Who was paid.' }),
    outcome: text('`complete`, `partial`, `queued` or `error`.'),
    careTeam: z
      .array(z.looseObject({ sequence: z.number(), provider: reference, role: concept.optional() }))
      .optional()
      .meta({ description: 'Who gave the care.' }),
    supportingInfo: z
      .array(z.looseObject({ sequence: z.number(), category: concept }))
      .optional()
      .meta({ description: 'Dates, numbers and amounts by their category.' }),
    diagnosis: z
      .array(z.looseObject({ sequence: z.number() }))
      .optional()
      .meta({ description: 'Diagnoses (ICD-10-CM).' }),
    procedure: z
      .array(z.looseObject({ sequence: z.number() }))
      .optional()
      .meta({ description: 'Procedures of a stay.' }),
    insurance: z
      .array(z.looseObject({ focal: z.boolean(), coverage: reference }))
      .meta({ description: 'The coverage the claim was decided by.' }),
    item: z
      .array(
        z.looseObject({
          sequence: z.number(),
          productOrService: about(concept, 'What was done or sold (CPT, HCPCS, NDC, CDT).'),
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
      .meta({ description: 'What the plan paid, and when.' }),
  })
  .meta({ id: 'ExplanationOfBenefit' });

const organization = z
  .looseObject({
    ...common('Organization'),
    identifier: several(identifier, 'NPI, and the payer’s number of a plan.').optional(),
    active: z.boolean().meta({ description: '`true` while it is in use.' }),
    type: several(concept, 'Payer or provider.').optional(),
    name: text('What it is called.'),
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
    relationship: several(concept, 'What the person is to the member.'),
    name: several(humanName, 'Name.').optional(),
  })
  .meta({ id: 'RelatedPerson' });

/** What each type is sent as. */
export const resourceSchemas = {
  Patient: patient,
  Coverage: coverage,
  ExplanationOfBenefit: explanationOfBenefit,
  Organization: organization,
  Practitioner: practitioner,
  RelatedPerson: relatedPerson,
} as const satisfies Readonly<Record<PatientAccessType, z.ZodType>>;

/** What `_summary` and `_elements` leave of a resource (R4, search.html#summary). */
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
    total: z.int().optional().meta({ description: 'Matches on all pages, without what is included.' }),
    link: z.array(z.looseObject({ relation: z.string(), url: z.string() })).meta({
      description:
        '`self`: the search as it was understood. `next`: the next page, absent on the last one. Use the URL as it is.',
    }),
    entry: z
      .array(
        z.looseObject({
          fullUrl: text('Where the resource is read.').optional(),
          resource: z.union([...Object.values(resourceSchemas), resourcePart, operationOutcome]).optional(),
          search: z
            .looseObject({ mode: z.enum(['match', 'include', 'outcome']) })
            .optional()
            .meta({
              description:
                '`match`: found. `include`: asked for beside it. `outcome`: what was not understood.',
            }),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Bundle', description: 'A page of results.' });
