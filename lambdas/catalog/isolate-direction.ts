/** Isolates the direction of a name within a sentence, where a name is text and can't be an element such as `bdi`. */

/** Blocks whose characters are written from right to left by default (Unicode's DerivedBidiClass.txt, `R` and `AL`). */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Encloses a name with characters of a right-to-left script in FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (UAX #9 section 2.4), so
 * that the words and numbers around it keep their order. Other names are returned as they are. The name itself has no such character:
 * registration refuses them.
 */
export function isolateDirection(name: string): string {
  return rightToLeft.test(name) ? `\u2068${name}\u2069` : name;
}
