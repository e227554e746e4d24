/**
 * Finds faults in JSON that two parsers may read differently: a duplicate name in an object (RFC 8259 section 4), and control characters in
 * strings, of which FHIR allows tab, carriage return and line feed only (R4, datatypes.html#string).
 */

import { jsonValue } from './json-members.ts';

export type JsonFault = 'duplicate_name' | 'control_character';

/** Strings, with the colon after a name, and brackets. Other tokens do not matter for duplicate names. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g;
/** U+0000 to U+001F, except tab, line feed and carriage return. */
const controlCharacter = /(?![\t\n\r\x7f-\x9f])\p{Cc}/u;

/**
 * Finds the first fault in a JSON text.
 *
 * @param value the parsed text, if the caller has it. If the text is exactly the value's serialization, nothing was lost in parsing, and
 * the text need not be searched.
 */
export function jsonFault(text: string, value?: unknown): JsonFault | undefined {
  if (value !== undefined && isSerialized(text, value)) return undefined;
  const fault = firstFault(text, (string) => controlCharacter.test(string));
  return fault === 'refused_text' ? 'control_character' : fault;
}

/**
 * Finds the first fault in a JSON text: a duplicate name in an object, or a string or name that `isRefused` refuses. It does not recurse,
 * so nesting can be of any depth.
 */
export function firstFault(
  text: string,
  isRefused: (string: string, isName: boolean) => boolean,
): 'duplicate_name' | 'refused_text' | undefined {
  // Names in each open object; undefined for an open array.
  const open: (Set<string> | undefined)[] = [];
  for (const [token, colon] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else {
      const written = colon === undefined ? token : token.slice(0, -colon.length);
      // Unescapes the string, so that two spellings of a name are equal.
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
 * Whether an object in a JSON text has a duplicate name (RFC 7519 section 4). `JSON.parse` keeps the last value, another parser may keep
 * the first.
 */
export function repeatsMember(text: string): boolean {
  return firstFault(text, () => false) !== undefined;
}

/**
 * Parses a JSON text.
 *
 * @returns undefined if it is no JSON, or has a fault because of which two parsers may read it differently.
 */
export function parseFaultlessJson(text: string): unknown {
  const value = jsonValue(text);
  return value === undefined || jsonFault(text) !== undefined ? undefined : value;
}

/**
 * Whether a text is the serialization of a value. A text with escapes is not accepted, because only an escape can contain a control
 * character.
 */
function isSerialized(text: string, value: unknown): boolean {
  if (text.includes('\\')) return false;
  try {
    return JSON.stringify(value) === text;
  } catch {
    // The value is nested too deeply for `JSON.stringify`.
    return false;
  }
}
