/** Generates a member's clinical data from the member's claims. */

import type { Claim } from '../claims/claim.ts';
import { concept } from '../record/codes.ts';
import { internalPrefix } from '../record/internal-prefix.ts';
import type { Parties, ProviderKind } from '../record/parties.ts';
import type { SyntheticPerson } from '../record/patient.ts';
import { type PseudoRandom, pseudoRandom } from '../record/pseudo-random.ts';
import type { Draft } from '../record/resource.ts';
import { allergiesOf, careOf, type NoteKind, noteKindsOf, noteOf, provenancesOf } from './care.ts';
import { type ClinicalRecord, clinical, refer, type Visit } from './clinical-record.ts';
import { medicinesOf } from './medicines.ts';
import { imagingOf, pathologyOf } from './reports.ts';
import { bloodCountOf, checksOf } from './results.ts';
import { answersOf } from './screenings.ts';
import {
  onsetsOf,
  problemsOf,
  proceduresOf,
  vaccinesOf,
  visitDiagnoses,
  visitOf,
  visitProvider,
} from './visits.ts';
import { vitalSignsOf } from './vital-signs.ts';

export interface ClaimsOfMember {
  readonly person: SyntheticPerson;
  readonly parties: Parties;
  readonly claims: readonly Claim[];
  /** The member's coverage and claims, and the policyholder. */
  readonly own: readonly Draft[];
}

/** Earliest date of a record, the same as of the plan's own resources. */
const known = '2018-01-02';

/**
 * Generates a member's clinical data: exactly what the claims imply; none without claims. Locations, roles and medications have the same
 * IDs and text for every member of a LOB.
 *
 * @param seed of the environment.
 */
export function memberClinical(
  seed: string,
  { person, parties, claims, own }: ClaimsOfMember,
): readonly Draft[] {
  const { insurer, providers } = parties;
  const random = pseudoRandom(`${seed}/${person.lob}/${person.patientId}/clinical`);
  const shared = createShared(seed, person, parties);
  const visited = claims.flatMap((claim) => {
    const provider = visitProvider(claim);
    return provider === undefined ? [] : [{ claim, provider, organization: provider.organization }];
  });
  const problems = problemsOf(random, visited);
  const onsets = onsetsOf(visited);
  const visits = visited.map(({ claim, provider }) => {
    const codes = claim.service.diagnoses.map(({ code }) => code);
    const problem = problems.find(({ draft }) => codes.some((code) => isCodedAs(draft, code)));
    return visitOf(random, claim, provider, shared.location(kindOf(claim)), problem?.draft, onsets);
  });
  const checkups = visits.filter(({ claim }) => isCheckup(claim));
  const home = visits.find(({ organization }) => organization === providers['primary care'].organization);
  const records: ClinicalRecord[] = [
    ...visits.map(({ encounter, organization }) => ({ draft: encounter, from: organization })),
    ...problems,
    ...visits.flatMap((visit) =>
      ofVisit(random, visit, shared.location(kindOf(visit.claim)), checkups.indexOf(visit)),
    ),
    ...claims.flatMap((claim) => bloodCountOf(random, claim, visits)),
    ...medicinesOf(random, claims, visits, shared.medication),
    ...(home === undefined
      ? []
      : [
          ...allergiesOf(random, home),
          ...careOf(
            random,
            person,
            home,
            shared.role(),
            problems.map(({ draft }) => draft),
          ),
        ]),
    ...lastNotes(visits).flatMap(([kind, visit], at) =>
      noteOf(random, visit, kind, at % 2 === 0 ? 'Binary' : 'inline'),
    ),
  ];
  const plans = own.map((draft) => ({ draft, from: insurer }));
  const provenances =
    records.length === 0 ? [] : provenancesOf(random, person, parties, [...plans, ...records]);
  return [...records.map(({ draft }) => draft), ...provenances, ...shared.made()];
}

/** For each kind of note, the last visit after which one was written. */
function lastNotes(visits: readonly Visit[]): readonly (readonly [NoteKind, Visit])[] {
  return [...new Map(visits.flatMap((visit) => noteKindsOf(visit).map((kind) => [kind, visit] as const)))];
}

/**
 * The records of a visit.
 *
 * @param checkup number of the check-up among the member's; -1 for another visit
 */
function ofVisit(
  random: PseudoRandom,
  visit: Visit,
  location: Draft,
  checkup: number,
): readonly ClinicalRecord[] {
  const isCheckedUp = checkup >= 0;
  return [
    ...visitDiagnoses(random, visit),
    ...proceduresOf(random, visit),
    ...vaccinesOf(random, visit, location),
    ...vitalSignsOf(random, visit, isCheckedUp ? checkup : undefined),
    ...checksOf(random, visit),
    ...imagingOf(random, visit),
    ...pathologyOf(random, visit),
    ...(isCheckedUp ? answersOf(random, visit, checkup) : []),
  ];
}

/** Codes of HCPCS Level II for a yearly wellness visit and a child's check-up. */
const checkupCodes = ['G0439', 'S0302'];

function isCheckup({ service }: Claim): boolean {
  return service.lines.some(({ code }) => checkupCodes.includes(code ?? ''));
}

function isCodedAs({ code }: Draft, wanted: string): boolean {
  return JSON.stringify(code).includes(`"${wanted}"`);
}

function kindOf({ service }: Claim): ProviderKind {
  return service.kind === 'professional' ? service.by : 'hospital';
}

/** Makes the functions that return resources shared by members of a LOB; each is created for the first record that refers to it. */
function createShared(seed: string, { lob }: SyntheticPerson, { providers, resources }: Parties) {
  const made = new Map<string, Draft>();
  const once = (key: string, make: (random: PseudoRandom) => Draft): Draft => {
    const present = made.get(key) ?? make(pseudoRandom(`${seed}/shared/${lob}/${key}`));
    made.set(key, present);
    return present;
  };
  const organizationOf = (kind: ProviderKind) => {
    const { reference } = providers[kind].organization;
    return resources.find(({ resourceType, id }) => `${resourceType}/${id}` === reference);
  };
  const location = (kind: ProviderKind): Draft =>
    once(`Location/${providers[kind].organization.reference}`, (random) => {
      const organization = organizationOf(kind);
      const [address] = (organization?.address ?? []) as readonly unknown[];
      return clinical(
        random,
        'Location',
        ['us-core-location'],
        {
          status: 'active',
          name: organization?.name,
          telecom: organization?.telecom,
          address,
          managingOrganization: providers[kind].organization,
        },
        known,
      );
    });
  return {
    location,
    role: (): Draft =>
      once(`PractitionerRole/${providers['primary care'].organization.reference}`, (random) => {
        const { organization, practitioner } = providers['primary care'];
        const { taxonomy = '', ...doctor } = practitioner ?? {};
        return clinical(
          random,
          'PractitionerRole',
          ['us-core-practitionerrole'],
          {
            active: true,
            practitioner: doctor,
            organization,
            code: [concept('taxonomy', taxonomy)],
            specialty: [concept('taxonomy', taxonomy)],
            location: [refer(location('primary care'))],
            telecom: organizationOf('primary care')?.telecom,
            endpoint: [
              {
                identifier: {
                  system: `${internalPrefix}/identifier/direct-address`,
                  value: random.digits(8),
                },
                display: 'Secure mailbox of the practice',
              },
            ],
          },
          known,
        );
      }),
    medication: (ndc: string, elements: Readonly<Record<string, unknown>>): Draft =>
      once(`Medication/${ndc}`, (random) =>
        clinical(random, 'Medication', ['us-core-medication'], elements, known),
      ),
    made: () => [...made.values()],
  };
}
