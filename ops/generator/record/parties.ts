/** Generates the plan and the providers that claims refer to. */

import {
  type LineOfBusiness,
  lineOfBusinessCodes,
  linesOfBusiness,
} from '../../../lambdas/catalog/lines-of-business.ts';
import { concept, systems } from './codes.ts';
import { areaCodes } from './people.ts';
import { type PseudoRandom, pseudoRandom } from './pseudo-random.ts';
import { type Draft, draft, identifier } from './resource.ts';

/** Kinds of providers; every member has one provider of each kind. */
export type ProviderKind =
  | 'primary care'
  | 'urgent care'
  | 'laboratory'
  | 'supplier'
  | 'ambulance'
  | 'emergency medicine'
  | 'gastroenterology'
  | 'orthopedics'
  | 'hospital'
  | 'pharmacy'
  | 'dentist';

interface Outfit {
  /** Visibly invented names, by state. */
  readonly names: Readonly<Record<'DC' | 'MD', string>>;
  readonly street: string;
  /** Last digits of a phone number in the fictitious range 555-0100 to 555-0199. */
  readonly phone: string;
  /** The practitioner who sees members, with a NUCC taxonomy code; absent if nobody does, as in a laboratory. */
  readonly practitioner?: { readonly taxonomy: string; readonly family: string; readonly given: string };
}

const outfits: Readonly<Record<ProviderKind, Outfit>> = {
  'primary care': {
    names: { DC: 'Mockwell Family Practice', MD: 'Samplefield Family Practice' },
    street: '10 Specimen Street',
    phone: '0191',
    practitioner: { taxonomy: '207Q00000X', family: 'Draftley', given: 'Marisol' },
  },
  'urgent care': {
    names: { DC: 'Pretend Urgent Care', MD: 'Fictional Urgent Care' },
    street: '18 Facsimile Drive',
    phone: '0197',
    practitioner: { taxonomy: '207P00000X', family: 'Replicant', given: 'Orson' },
  },
  laboratory: {
    names: { DC: 'Testwater Laboratory', MD: 'Trialbrook Laboratory' },
    street: '22 Placeholder Avenue',
    phone: '0192',
  },
  supplier: {
    names: { DC: 'Standin Home Supplies', MD: 'Fixture Home Supplies' },
    street: '31 Sketch Lane',
    phone: '0193',
  },
  ambulance: {
    names: { DC: 'Makebelieve Ambulance', MD: 'Storybook Ambulance' },
    street: '3 Imaginary Alley',
    phone: '0198',
  },
  'emergency medicine': {
    names: { DC: 'Mockup Emergency Physicians', MD: 'Likeness Emergency Physicians' },
    street: '402 Pattern Parkway',
    phone: '0187',
    practitioner: { taxonomy: '207P00000X', family: 'Simulant', given: 'Beatrix' },
  },
  gastroenterology: {
    names: { DC: 'Facsimile Digestive Care', MD: 'Diagram Digestive Care' },
    street: '404 Pattern Parkway',
    phone: '0186',
    practitioner: { taxonomy: '207RG0100X', family: 'Tracing', given: 'Ambrose' },
  },
  orthopedics: {
    names: { DC: 'Scaffold Orthopedics', MD: 'Framework Orthopedics' },
    street: '406 Pattern Parkway',
    phone: '0185',
    practitioner: { taxonomy: '207X00000X', family: 'Maquette', given: 'Philippa' },
  },
  hospital: {
    names: { DC: 'Exemplar Memorial Hospital', MD: 'Prototype County Hospital' },
    street: '400 Pattern Parkway',
    phone: '0194',
    practitioner: { taxonomy: '208M00000X', family: 'Modelson', given: 'Ignatius' },
  },
  pharmacy: {
    names: { DC: 'Demo Corner Pharmacy', MD: 'Synthfield Pharmacy' },
    street: '5 Outline Square',
    phone: '0195',
  },
  dentist: {
    names: { DC: 'Blueprint Dental Care', MD: 'Stencil Dental Care' },
    street: '77 Mockup Road',
    phone: '0196',
    practitioner: { taxonomy: '122300000X', family: 'Pilotwick', given: 'Theodora' },
  },
};

export const providerKinds = Object.keys(outfits) as readonly ProviderKind[];

/** A person or organization that a claim refers to. */
export interface Party {
  readonly reference: string;
  readonly display: string;
}

export interface Provider {
  readonly organization: Party;
  /** Absent if no physician or dentist sees the member. */
  readonly practitioner?: Party & { readonly taxonomy: string };
}

/** The plan and the providers of one LOB's members in one state. Each member's record has copies of the resources. */
export interface Parties {
  readonly insurer: Party;
  readonly providers: Readonly<Record<ProviderKind, Provider>>;
  readonly resources: readonly Draft[];
}

