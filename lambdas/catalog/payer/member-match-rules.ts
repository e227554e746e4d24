/** Table of the rules by which `$member-match` compares the submitted member with a member on file. */

/**
 * Condition on an element. `equal`: both members have the element, with the same value. `not different`: one of them may lack it. `any`: it
 * is not compared.
 */
type Need = 'equal' | 'not different' | 'any';

interface MemberMatchRule {
  readonly element: string;
  readonly comparison: 'exact' | 'known parts' | 'normalized' | 'five digits';
  readonly needs: Need;
  /**
   * Condition for a member on file whose month or day of birth is unknown. Other elements must be equal then, because the date says less.
   */
  readonly needsWithPartialBirthDate: Need;
}

/**
 * Rules of a match. The member identifier finds the member on file, and then all rules must hold: identifier, name or birth date alone
 * never suffice. A name is the family name with the first given name of the same HumanName.
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
  /** Maximum identifiers in one request, since each is another guess. A request with more is refused. */
  identifiers: 5,
  /** Maximum names of MemberPatient, for the same reason. */
  names: 5,
  /** Maximum elements of any other list. */
  entries: 50,
  /** Maximum nesting levels of a resource, three times those of any profile. */
  levels: 64,
  /** Maximum bytes of a Consent, serialized. It is stored with the grant, in an item of at most 400 KB. */
  consentBytes: 256_000,
  /** Seconds that a payer may read a matched member; another match extends the access. */
  accessSeconds: 90 * 24 * 60 * 60,
  /** Maximum matched members that a search covers, whether it names them or not. */
  membersInSearch: 20,
  /** Maximum keys that a read or search by ID looks up in the records of matched members; those matched last are looked up first. */
  lookups: 1000,
  /** Milliseconds. A response that no single member matched is delayed to a multiple of this, so that its time reveals nothing. */
  refusalStepMilliseconds: 100,
  /** Milliseconds. A response that the payer has not matched a Patient is delayed to a multiple of this. */
  notFoundStepMilliseconds: 25,
} as const;

export type ComparedElement = (typeof memberMatchRules)[number]['element'];
