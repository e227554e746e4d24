import { describe, expect, it } from 'vitest';
import { requestRates } from '../../../local/aws/request-rates.ts';
import { quotas } from '../../../local/limits/quotas.ts';

/** Number of requests that are admitted at one moment. */
function taken(service: string, operation: string, inputs: readonly unknown[] = [{}], now = () => 0): number {
  const check = requestRates(now);
  for (let at = 0; at < 6_000; at += 1) {
    try {
      for (const input of inputs) check(service, operation, '111122223333', input);
    } catch {
      return at;
    }
  }
  return Number.POSITIVE_INFINITY;
}

describe('the rate of an AWS service', () => {
  it.each([
    ['ses', 'SendEmail', 14],
    ['sns', 'Publish', 20],
    ['apigateway', 'CreateApiKey', 5],
    ['logs', 'FilterLogEvents', 10],
    ['states', 'StartExecution', 1_300],
    ['kms', 'Decrypt', 5_500],
  ])('of %s %s is %i at once', (service, operation, most) => {
    expect(taken(service, operation)).toBe(most);
  });

  it('of S3 is each prefix’s own', () => {
    expect(taken('s3', 'PutObject', [{ bucket: 'b', key: 'a/1' }])).toBe(3_500);
    expect(taken('s3', 'GetObject', [{ bucket: 'b', key: 'a/1' }])).toBe(5_500);
    expect(
      taken('s3', 'PutObject', [
        { bucket: 'b', key: 'a/1' },
        { bucket: 'b', key: 'c/1' },
      ]),
    ).toBe(3_500);
  });

  it('is the account’s, comes back with time, and is refused in the service’s words', () => {
    let now = 0;
    const check = requestRates(() => now);
    for (let at = 0; at < 14; at += 1) check('ses', 'SendEmail', 'a', {});
    expect(() => check('ses', 'SendEmail', 'a', {})).toThrow(
      expect.objectContaining({ code: 'Throttling', message: 'Maximum sending rate exceeded.' }),
    );
    expect(() => check('ses', 'SendEmail', 'b', {})).not.toThrow();
    now = 1_000;
    expect(() => check('ses', 'SendEmail', 'a', {})).not.toThrow();
  });

  it('does not hold for what has none', () => {
    expect(taken('logs', 'PutLogEvents')).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the quotas', () => {
  it('each name a page of AWS’s documentation', () => {
    for (const { source, value } of Object.values(quotas)) {
      expect(source).toMatch(/^https:\/\/docs\.aws\.amazon\.com\/\S+\.html$/);
      expect(value).toBeGreaterThan(0);
    }
  });
});
