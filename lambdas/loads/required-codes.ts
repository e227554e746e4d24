/** Codes of the elements that R4 binds to a fixed list, by type (http://hl7.org/fhir/R4/terminologies.html#required). */

const claim = 'active cancelled draft entered-in-error';
const request = 'draft active on-hold revoked completed entered-in-error unknown';
const observation = 'registered preliminary final amended corrected cancelled entered-in-error unknown';
const intent = 'proposal plan order original-order reflex-order filler-order instance-order option';

/** Space-separated codes by type and element. Elements of a list inside a resource are not among them. */
const table: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Patient: { gender: 'male female other unknown' },
  Coverage: { status: claim },
  ExplanationOfBenefit: {
    status: claim,
    use: 'claim preauthorization predetermination',
    outcome: 'queued complete error partial',
  },
  Encounter: {
    status: 'planned arrived triaged in-progress onleave finished cancelled entered-in-error unknown',
  },
  Procedure: {
    status: 'preparation in-progress not-done on-hold stopped completed entered-in-error unknown',
  },
  Observation: { status: observation },
  DiagnosticReport: { status: `${observation} partial appended` },
  MedicationRequest: {
    status: 'active on-hold cancelled completed entered-in-error stopped draft unknown',
    intent,
  },
  MedicationDispense: {
    status: 'preparation in-progress cancelled on-hold completed entered-in-error stopped declined unknown',
  },
  Medication: { status: 'active inactive entered-in-error' },
  Immunization: { status: 'completed entered-in-error not-done' },
  CareTeam: { status: 'proposed active suspended inactive entered-in-error' },
  CarePlan: { status: request, intent: 'proposal plan order option' },
  ServiceRequest: { status: request, intent: `${intent} directive` },
  Goal: {
    lifecycleStatus: 'proposed planned accepted active on-hold completed cancelled entered-in-error rejected',
  },
  Device: { status: 'active inactive entered-in-error unknown' },
  Specimen: { status: 'available unavailable unsatisfactory entered-in-error' },
  QuestionnaireResponse: { status: 'in-progress completed amended entered-in-error stopped' },
  DocumentReference: { status: 'current superseded entered-in-error' },
  Location: { status: 'active suspended inactive' },
};

const codesOf = new Map(
  Object.entries(table).map(([type, elements]) => [
    type,
    Object.entries(elements).map(
      ([element, codes]) => [element, new Set<unknown>(codes.split(' '))] as const,
    ),
  ]),
);

/** The first element of a resource whose code is not in its list; undefined where all are, or are missing. */
export function elementOfUnknownCode(
  type: string,
  content: Readonly<Record<string, unknown>>,
): string | undefined {
  return codesOf
    .get(type)
    ?.find(([element, codes]) => content[element] !== undefined && !codes.has(content[element]))?.[0];
}
