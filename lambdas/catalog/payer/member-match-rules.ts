/** Table of the rules by which `$member-match` compares another payer's member with a member on file. */

/** `equal`: both sides have the element, and it is equal. `not different`: one side may lack it. `any`: it is not compared. */
type Need = 'equal' | 'not different' | 'any';

interface MemberMatchRule {
  readonly element: string;
  readonly comparison: 'exact' | 'known parts' | 'normalized' | 'five digits';
  readonly needs: Need;
  /** Rules for a member on file whose month or day of birth is unknown: other elements must match where the date tells nothing. */
  readonly needsWithPartialBirthDate: Need;
}

/**
 * The rules of a match beside the member identifier, which finds the member on file. All of them must hold: no identifier, name or
 * birth date is ever enough alone. A name is the family name with the first given name of one HumanName.
 */
export const memberMatchRules = [
  {
    element: 'Patient.birthDate',
    comparison: 'known parts',
    needs: 'equal',
    needsWithPartialBirthDate: 'equal',
  },
  {
    element: 'Patient.name',
    comparison: 'normalized',
    needs: 'equal',
    needsWithPartialBirthDate: 'equal',
  },
  {
    element: 'Patient.gender',
    comparison: 'exact',
    needs: 'not different',
    needsWithPartialBirthDate: 'equal',
  },
  {
    element: 'Patient.address.postalCode',
    comparison: 'five digits',
    needs: 'any',
    needsWithPartialBirthDate: 'equal',
  },
] as const satisfies readonly MemberMatchRule[];

export const memberMatchLimits = {
  /** Identifiers in one request. Each is one more guess, so a request with more is refused. */
  identifiers: 5,
  /** Names of MemberPatient, for the same reason. */
  names: 5,
  /** Entries of any other repeated element. */
  entries: 50,
  /** Nesting levels of a resource: no profile needs a third of them. */
  levels: 64,
  /** Bytes of a Consent, serialized: it is kept with the grant, in an item of 400 KB at most. */
  consentBytes: 256_000,
  /** Seconds a matched payer reads the member at most; the next match prolongs it. */
  accessSeconds: 90 * 24 * 60 * 60,
  /** Matched members that a search which names none goes over, and that one may name. */
  membersInSearch: 20,
  /** Keys that a read or search by ID looks up in the records of matched members, those matched last first. */
  lookups: 1000,
  /**
   * Milliseconds: a response that no single member matched is sent at a whole multiple of this after the request, so that its time tells
   * nothing.
   */
  refusalStepMilliseconds: 100,
  /** Milliseconds: the same for a response that the payer has not matched a Patient. */
  notFoundStepMilliseconds: 25,
} as const;

export type ComparedElement = (typeof memberMatchRules)[number]['element'];
