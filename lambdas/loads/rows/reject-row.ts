/** Makes rejects of rows, for a loading rule or for the faults of a resource. */

import { nameOf, type ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { Fault } from '../../fhir/validation/faults.ts';
import type { RejectCode, RowReject } from '../ledger/rejects.ts';
import type { FhirJson } from './fhir-json.ts';

/** A row that is not loaded. */
export interface RejectedRow {
  readonly kind: 'reject';
  readonly reject: RowReject;
}

export function rejectRow(
  line: number,
  code: RejectCode,
  name?: ResourceName,
  element?: string,
): RejectedRow {
  return {
    kind: 'reject',
    reject: {
      line,
      code,
      ...(name !== undefined && { resource: nameOf(name) }),
      ...(element !== undefined && { element }),
    },
  };
}

/** Rejects a row whose resource has faults; undefined if it has none. */
export function rejectFaulty(
  line: number,
  { resourceType, id }: FhirJson,
  [first, ...others]: readonly Fault[],
): RejectedRow | undefined {
  if (first === undefined) return undefined;
  const resource =
    typeof id === 'string' ? { resource: nameOf({ resourceType: String(resourceType), id }) } : {};
  return { kind: 'reject', reject: { line, ...resource, ...first, ...(others.length > 0 && { others }) } };
}
