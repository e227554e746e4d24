/** Fields of a payer's organization identifiers, for the payer's sign-up and the operator's verification. */

export const identifierFields = [
  {
    field: 'npi',
    label: 'NPI',
    hint: 'National Provider Identifier. Enter 10 digits.',
    inputMode: 'numeric',
    width: 'medium',
  },
  {
    field: 'naicCompanyCode',
    label: 'NAIC company code',
    hint: 'Enter 5 digits.',
    inputMode: 'numeric',
    width: 'medium',
  },
  {
    field: 'taxIdentificationNumber',
    label: 'Tax identification number',
    hint: 'Enter 9 digits, like 12-3456789.',
    inputMode: 'numeric',
    width: 'medium',
  },
  {
    field: 'oid',
    label: 'OID',
    hint: 'Enter numbers with dots, like 2.16.840.1.113883.3.1.',
    inputMode: 'url',
    width: 'large',
  },
] as const;
