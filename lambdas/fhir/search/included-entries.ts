/** Finds the entries that a search of a member's record includes with a match (R4, search.html#revinclude). */

import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { type Include, mostRounds } from '../query/include.ts';
import type { SearchEntry } from '../values/patient-compartment.ts';

/** Finds the entries that an include adds for one entry. */
type Follow = (entry: SearchEntry) => readonly SearchEntry[];

/**
 * Makes the function that finds the included entries of a match, each entry once. An include that iterates also applies to included
 * entries.
 *
 * @param includable entries that may be sent.
 */
export function includedEntries(includes: readonly Include[], includable: readonly SearchEntry[]): Follow {
  if (includes.length === 0) return () => [];
  const byName = new Map(includable.map((entry) => [nameOf(entry), entry]));
  const follow = (chosen: readonly Include[]): Follow => {
    const steps = chosen.map((include) =>
      include.direction === 'forward' ? references(include, byName) : referring(include, includable),
    );
    return (entry) => steps.flatMap((step) => step(entry));
  };
  const first = follow(includes);
  const iterating = includes.filter(({ iterate }) => iterate);
  const further = follow(iterating);
  return (match) => {
    const found = new Set(first(match));
    let fresh = iterating.length === 0 ? [] : [...found];
    for (let round = 1; round <= mostRounds && fresh.length > 0; round += 1) {
      fresh = [...new Set(fresh.flatMap(further))].filter((entry) => !found.has(entry));
      for (const entry of fresh) found.add(entry);
    }
    return [...found];
  };
}

function references(
  { source, parameter, target }: Include,
  byName: ReadonlyMap<string, SearchEntry>,
): Follow {
  return ({ resourceType, values }) => {
    const names = resourceType === source ? (values.references[parameter] ?? []) : [];
    return names
      .filter((name) => target === undefined || name.startsWith(`${target}/`))
      .flatMap((name) => byName.get(name) ?? []);
  };
}

function referring({ source, parameter, target }: Include, includable: readonly SearchEntry[]): Follow {
  const byTarget = new Map<string, SearchEntry[]>();
  for (const entry of includable) {
    if (entry.resourceType !== source) continue;
    for (const name of entry.values.references[parameter] ?? []) {
      const known = byTarget.get(name);
      if (known === undefined) byTarget.set(name, [entry]);
      else known.push(entry);
    }
  }
  return (entry) =>
    target === undefined || entry.resourceType === target ? (byTarget.get(nameOf(entry)) ?? []) : [];
}
