/** Parses JSON so that its numbers are written again as they were. */

/**
 * `JSON` with the functions of ECMAScript's "JSON.parse source text access", which keep a decimal as written (R4, datatypes.html#decimal).
 */
const sourceText = JSON as unknown as {
  readonly rawJSON: (text: string) => unknown;
  readonly isRawJSON: (value: unknown) => boolean;
  readonly parse: (
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => unknown;
};

/**
 * Texts that may have a number which JavaScript would write in another form: with a last zero after the point, an exponent, more than 15
 * digits, six zeros after the point, or a negative zero. A text value may look like one too.
 */
const mayLoseForm =
  /(?:^|[:,[\s])-?(?:\d+\.\d*0(?=[,}\]\s]|$)|\d[\d.]*[eE]|\d[\d.]{15,}|0\.000000|0(?=[,}\]\s]|$)(?<=-0))/;

/**
 * Parses a JSON text; `JSON.stringify` writes the value's numbers as the text has them, such as `7.10`. Recursive: the caller bounds the
 * depth.
 *
 * @throws SyntaxError if the text is not JSON.
 */
export function parseWithSourceNumbers(text: string): unknown {
  // Most texts have no such number, and are then parsed several times faster.
  if (!mayLoseForm.test(text)) return JSON.parse(text);
  return sourceText.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? sourceText.rawJSON(source) : value,
  );
}

/** Whether a value of `parseWithSourceNumbers` is a number, which is an object there. */
export function isSourceNumber(value: unknown): boolean {
  return sourceText.isRawJSON(value);
}
