/** Reads the parameters of a search or an operation by common rules: unknown, repeated and empty ones (R4, search.html#errors). */

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

/** Reads one parameter; `unknown` if its name is not supported. */
export type SentParameterReader = (
  name: string,
  value: string,
) => ParameterReading<unknown> | { readonly kind: 'unknown' };

interface Place {
  /** The searched type or the operation, for messages. */
  readonly place: string;
  /** Names of the supported parameters, for messages. */
  readonly supported: readonly string[];
  /** Names of parameters that may be sent once, because a second value would be ignored. */
  readonly once: readonly string[];
  /** `Prefer: handling=strict`: an unknown parameter is an error. */
  readonly strict: boolean;
}

/**
 * Whether a value is only commas and blanks, and is treated as not sent (R4, search.html#combining). `_format` and `_pretty` are handled
 * elsewhere and count as empty too.
 */
export function saysNothing([name, value]: Parameter): boolean {
  return value.replaceAll(',', '').trim() === '' || representationParameters.includes(name);
}

/**
 * Calls `read` for each parameter, and collects the issues and the unknown names.
 *
 * @param parameters decoded, in the order sent.
 */
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

/** The text of the warning for an ignored parameter. */
export function unknownParameter(name: string, place: string): string {
  return `The parameter ${printable(name)} is not supported for ${place}.`;
}

/** The issue of an unknown parameter that must not be ignored, with the supported names. */
export function refuseUnknown(name: string, place: string, supported: readonly string[]): SearchIssue {
  return notSupported(`${unknownParameter(name, place)} Supported: ${supported.join(', ')}.`);
}
