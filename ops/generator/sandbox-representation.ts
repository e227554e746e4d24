/** The personal representative among the sandbox's personas: a parent who may share a child's data. */

import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import {
  type RepresentativeRole,
  representativeRoleSystem,
} from '../../lambdas/catalog/oauth/representative-roles.ts';
import { representedLob as lob, type Persona, sandboxPersonas } from './personas.ts';

interface Representation {
  readonly lob: LineOfBusiness;
  /** Signs in, and chooses whose data to share. */
  readonly representative: Persona['member'];
  readonly child: Persona['member'];
}

const roles: Readonly<Record<string, RepresentativeRole>> = { female: 'MTH', male: 'FTH' };

export function sandboxRepresentation(month?: string): Representation {
  const [representative, child] = sandboxPersonas(month).filter(({ member }) => member.lob === lob);
  if (representative === undefined || child === undefined) throw new Error(`${lob} has no two personas`);
  return { lob, representative: representative.member, child: child.member };
}

/** The row of a drop by which the plan has the representative on file (docs/drops.md). */
export function representationRow({ representative, child }: Representation): object {
  const [{ json, lastUpdated } = { json: '{}', lastUpdated: '' }] = representative.resources;
  const {
    gender = '',
    birthDate,
    name,
  } = JSON.parse(json) as {
    readonly gender?: string;
    readonly birthDate: string;
    readonly name: readonly object[];
  };
  const coding = [{ system: representativeRoleSystem, code: roles[gender] ?? 'PRN' }];
  const resource = {
    resourceType: 'RelatedPerson',
    identifier: [{ system: 'https://plan.example/person', value: representative.memberId }],
    patient: { reference: `Patient/${child.patientId}` },
    relationship: [{ coding }],
    name: name.slice(0, 1),
    birthDate,
  };
  return {
    resourceType: 'Parameters',
    meta: { lastUpdated },
    parameter: [{ name: 'representative', resource }],
  };
}
