/** Local Lambda: the versions that aliases send calls to. */

import type { FunctionAlias } from './functions.ts';

/** A version's part of the calls of an alias; the parts of an alias add up to 1. */
export interface Share {
  readonly version: string;
  readonly part: number;
}

/** The version that a call goes to, and the alias that it was called by. */
export interface AliasTarget {
  readonly alias: FunctionAlias;
  readonly version: string;
}

export interface AliasRoutes {
  /** Selects the version of a call, by chance if several have a part; undefined if no alias has this ARN. */
  targetOf(arn: string): AliasTarget | undefined;
  /** Changes the parts of an alias. */
  set(aliasArn: string, shares: readonly Share[]): void;
}

/**
 * Makes the routes of aliases, each with all calls to the version of its template at first.
 *
 * @param random returns a number from 0 to 1, without 1.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuring-alias-routing.html ("simple probabilistic model")
 */
export function aliasRoutes(
  aliases: readonly FunctionAlias[],
  random: () => number = Math.random,
): AliasRoutes {
  const known = new Map(
    aliases.map((alias) => [
      alias.arn,
      { alias, shares: [{ version: alias.version, part: 1 }] as readonly Share[] },
    ]),
  );
  return {
    targetOf(arn) {
      const found = known.get(arn);
      if (found === undefined) return undefined;
      const { alias, shares } = found;
      let left = shares.length === 1 ? 0 : random();
      for (const { version, part } of shares) {
        if (left < part) return { alias, version };
        left -= part;
      }
      return { alias, version: shares.at(-1)?.version ?? alias.version };
    },
    set(aliasArn, shares) {
      const found = known.get(aliasArn);
      if (found !== undefined) known.set(aliasArn, { alias: found.alias, shares });
    },
  };
}
