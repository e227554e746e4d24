/** Parses a line of NDJSON as a JSON object that every parser reads alike. */

import { jsonFault } from './json-faults.ts';
import { isJsonObject, jsonValue } from './json-members.ts';
import type { NdjsonLine } from './ndjson-lines.ts';

/** Reasons why a line is no JSON object, or one that two parsers may read differently. */
export type NdjsonFault = 'not_utf8' | 'row_too_long' | 'not_json' | 'control_character' | 'duplicate_name';

export type NdjsonObject =
  | {
      readonly kind: 'object';
      readonly text: string;
      readonly content: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'fault'; readonly code: NdjsonFault };

/** Parses a line. An object may be nested to any depth: callers that recurse check its depth first (`json-levels.ts`). */
export function readNdjsonObject(line: NdjsonLine): NdjsonObject {
  if (line.kind === 'unreadable') return { kind: 'fault', code: line.code };
  const { text } = line;
  const content = jsonValue(text);
  if (content === undefined) {
    return { kind: 'fault', code: hasControlCharacter(text) ? 'control_character' : 'not_json' };
  }
  if (!isJsonObject(content) || !text.isWellFormed()) return { kind: 'fault', code: 'not_json' };
  const code = jsonFault(text, content);
  return code === undefined ? { kind: 'object', text, content } : { kind: 'fault', code };
}

function hasControlCharacter(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text);
}
