import type { DirectoryType } from '../../catalog/directory-resources.ts';
import type { PatientAccessType } from '../../catalog/fhir-resources.ts';

interface ElementNames {
  /** `isSummary` in the base definition. */
  readonly summary: readonly string[];
  /** At least one, in the base definition. */
  readonly mandatory: readonly string[];
  /** `isModifier`: they change what the others mean, so that no selection may lose them. */
  readonly modifiers: readonly string[];
}

/** A type whose root elements are known. */
export type SubsettedType = PatientAccessType | DirectoryType;

/** Root elements by what R4's definitions (4.0.1) say of them, beside `always`. Of a choice (`deceased[x]`) the beginning. */
export const elementNames: Readonly<Record<SubsettedType, ElementNames>> = {
  Patient: {
    summary: [
      'identifier',
      'active',
      'name',
      'telecom',
      'gender',
      'birthDate',
      'deceased',
      'address',
      'managingOrganization',
      'link',
    ],
    mandatory: [],
    modifiers: ['active', 'deceased', 'link'],
  },
  Coverage: {
    summary: [
      'identifier',
      'status',
      'type',
      'policyHolder',
      'subscriber',
      'subscriberId',
      'beneficiary',
      'dependent',
      'period',
      'payor',
      'order',
      'network',
    ],
    mandatory: ['status', 'beneficiary', 'payor'],
    modifiers: ['status'],
  },
  ExplanationOfBenefit: {
    summary: [
      'status',
      'type',
      'use',
      'patient',
      'billablePeriod',
      'created',
      'insurer',
      'provider',
      'outcome',
      'insurance',
      'total',
    ],
    mandatory: ['status', 'type', 'use', 'patient', 'created', 'insurer', 'provider', 'outcome', 'insurance'],
    modifiers: ['status'],
  },
  Organization: {
    summary: ['identifier', 'active', 'type', 'name', 'partOf'],
    mandatory: [],
    modifiers: ['active'],
  },
  Practitioner: {
    summary: ['identifier', 'active', 'name', 'telecom', 'address', 'gender', 'birthDate'],
    mandatory: [],
    modifiers: [],
  },
  RelatedPerson: {
    summary: [
      'identifier',
      'active',
      'patient',
      'relationship',
      'name',
      'telecom',
      'gender',
      'birthDate',
      'address',
    ],
    mandatory: ['patient'],
    modifiers: ['active'],
  },
  Location: {
    summary: [
      'identifier',
      'status',
      'operationalStatus',
      'name',
      'description',
      'mode',
      'type',
      'physicalType',
      'managingOrganization',
    ],
    mandatory: [],
    modifiers: ['status'],
  },
  Endpoint: {
    summary: [
      'identifier',
      'status',
      'connectionType',
      'name',
      'managingOrganization',
      'period',
      'payloadType',
      'payloadMimeType',
      'address',
    ],
    mandatory: ['status', 'connectionType', 'payloadType', 'address'],
    modifiers: ['status'],
  },
  HealthcareService: {
    summary: [
      'identifier',
      'active',
      'providedBy',
      'category',
      'type',
      'specialty',
      'location',
      'name',
      'comment',
      'photo',
    ],
    mandatory: [],
    modifiers: ['active'],
  },
  InsurancePlan: {
    summary: ['identifier', 'status', 'type', 'name', 'ownedBy', 'administeredBy'],
    mandatory: [],
    modifiers: ['status'],
  },
  PractitionerRole: {
    summary: [
      'identifier',
      'active',
      'period',
      'practitioner',
      'organization',
      'code',
      'specialty',
      'location',
      'telecom',
    ],
    mandatory: [],
    modifiers: [],
  },
  OrganizationAffiliation: {
    summary: [
      'identifier',
      'active',
      'period',
      'organization',
      'participatingOrganization',
      'network',
      'code',
      'specialty',
      'location',
      'telecom',
    ],
    mandatory: [],
    modifiers: [],
  },
};

/** In whatever selection. */
export const always = ['resourceType', 'id', 'meta', 'implicitRules', 'modifierExtension'] as const;

/** Root elements of several types: `deceasedBoolean`, `deceasedDateTime`. */
export const choiceElements = ['deceased', 'multipleBirth'] as const;
