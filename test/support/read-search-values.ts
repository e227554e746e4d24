import type { SearchValues } from '../../lambdas/fhir/values/values.ts';

/** Reads all values of an index entry, each kind of which is decoded when it is read. */
export function readSearchValues({ size, tokens, dates, strings, references }: SearchValues): SearchValues {
  return { size, tokens, dates, strings, references };
}
