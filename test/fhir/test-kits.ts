/**
 * The searches that Inferno's test kits make of a server, as facts in our own words: parameters sent together, includes, and types. US
 * Core's combinations are the guide's, in `us-core-6.1.0-server.json`.
 *
 * @see https://github.com/inferno-framework: carin-for-blue-button-test-kit (2.0.0), us-core-test-kit (6.1.0), davinci-pdex-test-kit,
 *   davinci-plan-net-test-kit (1.1.0)
 */
import usCore from './us-core-6.1.0-server.json' with { type: 'json' };

export interface KitSearches {
  readonly searches: readonly (readonly string[])[];
  /** Parameters of `_include`, or `parameter:Target`. */
  readonly includes?: readonly string[];
  /** Whether the kit also sends `_revinclude=Provenance:target`. */
  readonly provenance?: boolean;
}

type Kit = Readonly<Record<string, KitSearches>>;

const each = (names: string) => names.split(' ').map((name) => [name]);
const byId = { searches: each('_id _lastUpdated') };

/** CARIN for Blue Button. The kit sends each search parameter alone. */
export const carinKit: Kit = {
  Coverage: { ...byId, includes: ['payor'] },
  ExplanationOfBenefit: {
    searches: each(
      '_id _lastUpdated patient type identifier service-date service-start-date billable-period-start',
    ),
    includes: ['patient', 'provider', 'care-team', 'coverage', 'insurer', 'payee', '*'],
  },
  Organization: byId,
  Patient: byId,
  Practitioner: byId,
  RelatedPerson: byId,
};

/** PDex: the searches that a payer is tested for in addition to US Core. */
export const pdexKit: Kit = {
  Device: { searches: [['patient'], ['patient', 'status'], ['patient', 'type']], provenance: true },
  ExplanationOfBenefit: {
    searches: [
      ...each('_id patient identifier'),
      ...['_lastUpdated', 'type', 'service-date'].map((name) => ['patient', name]),
    ],
    includes: ['patient', 'provider', 'care-team', 'coverage', 'insurer', '*'],
  },
  MedicationDispense: {
    searches: [['patient'], ['patient', 'status'], ['patient', 'status', 'type']],
    includes: ['medication'],
    provenance: true,
  },
};

/** Combinations that the US Core kit sends and that the guide's CapabilityStatement does not have, by type. */
const usCoreOwn: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ...Object.fromEntries(
    ['DocumentReference', 'Encounter', 'Patient', 'Practitioner', 'QuestionnaireResponse'].map((type) => [
      type,
      [['_id']],
    ]),
  ),
  Coverage: [['patient']],
};

/** Types that the kit does not search for in a member's record. */
const elsewhere = [
  'Endpoint',
  'HealthcareService',
  'Location',
  'Media',
  'Provenance',
  'Medication',
  'Questionnaire',
  'ValueSet',
];

/** US Core: combinations with SHALL and SHOULD. */
export const usCoreKit: Kit = Object.fromEntries(
  Object.entries(usCore.resources)
    .filter(([type]) => !elsewhere.includes(type))
    .map(([type, { parameters, combinations, should, includes, revIncludes }]) => [
      type,
      {
        searches: [
          ...parameters.map((name) => [name]),
          ...combinations,
          ...should.combinations,
          ...(usCoreOwn[type] ?? []),
        ],
        includes: includes.map((include) => include.slice(type.length + 1)),
        provenance: revIncludes.length > 0,
      },
    ]),
);
