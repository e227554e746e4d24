import { describe, expect, it } from 'vitest';
import { directoryParameter } from '../../lambdas/catalog/fhir/directory-resources.ts';
import { type DirectoryType, directoryTypes } from '../../lambdas/catalog/fhir/directory-types.ts';
import { parseDirectoryQuery } from '../../lambdas/provider-directory/search/directory-query.ts';
import { directorySearch } from '../../lambdas/provider-directory/search/directory-searches.ts';
import { planNet, planNetChains } from './plan-net.ts';
import { base, now } from './world.ts';

/** A valid value for each type of parameter. */
const values = {
  date: '2026',
  reference: 'some-id',
  special: '38.9|-77|10|mi',
  string: 'a',
  token: 'a',
} as const;

describe.each(Object.entries(planNet))('the directory’s %s', (type, asked) => {
  it('has every search parameter of the guide, by its definition', () => {
    expect(directoryTypes).toContain(type);
    for (const [name, definition] of Object.entries(asked.parameters)) {
      expect(directoryParameter(type as DirectoryType, name)?.definition, name).toBe(definition);
    }
  });

  it('has every include of the guide, both ways', () => {
    const { includes, revIncludes } = directorySearch(type as DirectoryType);
    expect(includes).toEqual(expect.arrayContaining([...asked.include]));
    expect(revIncludes).toEqual(expect.arrayContaining([...asked.revinclude]));
  });
});

it.each(Object.entries(planNetChains))('%s can be chained as the guide says, and reversed', (from, [
  targets,
  names,
]) => {
  const [type = '', reference = ''] = from.split('.') as [DirectoryType, string];
  for (const target of targets as readonly DirectoryType[]) {
    for (const name of names) {
      const value = values[directoryParameter(target, name)?.type ?? 'token'];
      const chain = parseDirectoryQuery(type as DirectoryType, [[`${reference}.${name}`, value]], {
        base,
        now,
        strict: true,
      });
      expect(chain.kind, `${from}.${name}`).toBe('query');
    }
    const reverse = parseDirectoryQuery(target, [[`_has:${type}:${reference}:_id`, 'x']], {
      base,
      now,
      strict: true,
    });
    expect(reverse.kind, `_has:${from}`).toBe('query');
  }
});
