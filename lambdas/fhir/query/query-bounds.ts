import { searchBounds } from '../../catalog/fhir/fhir-resources.ts';
import { invalid, type Parameter, type SearchIssue } from './search-issue.ts';

/** Refuses a query before its parameters are parsed: too many parameters, too long, or not valid text (an unpaired surrogate, U+0000). */
export function outOfBounds(parameters: readonly Parameter[]): SearchIssue | undefined {
  if (parameters.length > searchBounds.parameters)
    return invalid(`A search can have at most ${searchBounds.parameters} parameters.`);
  let length = 0;
  for (const part of parameters.flat()) {
    // Percent-encoding never shortens a text, so the length of the decoded text is enough.
    if (part.length > searchBounds.characters) return tooLong;
    if (!part.isWellFormed() || part.includes('\0')) return invalid('A parameter is not well-formed text.');
    length += encodeURIComponent(part).length;
  }
  return length > searchBounds.characters ? tooLong : undefined;
}

const tooLong = invalid(
  `The parameters of a search can have at most ${searchBounds.characters} characters, percent-encoded.`,
);
