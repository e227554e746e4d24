/** Synthetic claims: each member's courses of treatment over the years. */

import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ClaimKind } from './model.ts';
import type { TreatmentName } from './treatments.ts';

/** A story in a member's life. */
export interface DatedTreatment {
  readonly treatment: TreatmentName;
  /** `YYYY-MM`; the day is drawn. */
  readonly month: string;
  /** The special case of its first claim: a duplicate, a correction, or a provider outside the network. */
  readonly exception?: 'twice' | 'corrected' | 'outside';
  /** The kind of that claim. @default the first of the treatment's */
  readonly exceptionalKind?: ClaimKind;
}

export interface ClaimHistory {
  /** For people: "claims of all five kinds". */
  readonly about: string;
  readonly treatments: readonly DatedTreatment[];
  /** Only the claims of this kind; the others' are with another plan. */
  readonly only?: ClaimKind;
}

const treatmentIn = (
  month: string,
  treatment: TreatmentName,
  exception?: DatedTreatment['exception'],
): DatedTreatment => ({
  month,
  treatment,
  ...(exception === undefined ? {} : { exception }),
});

/** More than a page of 20. */
const long: ClaimHistory = {
  about: 'claims of all five kinds, on more than one page',
  treatments: [
    treatmentIn('2019-03', 'checkup'),
    treatmentIn('2019-06', 'teeth'),
    treatmentIn('2019-10', 'cholesterol', 'corrected'),
    treatmentIn('2020-09', 'bronchitis', 'outside'),
    treatmentIn('2021-04', 'checkup', 'twice'),
    treatmentIn('2021-11', 'ankle'),
    treatmentIn('2022-08', 'filling'),
    treatmentIn('2023-03', 'checkup'),
    treatmentIn('2023-09', 'diabetes'),
    treatmentIn('2024-01', 'pneumonia'),
    treatmentIn('2024-06', 'colon'),
    treatmentIn('2024-10', 'knee'),
    treatmentIn('2025-03', 'checkup'),
    treatmentIn('2025-08', 'soreMouth'),
    treatmentIn('2026-01', 'teeth'),
  ],
};

const short: ClaimHistory = {
  about: 'a few claims of all five kinds',
  treatments: [
    treatmentIn('2020-03', 'checkup'),
    treatmentIn('2021-07', 'filling'),
    treatmentIn('2023-05', 'pneumonia', 'corrected'),
    treatmentIn('2024-02', 'ankle'),
    treatmentIn('2025-10', 'bronchitis', 'outside'),
  ],
};

const none: ClaimHistory = { about: 'no claims yet', treatments: [] };

const oneKind: Readonly<Record<ClaimKind, ClaimHistory>> = {
  inpatient: {
    about: 'hospital stays and no other claims',
    only: 'inpatient',
    treatments: [
      treatmentIn('2019-02', 'pneumonia'),
      treatmentIn('2022-05', 'knee', 'corrected'),
      treatmentIn('2025-01', 'pneumonia', 'twice'),
    ],
  },
  outpatient: {
    about: 'claims of a hospital’s outpatient services and no others',
    only: 'outpatient',
    treatments: [
      treatmentIn('2019-08', 'ankle', 'corrected'),
      treatmentIn('2022-05', 'colon'),
      treatmentIn('2025-04', 'ankle', 'twice'),
    ],
  },
  professional: {
    about: 'claims of doctors, laboratories and suppliers and no others',
    only: 'professional',
    treatments: [
      treatmentIn('2019-03', 'checkup'),
      treatmentIn('2020-09', 'bronchitis', 'outside'),
      treatmentIn('2021-04', 'checkup', 'twice'),
      treatmentIn('2023-09', 'diabetes', 'corrected'),
      treatmentIn('2024-10', 'knee'),
      treatmentIn('2025-03', 'checkup'),
      treatmentIn('2025-05', 'pneumonia'),
      treatmentIn('2025-07', 'ankle'),
      treatmentIn('2025-10', 'colon'),
    ],
  },
  pharmacy: {
    about: 'claims of pharmacies and no others',
    only: 'pharmacy',
    treatments: [
      treatmentIn('2019-10', 'cholesterol'),
      treatmentIn('2020-09', 'bronchitis'),
      treatmentIn('2023-09', 'diabetes', 'corrected'),
      treatmentIn('2025-01', 'pneumonia', 'twice'),
      treatmentIn('2025-06', 'soreMouth'),
    ],
  },
  oral: {
    about: 'dental claims and no others',
    only: 'oral',
    treatments: [
      treatmentIn('2019-06', 'teeth'),
      treatmentIn('2020-10', 'filling', 'corrected'),
      treatmentIn('2022-06', 'teeth', 'twice'),
      treatmentIn('2024-06', 'teeth'),
      treatmentIn('2025-05', 'straightening'),
      treatmentIn('2026-01', 'bridge'),
    ],
  },
};

/**
 * A conformance suite judges all claims of a member by the profile it looks at: so there is, for each kind, a member with that
 * kind alone.
 */
const second: Readonly<Record<LineOfBusiness, ClaimHistory>> = {
  CHPDC: oneKind.inpatient,
  CHPMD: oneKind.outpatient,
  DSNP: oneKind.professional,
  MAPD: oneKind.pharmacy,
  MHBE: short,
  EGWP: oneKind.oral,
};

/** @param index of the member among those of the LOB. */
export function historyOf(lob: LineOfBusiness, index: number): ClaimHistory {
  return [long, second[lob]][index] ?? none;
}
