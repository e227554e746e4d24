/**
 * Escapes the characters that a terminal interprets, or that change how the text around them is displayed, as `\uXXXX`: C0, DEL and C1
 * controls, and Unicode's format characters (right-to-left, zero width). JSON text keeps its value, because this is JSON's own escape.
 */
export function withoutControls(text: string): string {
  return text.replace(unprintable, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

/** A control character other than tab and newline, a format character such as U+202E, or a line or paragraph separator. */
const unprintable = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
