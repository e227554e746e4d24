/** Membership in the value sets of required bindings. */

import type { Definitions } from './definitions.ts';

/** A value set whose codes are all known here. */
export interface CodeSet {
  readonly name: string;
  /** Codes, by system. */
  readonly systems: ReadonlyMap<unknown, ReadonlySet<unknown>>;
  /** The codes of all systems together: an element of type `code` names no system. */
  readonly codes: ReadonlySet<unknown>;
}

/** Makes the function that returns a value set by name. Each set is built when it is first used. */
export function createCodeSets({ valueSets }: Pick<Definitions, 'valueSets'>): (name: string) => CodeSet {
  const built = new Map<string, CodeSet>();
  return (name) => {
    const known = built.get(name);
    if (known !== undefined) return known;
    const systems = new Map(
      Object.entries(valueSets[name] ?? {}).map(([system, codes]) => [system, new Set<unknown>(codes)]),
    );
    const codes = new Set([...systems.values()].flatMap((each) => [...each]));
    const made = { name, systems, codes };
    built.set(name, made);
    return made;
  };
}

/**
 * Whether a code, Coding, CodeableConcept or Quantity has a code of the set. A concept that has only an extension with the reason for a
 * missing code is accepted.
 */
export function isInValueSet(value: unknown, set: CodeSet): boolean {
  if (typeof value !== 'object' || value === null) return set.codes.has(value);
  const { coding, code, system, extension } = value as Readonly<Record<string, unknown>>;
  if (!Array.isArray(coding)) {
    if (code === undefined && system === undefined) return Array.isArray(extension);
    return set.systems.get(system)?.has(code) === true;
  }
  return coding.some((each) => set.systems.get(each?.system)?.has(each?.code) === true);
}

/** Describes the allowed codes for a message; lists them if they are few. */
export function expectedCodes({ name, codes }: CodeSet): string {
  return codes.size <= 12 ? `one of ${[...codes].join(', ')}` : `a code of the value set ${name}`;
}
