/** Parses `_include` and `_revinclude` (R4, search.html#revinclude). */

import { notSupported, type ParameterReading, printable, rejected, understood } from './search-issue.ts';
import type { SearchedType } from './searched-types.ts';

/** References that an include follows: from a page's matches, or from other resources to them. */
export interface Include {
  readonly direction: 'forward' | 'reverse';
  /** The type that has the reference, and the search parameter of the reference. */
  readonly source: string;
  readonly parameter: string;
  /** Type of the targets that are included; undefined for any. */
  readonly target?: string;
  /** Whether references of included resources are followed too. */
  readonly iterate: boolean;
}

/** Most rounds in which includes with the modifier `iterate` follow references. */
export const mostRounds = 5;

const names = { forward: '_include', reverse: '_revinclude' } as const;

/**
 * Parses `Type:parameter` or `Type:parameter:target`, and for `_include` also `Type:*` and `*`. With the modifier `iterate` the type may be
 * any type of the interface.
 */
export function parseInclude<Own>(
  type: SearchedType<Own>,
  direction: Include['direction'],
  value: string,
  modifier: string | undefined,
): ParameterReading<readonly Include[]> {
  const name = names[direction];
  const iterate = modifier === 'iterate';
  if (modifier !== undefined && !iterate) {
    return rejected(
      notSupported(`The modifier ${printable(modifier)} is not supported for ${name}. It has iterate.`),
    );
  }
  const forward = direction === 'forward';
  const from = iterate ? type.all.names.flatMap((each) => type.all.of(each) ?? []) : [type];
  const known = [...new Set(from.flatMap((each) => (forward ? each.includes : each.revIncludes)))];
  const [source = '', parameter = '', target, ...more] =
    forward && value === '*' ? [type.type, '*'] : value.split(':');
  const asked =
    forward && parameter === '*' && target === undefined
      ? known.filter((each) => each.startsWith(`${source}:`))
      : known.filter((each) => each === `${source}:${parameter}`);
  // The target of a _revinclude must be the searched type.
  const isTarget = forward || iterate ? target !== '' : target === undefined || target === type.type;
  if (asked.length === 0 || !isTarget || more.length > 0) {
    return rejected(notSupported(refusal(name, type.type, forward, known, value)));
  }
  return understood(
    asked.map((each) => ({
      direction,
      source,
      parameter: each.slice(source.length + 1),
      ...(target !== undefined && { target }),
      iterate,
    })),
  );
}

function refusal(name: string, type: string, forward: boolean, known: readonly string[], value: string) {
  if (known.length === 0) return `${name} of ${type} is not supported. Send the search without it.`;
  const all = forward ? `, ${type}:* or *` : '';
  const choice = known.length === 1 && !forward ? '' : 'one of ';
  return `${name} of ${type} must be ${choice}${known.join(', ')}${all}, not ${printable(value)}.`;
}
