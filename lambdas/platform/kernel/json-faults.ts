/**
 * JSON that two parsers may read differently: a name twice in an object (RFC 8259 section 4), and control characters in a
 * text, which FHIR forbids but for tab, carriage return and line feed (R4, datatypes.html#string).
 */

import { jsonValue } from './json-members.ts';

export type JsonFault = 'duplicate_name' | 'control_character';

/** Texts, with the colon after a name, and brackets; everything else of a JSON text says nothing of names. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g;
/** U+0000 to U+001F but tab, line feed and carriage return. */
const controlCharacter = /(?![\t\n\r\x7f-\x9f])\p{Cc}/u;

/**
 * The first fault of a text that is JSON.
 *
 * @param value what the text says, where the caller has parsed it. It makes the common case cheap: of a text that is the value's own
 *   serialization, nothing was lost.
 */
export function jsonFault(text: string, value?: unknown): JsonFault | undefined {
  if (value !== undefined && isSerialized(text, value)) return undefined;
  const fault = firstFault(text, (string) => controlCharacter.test(string));
  return fault === 'refused_text' ? 'control_character' : fault;
}

/**
 * The first fault of a text that is JSON: a name that stands twice in an object, or a text or a name that is refused. Without
 * recursion: nesting may be as deep as text can say.
 */
export function firstFault(
  text: string,
  isRefused: (string: string, isName: boolean) => boolean,
): 'duplicate_name' | 'refused_text' | undefined {
  // Names of each open object; undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  for (const [token, colon] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else {
      const written = colon === undefined ? token : token.slice(0, -colon.length);
      // Two spellings of one name are the same name.
      const string = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
      if (isRefused(string, colon !== undefined)) return 'refused_text';
      if (colon === undefined) continue;
      const names = open.at(-1);
      if (names?.has(string)) return 'duplicate_name';
      names?.add(string);
    }
  }
  return undefined;
}

/**
 * Whether an object of a JSON text names a member twice (RFC 7519 section 4): `JSON.parse` keeps the last of two, another
 * reader may keep the first.
 */
export function repeatsMember(text: string): boolean {
  return firstFault(text, () => false) !== undefined;
}

/** The value of a JSON text; undefined for any other text, and for JSON that two parsers may read differently. */
export function parseFaultlessJson(text: string): unknown {
  const value = jsonValue(text);
  return value === undefined || jsonFault(text) !== undefined ? undefined : value;
}

/** Without an escape there is no control character either. */
function isSerialized(text: string, value: unknown): boolean {
  if (text.includes('\\')) return false;
  try {
    return JSON.stringify(value) === text;
  } catch {
    // The nesting is deeper than the stack.
    return false;
  }
}
