/** Adds faults of real directories to a few records, for the truth report to find. */

import type { DirectoryType } from '../../../lambdas/catalog/fhir/directory-types.ts';
import { luhnDigit } from '../record/parties.ts';
import { extensionOf, npi } from './vocabulary.ts';

type Resource = Readonly<Record<string, unknown>> & {
  readonly resourceType: DirectoryType;
  readonly id: string;
};
type Fault = (record: Resource) => Readonly<Record<string, unknown>>;

/** Number of records after which the same fault occurs again. */
const every = 60;

const phones = (value: string) => [{ system: 'phone', value, rank: 1 }];

/** Faults by type, and by the remainder of the record's number divided by `every`. The first record of a type has no fault. */
const faults: Readonly<Partial<Record<DirectoryType, Readonly<Record<number, Fault>>>>> = {
  Practitioner: {
    // No NPI.
    11: () => ({ identifier: [{ system: 'https://directory.example/license', value: 'D-11' }] }),
    // First the NPI of another practitioner, then an NPI with a wrong check digit.
    22: () => ({ identifier: [{ system: npi, value: `200000001${luhnDigit('80840200000001')}` }] }),
    33: () => ({
      identifier: [{ system: npi, value: `200000033${(luhnDigit('80840200000033') + 1) % 10}` }],
    }),
  },
  Location: {
    // In turn: no street, no phone number, an impossible phone number.
    11: ({ address }) => ({ address: { ...(address as object), line: undefined } }),
    22: () => ({ telecom: undefined }),
    33: () => ({ telecom: phones('000-000-0000') }),
  },
  PractitionerRole: {
    // No network.
    11: ({ extension }) => ({
      extension: (extension as readonly { readonly url: string }[]).filter(
        ({ url }) => url !== extensionOf('network-reference'),
      ),
    }),
  },
  InsurancePlan: {
    // No network.
    5: () => ({ network: undefined }),
  },
};

/**
 * Adds the record's fault, if it is one of the few that have one.
 *
 * @param index of the record within its type
 */
export function withFault<Record extends Resource>(record: Record, index: number): Record {
  const fault = faults[record.resourceType]?.[index % every];
  return fault === undefined ? record : { ...record, ...fault(record) };
}
