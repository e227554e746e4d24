/**
 * Writes the characters that a terminal obeys, or that change how text around them is shown, as `\uXXXX`: C0, DEL and C1 controls, and
 * Unicode's format characters (text that runs backwards, zero width). JSON keeps its value, because the escape is JSON's own.
 */
export function withoutControls(text: string): string {
  return text.replace(unprintable, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

/** A control character other than tab and newline, a format character such as U+202E, or a separator of lines or paragraphs. */
const unprintable = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
