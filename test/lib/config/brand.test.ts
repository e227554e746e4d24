import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BrandInput, pageSurfaces, parseBrand } from '../../../lib/config/brand-configuration.ts';
import { contrast } from '../../../lib/config/contrast.ts';
import { readBrand } from '../../../lib/config/read-brand.ts';

const colors = {
  light: { action: '#5b2a86', onAction: '#ffffff' },
  dark: { action: '#d4b3f0', onAction: '#241033' },
};
const plan: BrandInput = { name: 'Example Health Plan', colors };
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="9" height="9"/></svg>';
/** A PNG's signature and header chunk, of 240 by 80 pixels. */
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000f000000050', 'hex');

const readWith = (logo: string, content: string | Uint8Array) =>
  parseBrand({ ...plan, logo }, () => Buffer.from(content as Uint8Array));

describe('the plan’s brand', () => {
  it('is none unless the platform team sets one', () => {
    expect(readBrand()).toBeUndefined();
  });

  it('has the name, the colors, and the logo at the size of the pages', () => {
    expect(parseBrand(plan)).toEqual(plan);
    expect(readWith('logo.svg', svg)?.logo).toEqual({
      type: 'image/svg+xml',
      base64: Buffer.from(svg).toString('base64'),
      width: 120,
      height: 40,
    });
    expect(readWith('logo.png', png)?.logo).toMatchObject({ type: 'image/png', width: 120, height: 40 });
  });

  it.each<[string, object, string]>([
    ['a name of one letter', { name: 'A' }, 'name: '],
    ['a long name', { name: 'n'.repeat(41) }, 'name: expected a name of at most 40 characters'],
    ['a name that turns the text around', { name: 'Plan \u202E nalP' }, 'without control characters'],
    [
      'no hex color',
      { colors: { ...colors, light: { action: 'red', onAction: '#fff' } } },
      'colors.light.action: expected a color',
    ],
    [
      'a light color on white',
      { colors: { ...colors, light: { action: '#8f6bb3', onAction: '#000000' } } },
      'colors.light.action: expected a contrast of at least 4.5:1 with #ffffff',
    ],
    [
      'a dark color on a dark page',
      { colors: { ...colors, dark: colors.light } },
      'colors.dark.action: expected a contrast',
    ],
    [
      'text that a button hides',
      { colors: { ...colors, light: { action: '#5b2a86', onAction: '#6b3a96' } } },
      'colors.light.onAction: expected a contrast of at least 4.5:1 with #5b2a86',
    ],
    ['an unknown field', { color: '#000000' }, 'color: no such field'],
  ])('is refused with %s', (_what, change, message) => {
    expect(() => parseBrand({ ...plan, ...change } as BrandInput)).toThrow(`lib/config/brand.ts is invalid:`);
    expect(() => parseBrand({ ...plan, ...change } as BrandInput)).toThrow(message);
  });

  it.each<[string, string, string | Uint8Array, string]>([
    ['of another type', 'logo.gif', 'GIF89a', 'ends in .svg or .png'],
    ['that is too large', 'logo.svg', `${svg}${' '.repeat(16_384)}`, 'expected at most 16384 bytes'],
    ['that is no PNG', 'logo.png', svg, 'expected a PNG image'],
    ['that is no SVG', 'logo.svg', '<html></html>', 'expected an SVG image'],
    ['without a viewBox', 'logo.svg', svg.replace('viewBox="0 0 120 40"', ''), 'with a viewBox'],
    ['with a script', 'logo.svg', svg.replace('<rect', '<script>1</script><rect'), 'without a script'],
    [
      'with an event handler',
      'logo.svg',
      svg.replace('<rect', '<rect onload="x()"'),
      'without an event handler',
    ],
    [
      'with a link',
      'logo.svg',
      svg.replace('<rect', '<use href="https://example.org/a"/><rect'),
      'without an address outside',
    ],
    [
      'with foreign content',
      'logo.svg',
      svg.replace('<rect', '<foreignObject/><rect'),
      'without foreign content',
    ],
    ['with an entity', 'logo.svg', `<!-- --> ${svg}<!ENTITY a "b">`, 'without a document type'],
    ['that is too wide', 'logo.svg', svg.replace('0 0 120 40', '0 0 400 40'), 'times the height'],
  ])('is refused with a logo %s', (_what, name, content, message) => {
    expect(() => readWith(name, content)).toThrow(message);
  });

  it('is refused with a logo that is not there', () => {
    expect(() => parseBrand({ ...plan, logo: 'missing.svg' })).toThrow('missing.svg cannot be read');
  });

  it('is checked against every background of members’ pages', () => {
    const source = readFileSync(
      join(import.meta.dirname, '../../../lambdas/authorization/pages/style.ts'),
      'utf8',
    );
    const style = source.slice(source.indexOf('const style = `'));
    const [, light = '', dark = ''] = style.split(
      /:root\{color-scheme|@media\(prefers-color-scheme:dark\)\{:root/,
    );
    for (const [scheme, text] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      const found = [...text.matchAll(/--(?:paper|ground|\w+-paper):(#[0-9a-f]{3,6})/g)].map(
        ([, value = '']) => (value.length === 4 ? value.replace(/[0-9a-f]/g, '$&$&') : value),
      );
      expect(found.length).toBeGreaterThan(4);
      expect(pageSurfaces[scheme]).toEqual(expect.arrayContaining(found));
    }
  });
});

it('the contrast of black and white is 21, and that of a color with itself is 1', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#123456', '#123456')).toBe(1);
  // An example of WCAG's own contrast checkers.
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});
