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
 * Generates texts of all characters except surrogates, most often control characters and ASCII. Equivalent to fast-check's unit `binary`,
 * which takes seconds to list a million characters before it gives the first text.
 */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter });
}
