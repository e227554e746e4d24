/**
 * Generates the members of `npm run bench:sizes`: many small ones, and a few with fifty claims, with five hundred, and with 2,000
 * resources.
 */

import { createHash } from 'node:crypto';
import type { LoadedResource } from '../lambdas/loads/ingest/ingest-ports.ts';
import type { Key } from '../lambdas/platform/table/key.ts';
import type { Item } from '../lambdas/platform/table/table.ts';
import { grantKey } from '../lambdas/platform/table/table-keys.ts';
import { syntheticMembers } from '../ops/generator/members.ts';
import { benchClientId, benchGrantId } from './fixture.ts';
import { memberItems } from './member-items.ts';

const lob = 'DSNP';

/**
 * Number of resources of each kind of member, besides the Patient. The clinical part of the 2,000 resources is laboratory results and
 * conditions.
 */
export const memberKinds = {
  small: {},
  typical: { ExplanationOfBenefit: 10, Observation: 4, Condition: 2 },
  claims50: { ExplanationOfBenefit: 50, Observation: 50, Condition: 5 },
  claims500: { ExplanationOfBenefit: 500, Observation: 50, Condition: 5 },
  heavy: { ExplanationOfBenefit: 500, Observation: 1_200, Condition: 299 },
} as const;
export type MemberKind = keyof typeof memberKinds;

const largerKinds: readonly MemberKind[] = ['claims50', 'claims500', 'heavy'];

/**
 * The kind of the member with this number. Twelve of the first thousand members and 24 more, spread over the store, are larger than small;
 * their kinds alternate.
 */
export function memberKindOf(number: number, total: number): MemberKind {
  const spacing = number < 1_000 ? 83 : Math.max(83, Math.floor(total / 24));
  if (number % spacing !== 7) return 'small';
  return largerKinds[Math.floor(number / spacing) % largerKinds.length] ?? 'small';
}

/** A UUID derived from a text: always the same for the same text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function patientIdOf(number: number): string {
  return uuidOf(`member ${number}`);
}

const [template] = syntheticMembers('sandbox').filter((member) => member.lob === lob);
if (template === undefined) throw new Error(`no member of ${lob}`);
/** The synthetic member whose resources are copied for every member of the store. */
export const templateMember = template;
const templates = (type: string): readonly LoadedResource[] =>
  templateMember.resources.filter(
    ({ resourceType, json }) =>
      resourceType === type &&
      (type !== 'Observation' || json.includes('"laboratory"')) &&
      (type !== 'ExplanationOfBenefit' || json.includes('"use":"claim"')),
  );
const byType = new Map(
  ['Patient', 'ExplanationOfBenefit', 'Observation', 'Condition'].map((type) => [type, templates(type)]),
);

/** The items of the member with this number, identical in each run. */
export function itemsOfMember(number: number, kind: MemberKind): readonly (Item & Key)[] {
  const patientId = patientIdOf(number);
  const counts: Readonly<Record<string, number>> = { Patient: 1, ...memberKinds[kind] };
  const resources = Object.entries(counts).flatMap(([type, count]) =>
    // Resources of a typical member get the latest dates: another payer is sent those of five years.
    Array.from({ length: count }, (_, at) => resourceOf(type, kind === 'typical' ? -1 - at : at, patientId)),
  );
  const grant = {
    ...grantKey(lob, patientId, benchGrantId),
    clientId: benchClientId,
    state: 'active',
    expiresAt: 4_000_000_000,
  };
  return [...memberItems(lob, patientId, resources), ...(kind === 'small' && number % 97 > 0 ? [] : [grant])];
}

/** Whether the small member with this number has a grant, which a read needs. */
export function hasGrant(number: number): boolean {
  return number % 97 === 0;
}

function resourceOf(type: string, at: number, patientId: string): LoadedResource {
  const known = byType.get(type) ?? [];
  const resource = known.at(at % known.length);
  if (resource === undefined) throw new Error(`no ${type} to copy`);
  const id = type === 'Patient' ? patientId : uuidOf(`${type} ${at} of ${patientId}`);
  const renamed = (text: string) =>
    text.replaceAll(templateMember.patientId, patientId).replaceAll(resource.id, id);
  const { fhirJson, json, resourceType, versionId, lastUpdated } = resource;
  return {
    resourceType,
    id,
    versionId,
    lastUpdated,
    json: renamed(json),
    ...(fhirJson !== undefined && { fhirJson: renamed(fhirJson) }),
  };
}
