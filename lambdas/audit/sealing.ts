import type { TokenAuthority } from '../catalog/token-authority.ts';
import type { Sealing } from './ports.ts';
import { inOrder, type Leaf, rootOf, type Seal, sealDigest, statementText } from './seal.ts';
import { settledMs, windowMs, windowStart } from './windows.ts';

/** A quiet authority is sealed once an hour: that nothing happened is sealed as well. */
const longestQuietMs = 60 * 60_000;
/** The first seal of an environment looks so far back: its stack is made in less. */
const firstLookBackMs = 30 * 60_000;
/** A run that finds more to do leaves the rest to the next. */
const mostWindows = 300;

export type Sealed = 'sealed' | 'up to date' | 'sealed by another run';

/**
 * Seals an authority's windows that are over, one seal for each window with events. No request waits for it. It may be
 * repeated, and run twice at a time: the seal's number is taken once.
 *
 * @throws what the ports throw; what was sealed until then stays.
 */
export async function sealFinished(sealing: Sealing, authority: TokenAuthority): Promise<Sealed> {
  const end = windowStart(sealing.now() - settledMs);
  let previous = await sealing.seals.last(authority);
  let from = previous === undefined ? windowStart(end - firstLookBackMs) : Date.parse(previous.until);
  let outcome: Sealed = 'up to date';
  let looked = 0;
  for (let start = from; start < end && looked < mostWindows; start += windowMs) {
    looked += 1;
    const leaves = inOrder(await sealing.events.inWindow(authority, start));
    const until = start + windowMs;
    // The first seal is made at once, empty or not: from then on nothing is without one.
    if (leaves.length === 0 && previous !== undefined && until - from < longestQuietMs) continue;
    const seal = await sealOf(sealing, authority, previous, { from, until, leaves });
    if (!(await sealing.seals.add(seal, leaves))) return 'sealed by another run';
    previous = seal;
    from = until;
    outcome = 'sealed';
  }
  return outcome;
}

async function sealOf(
  { environment, authenticate, sha256, now }: Sealing,
  authority: TokenAuthority,
  previous: Seal | undefined,
  span: { readonly from: number; readonly until: number; readonly leaves: readonly Leaf[] },
): Promise<Seal> {
  const statement = {
    environment,
    authority,
    sequence: (previous?.sequence ?? 0) + 1,
    from: new Date(span.from).toISOString(),
    until: new Date(span.until).toISOString(),
    events: span.leaves.length,
    root: rootOf(span.leaves, sha256),
    previous: previous === undefined ? '' : sealDigest(previous, sha256),
    sealedAt: new Date(now()).toISOString(),
  };
  return { ...statement, mac: await authenticate(statementText(statement)) };
}
