import type { SearchValues } from '../../lambdas/fhir/values/values.ts';

/** The values of an entry as they were before they were written to the index, which gives each kind when it is asked for. */
export function readSearchValues({ size, tokens, dates, strings, references }: SearchValues): SearchValues {
  return { size, tokens, dates, strings, references };
}