/** Generates the plan and the providers, with the same IDs and text for every member of a LOB: two members see the same hospital. */
export function partiesOf(seed: string, lob: LineOfBusiness, state: 'DC' | 'MD'): Parties {
  const plan = planOrganization(pseudoRandom(`${seed}/plan/${lob}`), lob);
  const made = providerKinds.map((kind) => {
    const random = pseudoRandom(`${seed}/provider/${lob}/${state}/${kind}`);
    const organization = providerOrganization(random, outfits[kind], state);
    return { kind, organization, practitioner: practitioner(random, outfits[kind], state) };
  });
  const providers = made.map(({ kind, organization, practitioner: person }) => [
    kind,
    {
      organization: party(organization, outfits[kind].names[state]),
      ...(person === undefined
        ? {}
        : { practitioner: { ...party(person.draft, person.name), taxonomy: person.taxonomy } }),
    },
  ]);
  return {
    insurer: party(plan, planName(lob)),
    providers: Object.fromEntries(providers),
    resources: [
      plan,
      ...made.flatMap(({ organization, practitioner: person }) =>
        person === undefined ? [organization] : [organization, person.draft],
      ),
    ],
  };
}

export function party({ resourceType, id }: Draft, display: string): Party {
  return { reference: `${resourceType}/${id}`, display };
}

export function planName(lob: LineOfBusiness): string {
  return `Example ${linesOfBusiness[lob].name}`;
}

function planOrganization(random: PseudoRandom, lob: LineOfBusiness): Draft {
  return draft(random, 'Organization', 'C4BB-Organization', {
    identifier: [
      ...numbersOf(random),
      // A number of no insurer: those of the National Association of Insurance Commissioners don't begin with 0.
      {
        type: concept('carinIdentifierType', 'naiccode'),
        system: systems.naic,
        value: `0000${lineOfBusinessCodes.indexOf(lob) + 1}`,
      },
      {
        type: concept('carinIdentifierType', 'payerid'),
        ...identifier('payer', `${lob}01`),
      },
    ],
    active: true,
    type: [concept('organizationType', 'pay', 'Payer')],
    name: planName(lob),
    telecom: [{ system: 'phone', value: '+1-202-555-0190', use: 'work' }],
    address: [address('1 Example Plaza', 'DC')],
  });
}

function providerOrganization(random: PseudoRandom, outfit: Outfit, state: 'DC' | 'MD'): Draft {
  return draft(random, 'Organization', 'C4BB-Organization', {
    identifier: numbersOf(random),
    active: true,
    type: [concept('organizationType', 'prov', 'Healthcare provider')],
    name: outfit.names[state],
    telecom: [workPhone(state, outfit.phone)],
    address: [address(outfit.street, state)],
  });
}

function practitioner(
  random: PseudoRandom,
  { practitioner: person, street, phone }: Outfit,
  state: 'DC' | 'MD',
): { readonly draft: Draft; readonly name: string; readonly taxonomy: string } | undefined {
  if (person === undefined) return undefined;
  const { family, given, taxonomy } = person;
  const made = draft(random, 'Practitioner', 'C4BB-Practitioner', {
    identifier: numbersOf(random),
    active: true,
    name: [{ family, given: [given], prefix: ['Dr.'] }],
    telecom: [workPhone(state, phone)],
    address: [address(street, state)],
  });
  return { draft: made, name: `Dr. ${given} ${family}`, taxonomy };
}

function workPhone(state: 'DC' | 'MD', last: string) {
  return { system: 'phone', value: `+1-${areaCodes[state]}-555-${last}`, use: 'work' };
}

function address(line: string, state: 'DC' | 'MD') {
  const place =
    state === 'DC' ? { city: 'Washington', postalCode: '20001' } : { city: 'Baltimore', postalCode: '21201' };
  return { use: 'work', line: [line], city: place.city, state, postalCode: place.postalCode, country: 'US' };
}

/**
 * An NPI and a tax number that nobody has. The NPI has a valid check digit but begins with 2: the standard allows 1 and 2, and no number
 * with 2 is known to have been issued. The IRS issues no employer number that begins with 00. CARIN 1.1.0 and 2.0.0 use different codings
 * for an NPI.
 *
 * @see https://www.cms.gov/Regulations-and-Guidance/Administrative-Simplification/NationalProvIdentStand/Downloads/NPIcheckdigit.pdf
 */
function numbersOf(random: PseudoRandom) {
  const digits = `2${random.digits(8)}`;
  return [
    {
      type: {
        coding: [
          { system: systems.identifierType, code: 'NPI' },
          { system: systems.carinIdentifierType, code: 'npi' },
        ],
      },
      system: systems.npi,
      value: `${digits}${luhnDigit(`80840${digits}`)}`,
    },
    { type: concept('identifierType', 'TAX'), system: systems.ein, value: `00-${digits.slice(2)}` },
  ];
}

/** The digit that makes a number pass the Luhn check (ISO/IEC 7812-1). */
export function luhnDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
