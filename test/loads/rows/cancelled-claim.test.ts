import { describe, expect, it } from 'vitest';
import { cancelledClaim } from '../../../lambdas/loads/rows/cancelled-claim.ts';

const withdrawnAt = '2026-11-23T02:00:00Z';
const claim = (versionId: string, status = 'active', lastUpdated = '2026-11-01T02:00:00Z') => ({
  versionId,
  json: `{"resourceType":"ExplanationOfBenefit","id":"c1","meta":{"versionId":"${versionId}","lastUpdated":"${lastUpdated}","profile":["p"]},"status":"${status}","payment":{"amount":{"value":10.50}}}`,
});

describe('a claim that its source takes back', () => {
  it('is cancelled in a new version, and is otherwise as it was, decimals too', () => {
    expect(cancelledClaim(claim('7'), withdrawnAt)).toEqual({
      versionId: '7.cancelled',
      json: claim('7.cancelled', 'cancelled', withdrawnAt).json,
    });
  });

  it('stays as it is when the same withdrawal comes again', () => {
    const first = cancelledClaim(claim('7'), withdrawnAt);
    expect(first && cancelledClaim(first, '2026-11-22T21:00:00-05:00')).toBeUndefined();
    const later = '2026-11-24T02:00:00Z';
    expect(first && cancelledClaim(first, later)?.json).toContain(later);
  });

  it('keeps an ID for its version', () => {
    const { versionId } = cancelledClaim(claim('v'.repeat(64)), withdrawnAt) ?? {};
    expect(versionId).toMatch(/^[A-Za-z0-9.-]{1,64}$/);
  });
});
