/** Rules of a client's secrets and keys: two are live at most, and a rotation gives the older one its end. Pure functions. */

/** A credential that may have an end; ISO 8601. */
interface Ending {
  readonly expiresAt?: string;
}

/** Live credentials: two, so that a rotation loses no call. */
const mostLive = 2;

export function isLive(credential: Ending, now: number): boolean {
  return credential.expiresAt === undefined || Date.parse(credential.expiresAt) > now;
}

/**
 * Puts a new credential first and ends those before it `overlapSeconds` from now, or at their own end where that is
 * sooner: an overlap of 0 seconds ends all others at once, as a leak demands. Ended ones stay in the list.
 *
 * @returns undefined when more than two would be live.
 */
export function rotateCredential<Credential extends Ending>(
  credentials: readonly Credential[],
  next: Credential,
  overlapSeconds: number,
  now: number,
): readonly Credential[] | undefined {
  const end = now + overlapSeconds * 1000;
  const previous = credentials.map((it) => ({ ...it, expiresAt: earlier(it.expiresAt, end) }));
  const all = [next, ...previous];
  return all.filter((credential) => isLive(credential, now)).length > mostLive ? undefined : all;
}

/** Whether nothing but the newest credential is live. */
export function onlyNewestIsLive(credentials: readonly Ending[], now: number): boolean {
  return credentials.filter((it) => isLive(it, now)).length <= 1;
}

/**
 * Ends an older credential now. One that has ended, or is not known, leaves the list as it is.
 *
 * @returns undefined when it is the newest, which only a rotation replaces.
 */
export function stop<Credential extends Ending & { readonly createdAt: string }>(
  [newest, ...older]: readonly Credential[],
  createdAt: string,
  now: number,
): readonly Credential[] | undefined {
  if (newest === undefined) return [];
  const stopped = older.map((it) =>
    it.createdAt === createdAt ? { ...it, expiresAt: earlier(it.expiresAt, now) } : it,
  );
  const isNewest = newest.createdAt === createdAt && !older.some((it) => it.createdAt === createdAt);
  return isNewest ? undefined : [newest, ...stopped];
}

/** End of the last credential before the newest; nothing if all have ended. */
export function previousEnd(credentials: readonly Ending[], now: number): { previousExpiresAt?: string } {
  const previousExpiresAt = credentials.find(
    (it) => it.expiresAt !== undefined && isLive(it, now),
  )?.expiresAt;
  return previousExpiresAt === undefined ? {} : { previousExpiresAt };
}

function earlier(expiresAt: string | undefined, end: number): string {
  const own = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  return new Date(Math.min(own, end)).toISOString();
}
