import fc from './property.ts';

const points = (min: number, max: number) =>
  fc.integer({ min, max }).map((point) => String.fromCodePoint(point));
const anyCharacter = fc.oneof(
  { weight: 4, arbitrary: points(0, 0x7f) },
  points(0x80, 0x7ff),
  points(0x800, 0xd7ff),
  points(0xe000, 0xffff),
  points(0x10000, 0x10ffff),
);

/**
 * Any text, of all characters but halves of surrogate pairs, control characters and ASCII most often. The same as the unit `binary`
 * of fast-check, which takes seconds to lay out a million characters before it gives the first.
 */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter });
}
