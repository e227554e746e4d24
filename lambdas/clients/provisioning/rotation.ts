/** Rules of a client's secrets and keys: at most two are live, and a rotation sets the end of the older one. Pure functions. */

/** A credential that may have an end, ISO 8601. */
interface Ending {
  readonly expiresAt?: string;
}

/** Maximum number of live credentials: two, so that a rotation interrupts no call. */
const mostLive = 2;

export function isLive(credential: Ending, now: number): boolean {
  return credential.expiresAt === undefined || Date.parse(credential.expiresAt) > now;
}

/**
 * Adds a new credential at the front. The others end in `overlapSeconds`, or at their own end if that is sooner; an overlap of 0 ends them
 * at once, as after a leak. Ended credentials stay in the list.
 *
 * @returns undefined if more than two would be live.
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

/** Whether at most one credential is live. */
export function onlyNewestIsLive(credentials: readonly Ending[], now: number): boolean {
  return credentials.filter((it) => isLive(it, now)).length <= 1;
}

/**
 * Ends an older credential now. The list is unchanged if the credential has ended or is unknown.
 *
 * @returns undefined if it is the newest, which can only be rotated.
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

/** The end of the previous credential; an empty object if it has ended. */
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
