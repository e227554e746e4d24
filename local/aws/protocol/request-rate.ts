import { createTokenBucket, type TokenBucket } from '../../limits/token-bucket.ts';

/** Admits `perSecond` requests of each subject, and as many at once. */
export function requestRate(perSecond: number, now: () => number): (subject: string) => boolean {
  const buckets = new Map<string, TokenBucket>();
  return (subject) => {
    const time = now();
    const bucket = buckets.get(subject) ?? createTokenBucket(perSecond, perSecond, time);
    buckets.set(subject, bucket);
    return bucket.take(time);
  };
}
