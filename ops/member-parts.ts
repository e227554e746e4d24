/** Splits a member into requests that fit into an invocation of `ingest`. */

import { nameOf } from '../lambdas/catalog/fhir/resource-name.ts';
import type { MemberLoad } from '../lambdas/loads/ingest/ingest-contract.ts';

type Resource = MemberLoad['resources'][number];

/**
 * Most bytes of JSON in one load. An invocation accepts 6 MB, but on a busy machine the function writes an eighth of that within its ten
 * seconds.
 */
const mostBytes = 750_000;

/**
 * Splits a member into loads that fit into an invocation, to be sent one after the other: each with the Patient, and each resource after
 * the resources it refers to. Each load lists the removed resources, so that no resource can refer to them.
 */
export function splitMemberLoad(member: MemberLoad, most = mostBytes): readonly MemberLoad[] {
  const [patient, rest] = partition(member.resources, ({ resourceType }) => resourceType === 'Patient');
  const empty = bytesOf({ ...member, resources: patient });
  const parts: Resource[][] = [];
  let part: Resource[] = [];
  let bytes = empty;
  for (const resource of afterWhatTheyReferTo(rest)) {
    const size = bytesOf(resource) + 1;
    if (part.length > 0 && bytes + size > most) {
      parts.push(part);
      part = [];
      bytes = empty;
    }
    part.push(resource);
    bytes += size;
  }
  parts.push(part);
  return parts.map((resources) => ({ ...member, resources: [...patient, ...resources] }));
}

/** Converts the path of an issue in a part (`resources.3.json`) to the path in the whole member. */
export function pathInMember(path: string, part: MemberLoad, member: MemberLoad): string {
  const [, index, rest = ''] = /^resources\.(\d+)(.*)$/.exec(path) ?? [];
  const resource = part.resources[Number(index)];
  return resource === undefined ? path : `resources.${member.resources.indexOf(resource)}${rest}`;
}

/**
 * Sorts resources so that each comes after the resources it refers to, otherwise in the given order. Circular references keep their order.
 */
function afterWhatTheyReferTo(resources: readonly Resource[]): readonly Resource[] {
  const byName = new Map(resources.map((resource) => [nameOf(resource), resource]));
  const ordered = new Set<Resource>();
  const begun = new Set<Resource>();
  const place = (resource: Resource): void => {
    if (begun.has(resource)) return;
    begun.add(resource);
    for (const [, name = ''] of resource.json.matchAll(/"reference"\s*:\s*"([A-Za-z]+\/[A-Za-z0-9.-]+)"/g)) {
      const target = byName.get(name);
      if (target !== undefined) place(target);
    }
    ordered.add(resource);
  };
  for (const resource of resources) place(resource);
  return [...ordered];
}

function partition<T>(all: readonly T[], is: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(is), all.filter((one) => !is(one))];
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
