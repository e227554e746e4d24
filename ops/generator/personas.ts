/** Personas of the sandbox: members of a population with accounts, whose years of claims and care show what apps will meet. */

import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import type { TestMemberView } from '../../lambdas/portal/api/views.ts';
import { aboutMember, type SyntheticMember, syntheticMembers, syntheticPassword } from './members.ts';
import { populationMember } from './population.ts';
import { monthOf } from './record/dates.ts';
import { areaCodes } from './record/people.ts';
import { pseudoRandom } from './record/pseudo-random.ts';

/** A persona: the member that `ops members load` loads, and a description. */
export interface Persona {
  readonly member: SyntheticMember;
  readonly about: string;
}

/** Numbers of the personas in the population: one with every type and kind of claim, and a relative. */
const numbersOf: Readonly<Record<LineOfBusiness, readonly [number, number]>> = {
  CHPDC: [0, 2],
  CHPMD: [0, 2],
  DSNP: [0, 1],
  MAPD: [0, 1],
  MHBE: [0, 2],
  EGWP: [0, 1],
};

/** LOB whose two personas are a parent and a child of one household; the parent is the child's personal representative. */
export const representedLob = 'CHPDC' satisfies LineOfBusiness;

/** First phone number of the personas (555-0160), after those of the other test members. */
const firstLine = 160;

const made = new Map<string, readonly Persona[]>();

/**
 * The sandbox's personas.
 *
 * @param month first day of the month that prior authorizations are relative to.
 * @default this month
 */
export function sandboxPersonas(month = monthOf(new Date())): readonly Persona[] {
  const present =
    made.get(month) ??
    lineOfBusinessCodes.flatMap((lob, at) => {
      const own = numbersOf[lob].map((number) => persona(lob, at, number, month));
      return lob === representedLob ? represented(own) : own;
    });
  made.set(month, present);
  return present;
}

function represented([parent, child]: readonly Persona[]): readonly Persona[] {
  if (parent === undefined || child === undefined) throw new Error(`${representedLob} has no two personas`);
  return [
    { ...parent, about: `personal representative of ${child.member.memberId}, ${parent.about}` },
    { ...child, about: `has the personal representative ${parent.member.memberId}, ${child.about}` },
  ];
}

function persona(lob: LineOfBusiness, lobIndex: number, number: number, month: string): Persona {
  const line = firstLine + 3 * lobIndex;
  const { person, about, resources } = populationMember(
    { lob, seed: 'sandbox', month, firstLine: line },
    number,
  );
  const { memberId, patientId, givenNames, familyName, addresses, demographics } = person;
  const areaCode = areaCodes[addresses.at(-1)?.place.state ?? 'DC'];
  const member: SyntheticMember = {
    ...{ lob, patientId, memberId, resources, familyName },
    email: demographics.email,
    phoneNumber: `+1${areaCode}5550${line + number}`,
    givenName: givenNames[0] ?? '',
    password: syntheticPassword(pseudoRandom(`member-data-api/population/sandbox/${lob}/${number}/password`)),
  };
  return { member, about };
}

/** The members of the sandbox as the portal shows them to developers, each with a description of its data. */
export function testMembers(): readonly TestMemberView[] {
  const first = seededTestMembers();
  const others = sandboxPersonas().map(({ member, about }) => testMember(member, about));
  return lineOfBusinessCodes.flatMap((lob) => [...first, ...others].filter((member) => member.lob === lob));
}

/** The test members whose load the start of the local system waits for. */
export function seededTestMembers(): readonly TestMemberView[] {
  return lineOfBusinessCodes.flatMap((lob) =>
    syntheticMembers('sandbox')
      .filter((member) => member.lob === lob)
      .map((member, index) => testMember(member, aboutMember(lob, index))),
  );
}

function testMember(member: SyntheticMember, about: string): TestMemberView {
  const { lob, memberId, password, patientId, givenName, familyName } = member;
  return { lob, memberId, password, patientId, name: `${givenName} ${familyName}`, about };
}
