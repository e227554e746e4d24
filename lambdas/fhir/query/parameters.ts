/** Goes through the parameters of a search or an operation, by the same rules for all of them (R4, search.html#errors). */

import { outOfBounds } from './query-bounds.ts';
import {
  invalid,
  notSupported,
  type Parameter,
  type ParameterReading,
  printable,
  type SearchIssue,
} from './search-issue.ts';
import { representationParameters } from './search-request.ts';

/** Reads one parameter: `unknown` for a name that means nothing. */
export type SentParameterReader = (
  name: string,
  value: string,
) => ParameterReading<unknown> | { readonly kind: 'unknown' };

interface Place {
  /** The type that is searched, or the operation, in messages. */
  readonly place: string;
  /** Names that have a meaning, in messages. */
  readonly supported: readonly string[];
  /** Names that say one thing of the whole answer: of two, one would be ignored. */
  readonly once: readonly string[];
  /** `Prefer: handling=strict`: a name that means nothing is an issue. */
  readonly strict: boolean;
}

/** A value of nothing but commas and blanks is as good as not sent (R4, search.html#combining). */
export function saysNothing([name, value]: Parameter): boolean {
  return value.replaceAll(',', '').trim() === '' || representationParameters.includes(name);
}

/** @param parameters decoded, in their order. */
export function readSentParameters(
  parameters: readonly Parameter[],
  { place, supported, once, strict }: Place,
  read: SentParameterReader,
): { readonly issues: SearchIssue[]; readonly ignored: readonly string[] } {
  const bounds = outOfBounds(parameters);
  if (bounds !== undefined) return { issues: [bounds], ignored: [] };
  const issues: SearchIssue[] = [];
  const ignored = new Set<string>();
  const sent = parameters.filter((each) => !saysNothing(each));
  for (const [name, value] of sent) {
    const reading = read(name, value);
    if (reading.kind === 'unknown') ignored.add(name);
    else if (reading.kind === 'rejected') issues.push(reading.issue);
  }
  const names = sent.map(([name]) => name);
  const repeated = once.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  issues.push(...repeated.map((name) => invalid(`${name} was sent more than once. Send it once.`)));
  if (strict) issues.push(...[...ignored].map((name) => refuseUnknown(name, place, supported)));
  return { issues, ignored: [...ignored] };
}

/** Words the warning for a parameter that was ignored. */
export function unknownParameter(name: string, place: string): string {
  return `The parameter ${printable(name)} is not supported for ${place}.`;
}

/** The issue of a name that may not be ignored, with those that have a meaning. */
export function refuseUnknown(name: string, place: string, supported: readonly string[]): SearchIssue {
  return notSupported(`${unknownParameter(name, place)} Supported: ${supported.join(', ')}.`);
}
