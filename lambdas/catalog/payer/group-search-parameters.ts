/** Table of the search parameters of groups of matched members. A Group in a search response has no members; a read returns them. */
export const groupSearchParameters = [
  { name: '_id', type: 'token', documentation: 'ID of a group.' },
  { name: '_lastUpdated', type: 'date', documentation: 'Time of the match.' },
  {
    name: 'identifier',
    type: 'token',
    documentation: 'Identifier of the organization that matched the members.',
  },
  {
    name: 'code',
    type: 'token',
    documentation: 'Outcome of the members: match, nomatch or consentconstraint.',
  },
  {
    name: 'characteristic',
    type: 'token',
    documentation: 'Outcome of the members: match, nomatch or consentconstraint.',
  },
  {
    name: 'characteristic-value-reference',
    type: 'reference',
    documentation:
      'Identifier of the organization that matched the members, with the modifier `:identifier`.',
  },
] as const;
