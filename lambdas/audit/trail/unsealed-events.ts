/** Finds audit events that no seal covers. */

import { type TokenIssuer, tokenIssuers } from '../../catalog/oauth/token-issuer.ts';
import type { EventPlace, EventPlaces, SealReader } from './audit-ports.ts';
import type { UnsealedEventsAnswer, UnsealedEventsRequest } from './verification-contract.ts';
import { sealWindow, windowStart } from './windows.ts';

/** Milliseconds that one call reads. The function's timeout is longer. */
const patienceMs = 5_000;
/** Maximum difference between the clocks of two functions, milliseconds. */
const aheadMs = 60_000;

export interface UnsealedEventsPorts {
  readonly places: EventPlaces;
  readonly seals: Pick<SealReader, 'from'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Finds events that no seal covers or will cover. There are two kinds: events whose window attribute is not the window of their key, so
 * that the index does not list them there; and events before the first seal or in the future. `audit verify` compares all other events with
 * their seals. Reads the whole table in pages; `next` in the answer continues.
 *
 * @throws the ports' errors.
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

/** Start of each issuer's first seal, ISO 8601. Issuers without a seal are left out, and the age of their events is not judged. */
async function beginsOf(seals: Pick<SealReader, 'from'>): Promise<ReadonlyMap<TokenIssuer, string>> {
  const first = await Promise.all(tokenIssuers.map((issuer) => seals.from(issuer, 1, 1)));
  return new Map(
    tokenIssuers.flatMap((issuer, at) => {
      const seal = first[at]?.[0];
      return seal?.sequence === 1 ? [[issuer, seal.from]] : [];
    }),
  );
}

function isInAWindow(
  { pk, sk, sealWindow: told }: EventPlace,
  begins: ReadonlyMap<TokenIssuer, string>,
  untilMs: number,
): boolean {
  const [, name] = pk.split('#');
  const issuer = tokenIssuers.find((known) => known === name);
  const [time = '', eventId = ''] = sk.split('#');
  const timeMs = Date.parse(time);
  if (issuer === undefined || Number.isNaN(timeMs) || timeMs > untilMs) return false;
  const begin = begins.get(issuer);
  if (begin !== undefined && windowStart(timeMs) < Date.parse(begin)) return false;
  return told === sealWindow(issuer, time, eventId);
}
