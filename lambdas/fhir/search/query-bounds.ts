import { invalid, type Parameter, type SearchIssue } from './search-issue.ts';

/**
 * Characters of a request's parameters, percent-encoded. The address of the next page, which carries them a third longer, stays with
 * a token and the other headers below the 10,240 bytes of API Gateway.
 */
const longestQuery = 5000;
const mostParameters = 50;

/** What is refused before anything is read of it: too much, or no text (a half of a surrogate pair, U+0000). */
export function outOfBounds(parameters: readonly Parameter[]): SearchIssue | undefined {
  if (parameters.length > mostParameters)
    return invalid(`A search takes at most ${mostParameters} parameters.`);
  let length = 0;
  for (const part of parameters.flat()) {
    // Percent-encoding makes no text shorter.
    if (part.length > longestQuery) return tooLong;
    if (!part.isWellFormed() || part.includes('\0')) return invalid('A parameter is no well-formed text.');
    length += encodeURIComponent(part).length;
  }
  return length > longestQuery ? tooLong : undefined;
}

const tooLong = invalid(
  `The parameters of a search are at most ${longestQuery} characters long, percent-encoded.`,
);
