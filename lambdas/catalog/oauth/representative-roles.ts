/**
 * Relationships of a personal representative to a member that a plan may have on file (45 CFR 164.502(g)): codes of HL7 v3 RoleCode, each
 * with the kind by which members' pages name it.
 *
 * @see http://terminology.hl7.org/CodeSystem/v3-RoleCode
 */
export const representativeRoles = {
  PRN: 'parent',
  MTH: 'parent',
  FTH: 'parent',
  NPRN: 'parent',
  NMTH: 'parent',
  NFTH: 'parent',
  ADOPTP: 'parent',
  ADOPTM: 'parent',
  ADOPTF: 'parent',
  PRNFOST: 'parent',
  MTHFOST: 'parent',
  FTHFOST: 'parent',
  STPPRN: 'parent',
  STPMTH: 'parent',
  STPFTH: 'parent',
  GUARD: 'guardian',
  POWATT: 'attorney',
  DPOWATT: 'attorney',
  HPOWATT: 'attorney',
  SPOWATT: 'attorney',
  RESPRSN: 'representative',
} as const satisfies Readonly<Record<string, 'parent' | 'guardian' | 'attorney' | 'representative'>>;

export type RepresentativeRole = keyof typeof representativeRoles;
/** Kind of a representative. `attorney`: a person with a power of attorney. `representative`: any other. */
export type RepresentativeKind = (typeof representativeRoles)[RepresentativeRole];

export const representativeRoleSystem = 'http://terminology.hl7.org/CodeSystem/v3-RoleCode';

export function isRepresentativeRole(code: unknown): code is RepresentativeRole {
  return typeof code === 'string' && Object.hasOwn(representativeRoles, code);
}
