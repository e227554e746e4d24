import { describe, expect, it } from 'vitest';
import { exampleValues } from '../../../lib/config/example-values.ts';
import { portal } from '../../../lib/config/portal.ts';
import { sandbox } from '../../../lib/config/sandbox.ts';
import { synthesizedApp } from '../synthesized-app.ts';

describe('example values', () => {
  it('are known in the files of the repository', () => {
    expect(exampleValues({ account: sandbox.account, domain: sandbox.domain })).toEqual([
      'account 111122223333',
      'domain sandbox.memberdata.example',
    ]);
    expect(exampleValues({ account: portal.account, hostname: portal.hostname })).toHaveLength(2);
  });

  it.each([
    ['api.plan.example.com', 1],
    ['example.org', 1],
    ['data.myexample.org', 0],
    ['example.health', 0],
    ['members.plan.org', 0],
  ])('are told from real ones: %s', (domain, found) => {
    expect(exampleValues({ account: '210987654321', domain })).toHaveLength(found);
  });

  it('are told with every command, file by file', () => {
    const told = synthesizedApp().messages;
    for (const [stack, file] of [
      ['sandbox/Data', 'lib/config/sandbox.ts'],
      ['production/Data', 'lib/config/production.ts'],
      ['portal/Data', 'lib/config/portal.ts'],
    ]) {
      expect(told).toContainEqual(
        expect.stringContaining(`${stack} ${file} still has the repository's examples`),
      );
    }
  });
});
