import { describe, expect, it } from 'vitest';
import { entityTag, matchesEntityTag } from '../../../lambdas/fhir/read/entity-tag.ts';

describe('an entity tag', () => {
  it('is weak and holds the version', () => {
    expect(entityTag('3')).toBe('W/"3"');
  });

  it.each(['W/"3"', '"3"', 'W/"2", W/"3"', '"a,b", "3"', '*', ' * '])('matches %j', (header) => {
    expect(matchesEntityTag(header, '3')).toBe(true);
  });

  it.each([undefined, '', 'W/"2"', '3', 'W/"33"', '"3', 'W/3'])('does not match %j', (header) => {
    expect(matchesEntityTag(header, '3')).toBe(false);
  });
});
