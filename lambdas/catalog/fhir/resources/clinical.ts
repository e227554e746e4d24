/** Table of the clinical resource types (US Core), each a row with its profiles and search parameters. */

import {
  codeAt,
  codingAt,
  conceptAt,
  core,
  dateAt,
  dateOrPeriodAt,
  identifierAt,
  parameter,
  pdexProfiles,
  periodAt,
  type ResourceType,
  referenceAt,
  type ServedResource,
  usCoreProfiles,
} from './served-resource.ts';
import { type UsCoreParameter, usCore } from './us-core-resource.ts';

const status = (system: string): UsCoreParameter => [
  'status',
  'token',
  'Status of the record',
  codeAt('status', system),
];
const category: UsCoreParameter = ['category', 'token', 'Category', conceptAt('category')];
const coded: UsCoreParameter = ['code', 'token', 'What it is, by code', conceptAt('code')];
const encounter: UsCoreParameter = [
  'encounter',
  'reference',
  'The visit it belongs to',
  referenceAt('encounter'),
];

const conditionCategories = 'http://terminology.hl7.org/CodeSystem/condition-category';
const observationCategories = 'http://terminology.hl7.org/CodeSystem/observation-category';
const usCoreCategories = 'http://hl7.org/fhir/us/core/CodeSystem/us-core-category';

/**
 * Clinical data: the resource types of US Core 6.1.0 that are about one member.
 *
 * @see http://hl7.org/fhir/us/core/STU6.1/CapabilityStatement-us-core-server.html
 */
