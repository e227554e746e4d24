import { describe, expect, it } from 'vitest';
import { callerBlock } from '../../../lambdas/authorization/authorize/caller-block.ts';

describe('whose attempts from an address are counted together', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:0DB8::1', '2001:db8:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
  ])('%s: those of %s', (address, block) => {
    expect(callerBlock(address)).toBe(block);
  });
});
