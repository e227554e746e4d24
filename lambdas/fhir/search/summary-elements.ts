/** Root elements of resources, for `_summary` and `_elements`. */

import type { DirectoryType } from '../../catalog/fhir/directory-types.ts';
import type { PatientAccessType } from '../../catalog/fhir/fhir-resources.ts';

interface ElementNames {
  /** Elements with `isSummary` in the base definition. */
  readonly summary: readonly string[];
  /** Elements with a minimum cardinality of 1 or more in the base definition. */
  readonly mandatory: readonly string[];
  /** Elements with `isModifier`: they change the meaning of others, so every selection keeps them. */
  readonly modifiers: readonly string[];
}

/** Makes a table row; each argument is a space-separated list of names. */
function row(summary: string, mandatory: string, modifiers: string): ElementNames {
  return { summary: names(summary), mandatory: names(mandatory), modifiers: names(modifiers) };
}

function names(cell: string): readonly string[] {
  return cell.split(' ').filter((name) => name !== '');
}

/** A resource type whose root elements are listed here. */
export type SubsettedType = PatientAccessType | DirectoryType | 'Group';

/** Root elements by type, from R4's definitions (4.0.1), beside those in `always`. A choice (`deceased[x]`) is listed without `[x]`. */
export const elementNames: Readonly<Record<SubsettedType, ElementNames>> = {
  Patient: row(
    'identifier active name telecom gender birthDate deceased address managingOrganization link',
    '',
    'active deceased link',
  ),
  Coverage: row(
    'identifier status type policyHolder subscriber subscriberId beneficiary dependent period payor order network',
    'status beneficiary payor',
    'status',
  ),
  ExplanationOfBenefit: row(
    'status type use patient billablePeriod created insurer provider outcome insurance total',
    'status type use patient created insurer provider outcome insurance',
    'status',
  ),
  Group: row('identifier active type actual code name quantity managingEntity', 'type actual', ''),
  Organization: row('identifier active type name partOf', '', 'active'),
  Practitioner: row('identifier active name telecom address gender birthDate', '', ''),
  RelatedPerson: row(
    'identifier active patient relationship name telecom gender birthDate address',
    'patient',
    'active',
  ),
  AllergyIntolerance: row(
    'identifier clinicalStatus verificationStatus type category criticality code patient asserter',
    'patient',
    'clinicalStatus verificationStatus',
  ),
  Binary: row('contentType securityContext url', 'contentType', ''),
  CarePlan: row(
    'identifier instantiatesCanonical instantiatesUri basedOn replaces partOf status intent category title description subject encounter period created author addresses',
    'status intent subject',
    'status intent',
  ),
  CareTeam: row(
    'identifier status category name subject encounter period managingOrganization',
    '',
    'status',
  ),
  Condition: row(
    'identifier clinicalStatus verificationStatus code bodySite subject encounter onset recordedDate recorder asserter',
    'subject',
    'clinicalStatus verificationStatus',
  ),
  Device: row('udiCarrier status safety', '', 'status'),
  DiagnosticReport: row(
    'identifier status category code subject encounter effective issued performer resultsInterpreter media',
    'status code',
    'status',
  ),
  DocumentReference: row(
    'masterIdentifier identifier status docStatus type category subject date author relatesTo description securityLabel content context',
    'status content',
    'status',
  ),
  Encounter: row(
    'identifier status class type serviceType subject episodeOfCare participant appointment reasonCode reasonReference diagnosis',
    'status class',
    'status',
  ),
  Goal: row(
    'lifecycleStatus achievementStatus category priority description subject start statusDate expressedBy',
    'lifecycleStatus description subject',
    'lifecycleStatus',
  ),
  Immunization: row(
    'status vaccineCode patient occurrence primarySource performer note isSubpotent',
    'status vaccineCode patient occurrence',
    'status isSubpotent',
  ),
  Location: row(
    'identifier status operationalStatus name description mode type physicalType managingOrganization',
    '',
    'status',
  ),
  Medication: row('identifier code status manufacturer amount', '', 'status'),
  MedicationDispense: row('status medication subject whenPrepared', 'status medication', 'status'),
  MedicationRequest: row(
    'status intent priority doNotPerform reported medication subject authoredOn requester performerType instantiatesCanonical instantiatesUri basedOn groupIdentifier',
    'status intent medication subject',
    'status intent doNotPerform',
  ),
  Observation: row(
    'identifier basedOn partOf status code subject focus encounter effective issued performer value hasMember derivedFrom component',
    'status code',
    'status',
  ),
  PractitionerRole: row(
    'identifier active period practitioner organization code specialty location telecom',
    '',
    '',
  ),
  Procedure: row(
    'identifier instantiatesCanonical instantiatesUri basedOn partOf status statusReason category code subject encounter performed recorder asserter performer location reasonCode reasonReference bodySite outcome',
    'status subject',
    'status',
  ),
  Provenance: row('target recorded', 'target recorded agent', ''),
  QuestionnaireResponse: row(
    'identifier basedOn partOf questionnaire status subject encounter authored author source',
    'status',
    'status',
  ),
  ServiceRequest: row(
    'identifier instantiatesCanonical instantiatesUri basedOn replaces requisition status intent category priority doNotPerform code orderDetail quantity subject encounter occurrence asNeeded authoredOn requester performerType performer locationCode locationReference reasonCode reasonReference specimen bodySite patientInstruction',
    'status intent subject',
    'status intent doNotPerform',
  ),
  Specimen: row('identifier accessionIdentifier status type subject receivedTime condition', '', 'status'),
  Endpoint: row(
    'identifier status connectionType name managingOrganization period payloadType payloadMimeType address',
    'status connectionType payloadType address',
    'status',
  ),
  HealthcareService: row(
    'identifier active providedBy category type specialty location name comment photo',
    '',
    'active',
  ),
  InsurancePlan: row('identifier status type name ownedBy administeredBy coverageArea', '', 'status'),
  OrganizationAffiliation: row(
    'identifier active period organization participatingOrganization network code specialty location telecom',
    '',
    '',
  ),
};

/** Elements that every selection keeps. */
export const always = ['resourceType', 'id', 'meta', 'implicitRules', 'modifierExtension'] as const;

/** Root elements with a choice of types: `deceasedBoolean`, `deceasedDateTime`. */
export const choiceElements = [
  'deceased',
  'multipleBirth',
  'onset',
  'abatement',
  'effective',
  'start',
  'occurrence',
  'statusReason',
  'medication',
  'reported',
  'value',
  'performed',
  'occurred',
  'quantity',
  'asNeeded',
] as const;
