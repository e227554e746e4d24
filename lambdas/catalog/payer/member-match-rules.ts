/** Table of the rules by which `$member-match` compares another payer's member with a member on file. */

interface MemberMatchRule {
  readonly element: string;
  readonly comparison: 'exact' | 'normalized';
  /** `equal`: both sides have the element, and it is equal. `not different`: one side may lack it. */
  readonly needs: 'equal' | 'not different';
}

/**
 * The rules of a match beside the member identifier, which finds the member on file. All of them must hold: no identifier, name or
 * birth date is ever enough alone.
 */
export const memberMatchRules = [
  { element: 'Patient.birthDate', comparison: 'exact', needs: 'equal' },
  { element: 'Patient.name.family', comparison: 'normalized', needs: 'equal' },
  { element: 'Patient.name.given', comparison: 'normalized', needs: 'equal' },
  { element: 'Patient.gender', comparison: 'exact', needs: 'not different' },
] as const satisfies readonly MemberMatchRule[];

export const memberMatchLimits = {
  /** Identifiers of one request that are looked up. A request with more is compared by the first ones. */
  identifiers: 5,
  /** Bytes of a Consent, serialized: it is kept with the grant, in an item of 400 KB at most. */
  consentBytes: 256_000,
  /** Seconds a matched payer reads the member at most; the next match prolongs it. */
  accessSeconds: 90 * 24 * 60 * 60,
  /** Matched members that a search which names none goes over, and that one may name. */
  membersInSearch: 20,
  /** Keys that a read or search by ID looks up in the records of matched members, those matched last first. */
  lookups: 1000,
  /** A response that no single member matched is sent at a whole multiple of this since the request. */
  refusalStepMilliseconds: 100,
  /** The same of a response that a Patient was not matched by the payer that asks. */
  notFoundStepMilliseconds: 25,
} as const;

export type ComparedElement = (typeof memberMatchRules)[number]['element'];