export const clinicalResources = {
  Condition: usCore('Condition', {
    patient: 'subject',
    parameters: [
      [
        'category',
        'token',
        'Problem list item, health concern or diagnosis of a visit',
        conceptAt('category'),
      ],
      ['clinical-status', 'token', 'Whether it is active, inactive or resolved', conceptAt('clinicalStatus')],
      coded,
      encounter,
      ['onset-date', 'date', 'When it began', ...dateOrPeriodAt('onset')],
      ['abatement-date', 'date', 'When it ended', ...dateOrPeriodAt('abatement')],
      ['recorded-date', 'date', 'When it was first recorded', dateAt('recordedDate')],
      [
        'asserted-date',
        'date',
        'When it was first asserted',
        {
          path: 'extension',
          as: 'dateTime',
          extension: 'http://hl7.org/fhir/StructureDefinition/condition-assertedDate',
        },
      ],
    ],
    profiles: ['us-core-condition-problems-health-concerns', 'us-core-condition-encounter-diagnosis'],
    newestBy: 'recorded-date',
    scopeCategories: [
      `${conditionCategories}|encounter-diagnosis`,
      `${conditionCategories}|problem-list-item`,
      'http://hl7.org/fhir/us/core/CodeSystem/condition-category|health-concern',
    ],
  }),
  AllergyIntolerance: usCore('AllergyIntolerance', {
    patient: 'patient',
    parameters: [
      ['clinical-status', 'token', 'Whether it is active, inactive or resolved', conceptAt('clinicalStatus')],
    ],
    profiles: ['us-core-allergyintolerance'],
  }),
  Encounter: usCore('Encounter', {
    patient: 'subject',
    parameters: [
      ['class', 'token', 'Kind of visit, such as ambulatory or inpatient', codingAt('class')],
      ['type', 'token', 'Type of visit, by code', conceptAt('type')],
      ['date', 'date', 'When it took place', periodAt('period')],
      ['identifier', 'token', 'An identifier of the visit', identifierAt()],
      ['location', 'reference', 'Where it took place', referenceAt('location.location')],
      status('http://hl7.org/fhir/encounter-status'),
      [
        'discharge-disposition',
        'token',
        'Where the member went afterwards',
        conceptAt('hospitalization.dischargeDisposition'),
      ],
    ],
    includes: { participant: 'participant.individual', 'service-provider': 'serviceProvider' },
    profiles: ['us-core-encounter'],
    newestBy: 'date',
  }),
  Procedure: usCore('Procedure', {
    patient: 'subject',
    parameters: [
      coded,
      ['date', 'date', 'When it was performed', ...dateOrPeriodAt('performed')],
      status('http://hl7.org/fhir/event-status'),
    ],
    includes: { encounter: 'encounter', performer: 'performer.actor' },
    profiles: ['us-core-procedure'],
    newestBy: 'date',
  }),
  Observation: usCore('Observation', {
    patient: 'subject',
    parameters: [
      ['category', 'token', 'Such as laboratory, vital signs or social history', conceptAt('category')],
      coded,
      ['date', 'date', 'When it was observed', ...dateOrPeriodAt('effective'), dateAt('effectiveInstant')],
      status('http://hl7.org/fhir/observation-status'),
    ],
    includes: { encounter: 'encounter', performer: 'performer', specimen: 'specimen' },
    profiles: [
      'us-core-observation-lab',
      'us-core-observation-clinical-result',
      'us-core-observation-screening-assessment',
      'us-core-observation-occupation',
      'us-core-observation-pregnancyintent',
      'us-core-observation-pregnancystatus',
      'us-core-observation-sexual-orientation',
      'us-core-simple-observation',
      'us-core-smokingstatus',
      'us-core-vital-signs',
      'us-core-blood-pressure',
      'us-core-bmi',
      'us-core-body-height',
      'us-core-body-temperature',
      'us-core-body-weight',
      'us-core-head-circumference',
      'us-core-heart-rate',
      'us-core-pulse-oximetry',
      'us-core-respiratory-rate',
      'head-occipital-frontal-circumference-percentile',
      'pediatric-bmi-for-age',
      'pediatric-weight-for-height',
    ],
    newestBy: 'date',
    scopeCategories: [
      ...[
        'laboratory',
        'vital-signs',
        'social-history',
        'survey',
        'imaging',
        'procedure',
        'exam',
        'therapy',
        'activity',
      ].map((each) => `${observationCategories}|${each}`),
      ...['sdoh', 'functional-status', 'disability-status', 'cognitive-status'].map(
        (each) => `${usCoreCategories}|${each}`,
      ),
    ],
  }),
  DiagnosticReport: usCore('DiagnosticReport', {
    patient: 'subject',
    parameters: [
      category,
      coded,
      ['date', 'date', 'When the findings were made', ...dateOrPeriodAt('effective')],
      status('http://hl7.org/fhir/diagnostic-report-status'),
    ],
    includes: { encounter: 'encounter', result: 'result', performer: 'performer' },
    profiles: ['us-core-diagnosticreport-lab', 'us-core-diagnosticreport-note'],
    newestBy: 'date',
  }),
  MedicationRequest: usCore('MedicationRequest', {
    patient: 'subject',
    parameters: [
      [
        'intent',
        'token',
        'Order, plan or proposal',
        codeAt('intent', 'http://hl7.org/fhir/CodeSystem/medicationrequest-intent'),
      ],
      status('http://hl7.org/fhir/CodeSystem/medicationrequest-status'),
      ['authoredon', 'date', 'When it was prescribed', dateAt('authoredOn')],
      encounter,
    ],
    includes: { medication: 'medicationReference', requester: 'requester' },
    profiles: ['us-core-medicationrequest'],
    newestBy: 'authoredon',
  }),
  MedicationDispense: usCore('MedicationDispense', {
    patient: 'subject',
    parameters: [
      status('http://terminology.hl7.org/CodeSystem/medicationdispense-status'),
      ['type', 'token', 'First fill, refill or other', conceptAt('type')],
    ],
    includes: { medication: 'medicationReference' },
    profiles: ['us-core-medicationdispense'],
    // Loads may declare the PDex profile, but it is not supported in general: it requires a code for the medication, and the sandbox's
    // medications are resources of their own.
    acceptedProfiles: pdexProfiles('pdex-medicationdispense'),
  }),
  Immunization: usCore('Immunization', {
    patient: 'patient',
    parameters: [
      ['date', 'date', 'When the vaccine was given', dateAt('occurrenceDateTime')],
      status('http://hl7.org/fhir/event-status'),
    ],
    includes: { location: 'location' },
    profiles: ['us-core-immunization'],
    newestBy: 'date',
  }),
  CareTeam: usCore('CareTeam', {
    patient: 'subject',
    parameters: [
      status('http://hl7.org/fhir/care-team-status'),
      ['role', 'token', 'Role of a participant', conceptAt('participant.role')],
    ],
    includes: { participant: 'participant.member' },
    profiles: ['us-core-careteam'],
  }),
  CarePlan: usCore('CarePlan', {
    patient: 'subject',
    parameters: [
      category,
      ['date', 'date', 'The time the plan is for', periodAt('period')],
      status('http://hl7.org/fhir/request-status'),
    ],
    includes: { 'care-team': 'careTeam', condition: 'addresses', goal: 'goal' },
    profiles: ['us-core-careplan'],
    newestBy: 'date',
  }),
  Goal: usCore('Goal', {
    patient: 'subject',
    parameters: [
      [
        'lifecycle-status',
        'token',
        'Whether it is proposed, active or completed',
        codeAt('lifecycleStatus', 'http://hl7.org/fhir/goal-status'),
      ],
      ['target-date', 'date', 'When it should be reached', dateAt('target.dueDate')],
      ['description', 'token', 'The goal, by code', conceptAt('description')],
    ],
    profiles: ['us-core-goal'],
  }),
  Device: usCore('Device', {
    patient: 'patient',
    parameters: [
      ['type', 'token', 'Kind of device, by code', conceptAt('type')],
      status('http://hl7.org/fhir/device-status'),
    ],
    profiles: ['us-core-implantable-device'],
    otherProfiles: pdexProfiles('pdex-device'),
  }),
  ServiceRequest: usCore('ServiceRequest', {
    patient: 'subject',
    parameters: [
      category,
      coded,
      ['authored', 'date', 'When it was requested', dateAt('authoredOn')],
      status('http://hl7.org/fhir/request-status'),
    ],
    includes: { encounter: 'encounter', requester: 'requester' },
    profiles: ['us-core-servicerequest'],
    newestBy: 'authored',
  }),
  Specimen: usCore('Specimen', {
    patient: 'subject',
    parameters: [],
    profiles: ['us-core-specimen'],
  }),
  QuestionnaireResponse: usCore('QuestionnaireResponse', {
    patient: 'subject',
    parameters: [
      status('http://hl7.org/fhir/questionnaire-answers-status'),
      ['authored', 'date', 'When the questions were answered', dateAt('authored')],
    ],
    profiles: ['us-core-questionnaireresponse'],
    newestBy: 'authored',
  }),
  DocumentReference: usCore('DocumentReference', {
    patient: 'subject',
    parameters: [
      ['category', 'token', 'Category, such as clinical note', conceptAt('category')],
      ['type', 'token', 'Type of document, by code', conceptAt('type')],
      ['date', 'date', 'When the reference was made', dateAt('date')],
      ['period', 'date', 'The time of the care it tells of', periodAt('context.period')],
      status('http://hl7.org/fhir/document-reference-status'),
    ],
    includes: { author: 'author', encounter: 'context.encounter' },
    profiles: ['us-core-documentreference'],
    newestBy: 'date',
  }),
  Binary: {
    interactions: ['read'],
    patientElement: 'securityContext',
    searchParameters: [],
    includes: [],
    revIncludes: [],
    supportedProfiles: [],
  },
  Provenance: {
    interactions: ['read', 'search-type'],
    patientElement: 'target',
    searchParameters: [
      parameter(
        'patient',
        'reference',
        `${core}/Provenance-patient`,
        'The member, where the Patient is among the targets',
        referenceAt('target', 'Patient'),
      ),
      parameter(
        'target',
        'reference',
        `${core}/Provenance-target`,
        'A resource it tells the source of',
        referenceAt('target'),
      ),
      parameter(
        'recorded',
        'date',
        `${core}/Provenance-recorded`,
        'When the source was recorded',
        dateAt('recorded'),
      ),
    ],
    includes: ['patient', 'target'],
    revIncludes: [],
    supportedProfiles: [
      ...usCoreProfiles('us-core-provenance', ['6.1.0']),
      ...pdexProfiles('pdex-provenance'),
    ],
    newestBy: 'recorded',
  },
} as const satisfies Readonly<Partial<Record<ResourceType, ServedResource>>>;
