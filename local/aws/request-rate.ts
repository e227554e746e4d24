/** Lets `perSecond` requests of each subject through, and a second's worth at once. */
export function requestRate(perSecond: number, now: () => number): (subject: string) => boolean {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (subject) => {
    const time = now();
    const bucket = buckets.get(subject) ?? { tokens: perSecond, at: time };
    bucket.tokens = Math.min(perSecond, bucket.tokens + ((time - bucket.at) / 1_000) * perSecond);
    bucket.at = time;
    buckets.set(subject, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
}
