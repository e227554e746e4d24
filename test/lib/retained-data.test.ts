import { describe, expect, it } from 'vitest';
import { synthesizedApp } from './synthesized-app.ts';

describe('stacks with data that outlives them', () => {
  it('are protected from deletion, and no others', () => {
    const { templates, protectedStacks } = synthesizedApp();
    const withData = [...templates].flatMap(([stack, { Resources }]) =>
      Object.values(Resources).some(({ DeletionPolicy }) => DeletionPolicy === 'Retain') ? [stack] : [],
    );
    expect(withData).toContain('production/Data');
    expect([...protectedStacks].sort()).toEqual(withData.sort());
  });
});
