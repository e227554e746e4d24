/** The courses of treatment of each test member over the years. */

import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { DatedTreatment } from './dated-treatment.ts';
import type { ClaimKind } from './model.ts';
import { corrected, diabetesCare, fills } from './ongoing-care.ts';
import type { TreatmentName } from './treatments.ts';

export interface ClaimHistory {
  /** Description in words: "claims of all five kinds". */
  readonly about: string;
  readonly treatments: readonly DatedTreatment[];
  /** If set, only claims of this kind are generated, as if another plan had the others. */
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

/** Claims of one member, more than fit on a page of 20. */
const long: ClaimHistory = {
  about: 'claims of all five kinds, on more than one page',
  treatments: [
    treatmentIn('2019-06', 'teeth'),
    treatmentIn('2020-09', 'bronchitis', 'outside'),
    treatmentIn('2021-11', 'ankle'),
    treatmentIn('2022-08', 'filling'),
    treatmentIn('2022-10', 'checkup'),
    treatmentIn('2023-10', 'checkup', 'twice'),
    treatmentIn('2024-01', 'pneumonia'),
    treatmentIn('2024-06', 'colon'),
    treatmentIn('2024-10', 'checkup'),
    treatmentIn('2025-01', 'knee'),
    ...corrected(diabetesCare({ since: '2025-08', visitsAYear: 2 })),
    treatmentIn('2025-10', 'checkup'),
    treatmentIn('2026-01', 'teeth'),
    treatmentIn('2026-05', 'soreMouth'),
  ],
};

const short: ClaimHistory = {
  about: 'a few claims of all five kinds',
  treatments: [
    treatmentIn('2021-07', 'filling'),
    treatmentIn('2023-05', 'pneumonia', 'corrected'),
    treatmentIn('2024-02', 'ankle'),
    treatmentIn('2025-10', 'checkup'),
    treatmentIn('2026-09', 'bronchitis', 'outside'),
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
      treatmentIn('2026-08', 'pneumonia', 'twice'),
    ],
  },
  outpatient: {
    about: 'claims of a hospital’s outpatient services and no others',
    only: 'outpatient',
    treatments: [
      treatmentIn('2019-08', 'ankle', 'corrected'),
      treatmentIn('2022-05', 'colon'),
      treatmentIn('2026-08', 'ankle', 'twice'),
    ],
  },
  professional: {
    about: 'claims of doctors, laboratories and suppliers and no others',
    only: 'professional',
    treatments: [
      treatmentIn('2020-09', 'bronchitis', 'outside'),
      treatmentIn('2023-10', 'checkup'),
      treatmentIn('2024-01', 'knee'),
      treatmentIn('2024-10', 'checkup', 'twice'),
      treatmentIn('2025-05', 'pneumonia'),
      treatmentIn('2025-07', 'ankle'),
      ...corrected(diabetesCare({ since: '2025-09', visitsAYear: 2 })),
      treatmentIn('2025-10', 'checkup'),
      treatmentIn('2026-02', 'colon'),
    ],
  },
  pharmacy: {
    about: 'claims of pharmacies and no others',
    only: 'pharmacy',
    treatments: [
      treatmentIn('2020-09', 'bronchitis'),
      treatmentIn('2025-01', 'pneumonia', 'twice'),
      treatmentIn('2025-06', 'soreMouth'),
      ...corrected(fills('statin', '2025-11', 3)),
      ...fills('metformin', '2025-11', 3),
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
      treatmentIn('2026-09', 'bridge'),
    ],
  },
};

/**
 * The second member of each LOB has claims of one kind only, because a conformance suite judges all claims of a member by the profile under
 * test.
 */
const second: Readonly<Record<LineOfBusiness, ClaimHistory>> = {
  CHPDC: oneKind.inpatient,
  CHPMD: oneKind.outpatient,
  DSNP: oneKind.professional,
  MAPD: oneKind.pharmacy,
  MHBE: short,
  EGWP: oneKind.oral,
};

/**
 * The history of a member.
 *
 * @param index of the member within the LOB.
 */
export function historyOf(lob: LineOfBusiness, index: number): ClaimHistory {
  return [long, second[lob]][index] ?? none;
}
