/** Makes the writes, by patient, that the decisions on a batch's rows require. `row-decisions.ts` decides; the load store writes. */

import { nameOf } from '../../catalog/fhir/resource-name.ts';
import type { PatientChanges, ResourcePut, SharedResource } from './load-store-port.ts';
import type { LoadRowsDeps, RowVerdict } from './row-decisions.ts';

/** Makes writes from verdicts. Search values of a shared resource are computed once for all its copies. */
export function createRowChanges({ searchValues, rules }: Pick<LoadRowsDeps, 'searchValues' | 'rules'>) {
  const sharedValues = new WeakMap<SharedResource, string>();

  return {
    /**
     * Groups the writes of a batch by patient, each patient's with the rows they come from. A verdict is the decision on one row: load it,
     * skip it as unchanged, or reject it. Of several versions of a resource only the last is written.
     */
    changesOf(verdicts: readonly RowVerdict[]) {
      const loads = verdicts.filter((verdict) => verdict.kind === 'load' || verdict.kind === 'unchanged');
      const sharedLoads = loads.filter(({ kind, row }) => kind === 'load' && row.patientId === undefined);
      const byPatient = Map.groupBy(
        loads.filter((verdict) => verdict.row.patientId !== undefined),
        ({ row }) => row.patientId ?? '',
      );
      return {
        shared: [...Map.groupBy(sharedLoads, ({ row }) => nameOf(row)).values()].map((group) => ({
          rows: group.map(({ row }) => row),
          put: lastPut(group),
        })),
        patients: [...byPatient].flatMap(([patientId, group]) => {
          const puts = putsOf(group);
          const members = group.flatMap((one) => (one.kind === 'load' && one.member ? [one.member] : []));
          const [first, last] = [members[0], members.at(-1)];
          // If the batch has several versions of a Patient, the first tells whether the member was stored before, and the last has the
          // current data.
          const member = first && last && { ...last, known: first.known };
          if (puts.length === 0) return [];
          const changes: PatientChanges = { patientId, puts, ...(member && { member }) };
          return [{ rows: group.map(({ row }) => row), changes }];
        }),
      };
    },
  };

  function putsOf(
    verdicts: readonly Extract<RowVerdict, { kind: 'load' | 'unchanged' }>[],
  ): readonly ResourcePut[] {
    const copies = new Map<string, ResourcePut>();
    for (const { resource, replaces } of verdicts.flatMap((verdict) => verdict.copies)) {
      const copy = { resource: { ...resource, rules }, values: valuesOfShared(resource), replaces };
      copies.set(nameOf(resource), copy);
    }
    const loads = Map.groupBy(
      verdicts.filter(({ kind }) => kind === 'load'),
      ({ row }) => nameOf(row),
    );
    return [...copies.values(), ...[...loads.values()].map(lastPut)];
  }

  /** Search values of a shared resource, computed once for all members who get a copy. */
  function valuesOfShared(resource: SharedResource): string {
    const known = sharedValues.get(resource) ?? searchValues(JSON.parse(resource.json));
    sharedValues.set(resource, known);
    return known;
  }
}

/** The last of a resource's versions in the batch; it replaces the stored version that the first of them replaces. */
function lastPut(verdicts: readonly RowVerdict[]): ResourcePut {
  const loads = verdicts.filter((verdict) => verdict.kind === 'load');
  const [first, last] = [loads[0], loads.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('nothing to put');
  return { resource: last.resource, values: last.values, replaces: first.replaces };
}
