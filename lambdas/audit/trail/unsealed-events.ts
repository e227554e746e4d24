/** Finds audit events that no seal covers. */

import { type TokenIssuer, tokenIssuers } from '../../catalog/oauth/token-issuer.ts';
import type { EventPlace, EventPlaces, SealReader } from './audit-ports.ts';
import type { UnsealedEventsAnswer, UnsealedEventsRequest } from './verification-contract.ts';
import { sealWindow, windowStart } from './windows.ts';

/** Time to read in one call. The function's timeout is longer. */
const patienceMs = 5_000;
/** The clocks of two functions differ by less than this, in milliseconds. */
const aheadMs = 60_000;

export interface UnsealedEventsPorts {
  readonly places: EventPlaces;
  readonly seals: Pick<SealReader, 'from'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Finds events that no seal contains and none will. There are two kinds: an event whose own window attribute differs from the window
 * of its key, so that the index of windows does not list it there; and an event from before the first seal or from the future.
 * Verification compares all other events with their seals. Reads the whole table in pieces: the answer's `next` continues.
 *
 * @throws what the ports throw.
 */
export async function unsealedEvents(
  { places, seals, now }: UnsealedEventsPorts,
  { after }: UnsealedEventsRequest,
): Promise<UnsealedEventsAnswer> {
  const startedAt = now();
  const begins = await beginsOf(seals);
  const isSealed = (place: EventPlace) => isInAWindow(place, begins, startedAt + aheadMs);
  const unsealed: { pk: string; sk: string }[] = [];
  let events = 0;
  let next = after;
  do {
    const piece = await places.piece(next);
    events += piece.places.length;
    for (const place of piece.places) if (!isSealed(place)) unsealed.push({ pk: place.pk, sk: place.sk });
    next = piece.next;
  } while (next !== undefined && now() - startedAt < patienceMs);
  return { events, unsealed, ...(next !== undefined && { next }) };
}

/** Start of each issuer's first seal, ISO 8601; events of an issuer without a seal are not judged. */
async function beginsOf(seals: Pick<SealReader, 'from'>): Promise<ReadonlyMap<TokenIssuer, string>> {
  const first = await Promise.all(tokenIssuers.map((authority) => seals.from(authority, 1, 1)));
  return new Map(
    tokenIssuers.flatMap((authority, at) => {
      const seal = first[at]?.[0];
      return seal?.sequence === 1 ? [[authority, seal.from]] : [];
    }),
  );
}

function isInAWindow(
  { pk, sk, sealWindow: told }: EventPlace,
  begins: ReadonlyMap<TokenIssuer, string>,
  untilMs: number,
): boolean {
  const [, name] = pk.split('#');
  const authority = tokenIssuers.find((known) => known === name);
  const [time = '', eventId = ''] = sk.split('#');
  const timeMs = Date.parse(time);
  if (authority === undefined || Number.isNaN(timeMs) || timeMs > untilMs) return false;
  const begin = begins.get(authority);
  if (begin !== undefined && windowStart(timeMs) < Date.parse(begin)) return false;
  return told === sealWindow(authority, time, eventId);
}
