import { createTokenBucket, type TokenBucket } from '../limits/token-bucket.ts';

/** Lets `perSecond` requests of each subject through, and a second's worth at once. */
export function requestRate(perSecond: number, now: () => number): (subject: string) => boolean {
  const buckets = new Map<string, TokenBucket>();
  return (subject) => {
    const time = now();
    const bucket = buckets.get(subject) ?? createTokenBucket(perSecond, perSecond, time);
    buckets.set(subject, bucket);
    return bucket.take(time);
  };
}
