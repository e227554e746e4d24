import { describe, expect, it } from 'vitest';
import { checkNewestFirst, checkPage, type Json } from '../../../ops/demo/bundle-check.ts';
import { Unexpected } from '../../../ops/demo/expect.ts';
import { expectedMember } from '../../../ops/demo/scene.ts';
import { syntheticMembers } from '../../../ops/generator/members.ts';

const [member] = syntheticMembers('sandbox').map(expectedMember);
const matches = (member?.resources ?? [])
  .filter(({ resourceType }) => resourceType === 'ExplanationOfBenefit')
  .slice(0, 3);
const base = 'http://dsnp.api.sandbox.localhost/extfhirpatientaccess/v1';
const expected = { base, resourceType: 'ExplanationOfBenefit', matches, size: 2, more: true } as const;
const next = `${base}/ExplanationOfBenefit?_cursor=abc`;

/** The first of two pages of three claims. */
function bundle() {
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    total: 3,
    link: [
      { relation: 'self', url: `${base}/ExplanationOfBenefit?patient=1` },
      { relation: 'next', url: next },
    ],
    entry: matches.slice(0, 2).map(({ id, json }) => ({
      fullUrl: `${base}/ExplanationOfBenefit/${id}`,
      resource: JSON.parse(json),
      search: { mode: 'match' },
    })),
  };
}

type Bundle = ReturnType<typeof bundle>;

describe('the demo, looking at a page of claims', () => {
  it('takes one that is as it should be, and gives the way to the next', () => {
    const page = checkPage(JSON.stringify(bundle()), expected);
    expect(page.resources.map(({ id }) => id)).toEqual(matches.slice(0, 2).map(({ id }) => id));
    expect(page.next).toBe(next);
  });

  it('takes an empty one without a list', () => {
    const { entry: _entry, ...empty } = { ...bundle(), total: 0, link: bundle().link.slice(0, 1) };
    const none = { ...expected, matches: [], size: 0, more: false };
    expect(checkPage(JSON.stringify(empty), none)).toEqual({ resources: [] });
  });

  it.each<[string, (page: Bundle) => unknown]>([
    ['another type of resource', (page) => Object.assign(page, { resourceType: 'OperationOutcome' })],
    ['another kind of Bundle', (page) => Object.assign(page, { type: 'collection' })],
    ['a wrong total', (page) => Object.assign(page, { total: 2 })],
    ['a claim too few', (page) => page.entry.pop()],
    ['the same claim twice', (page) => page.entry.splice(1, 1, ...page.entry.slice(0, 1))],
    ['a claim of somebody else', (page) => Object.assign(page.entry[0]?.resource, { id: 'other' })],
    ['a changed amount', (page) => Object.assign(page.entry[0]?.resource.total[0].amount, { value: 1 })],
    ['a claim with less in it', (page) => delete page.entry[1]?.resource.payment],
    [
      'a wrong address of a claim',
      (page) => Object.assign(page.entry[0] ?? {}, { fullUrl: 'http://elsewhere/1' }),
    ],
    [
      'a claim that nobody searched for',
      (page) => Object.assign(page.entry[0]?.search ?? {}, { mode: 'include' }),
    ],
    ['no self link', (page) => page.link.shift()],
    ['no next link where more follow', (page) => page.link.pop()],
    [
      'a next link to elsewhere',
      (page) => Object.assign(page.link[1] ?? {}, { url: 'http://elsewhere/?_cursor=abc' }),
    ],
  ])('refuses %s', (_what, change) => {
    const page = bundle();
    change(page);
    expect(() => checkPage(JSON.stringify(page), expected)).toThrow(Unexpected);
  });

  it('refuses a next link on the last page', () => {
    const last = { ...expected, more: false };
    expect(() => checkPage(JSON.stringify(bundle()), last)).toThrow(/next link of the last page/);
  });

  it('refuses claims that stand in another order than the newest first', () => {
    const claim = (start: string): Json => ({ billablePeriod: { start } });
    checkNewestFirst([claim('2024-02-01'), claim('2024-01-31'), claim('2024-01-31')]);
    expect(() => checkNewestFirst([claim('2024-01-31'), claim('2024-02-01')])).toThrow(Unexpected);
  });
});
