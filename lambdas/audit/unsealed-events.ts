import { type TokenIssuer, tokenIssuers } from '../catalog/token-issuer.ts';
import type { EventPlace, EventPlaces, SealReader } from './sealing-services.ts';
import type { UnsealedEventsAnswer, UnsealedEventsRequest } from './verification-contract.ts';
import { sealWindow, windowStart } from './windows.ts';

/** Well within the function's time. */
const patienceMs = 5_000;
/** Clocks of two functions differ by less. */
const aheadMs = 60_000;

export interface UnsealedEventsPorts {
  readonly places: EventPlaces;
  readonly seals: Pick<SealReader, 'from'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Finds events that are in no seal and will be in none: those that don't say the window their own key makes, which the index
 * therefore lists elsewhere or nowhere; and those of a time before the first seal, or of one that is still to come. Any other is
 * in a window of the index, which verification compares with its seal. Reads the whole table, so long a stretch at a time.
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
