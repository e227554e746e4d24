import { createTokenBucket, type TokenBucket } from '../../limits/token-bucket.ts';

/** Makes a check that admits `perSecond` requests of each subject a second, and as many at once. */
export function requestRate(perSecond: number, now: () => number): (subject: string) => boolean {
  const buckets = new Map<string, TokenBucket>();
  return (subject) => {
    const time = now();
    const bucket = buckets.get(subject) ?? createTokenBucket(perSecond, perSecond, time);
    buckets.set(subject, bucket);
    return bucket.take(time);
  };
}
