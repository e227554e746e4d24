/**
 * JSON that two parsers may read differently: a name twice in an object (RFC 8259 section 4), and control characters in a
 * text, which FHIR forbids but for tab, carriage return and line feed (R4, datatypes.html#string).
 */
export type JsonFault = 'duplicate_name' | 'control_character';

/** Texts and what stands around them; everything else of a JSON text says nothing of names. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;
/** U+0000 to U+001F but tab, line feed and carriage return. */
const controlCharacter = /(?![\t\n\r\x7f-\x9f])\p{Cc}/u;

/**
 * The first fault of a text that is JSON. Without recursion: nesting may be as deep as text can say.
 *
 * @param value what the text says, where the caller has parsed it. It makes the common case cheap: of a text that is the value's own
 *   serialization, nothing was lost.
 */
export function jsonFault(text: string, value?: unknown): JsonFault | undefined {
  if (value !== undefined && isSerialized(text, value)) return undefined;
  // The names of each open object; an array has none.
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const names = open.at(-1);
      if (names?.has(last)) return 'duplicate_name';
      names?.add(last);
    } else {
      // Two ways of writing one name are one name.
      last = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
      if (controlCharacter.test(last)) return 'control_character';
    }
  }
  return undefined;
}

/** Without an escape there is no control character either. */
function isSerialized(text: string, value: unknown): boolean {
  if (text.includes('\\')) return false;
  try {
    return JSON.stringify(value) === text;
  } catch {
    // Nested deeper than the stack.
    return false;
  }
}
