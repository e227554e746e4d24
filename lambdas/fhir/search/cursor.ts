/** Cursors of result pages (`_cursor`). */

import type { Sha256 } from '../../platform/kernel/digests.ts';
import { jsonValue } from '../../platform/kernel/json-members.ts';
import type { Parameter } from '../query/search-issue.ts';
import type { Position } from './ordering.ts';

/** A page's position in the results, with the search it belongs to. */
export interface Cursor {
  /** Time of the first page's request, milliseconds since 1970, so that `ap` means the same on every page. */
  readonly at: number;
  readonly parameters: readonly Parameter[];
  /** The last result of the page before. */
  readonly after: Position;
}

/** The client, patient and search that a cursor was issued for. A cursor of another owner is refused like a damaged one. */
export interface CursorOwner {
  readonly clientId: string;
  readonly patientId: string;
  /** The searched type, or the operation. */
  readonly search: string;
}

const longest = 10_000;
const checksumLength = 16;
const shape = /^([0-9a-f]{16})([A-Za-z0-9_-]+)$/;

/** Formats a cursor. It is no secret and grants no access: each page is authorized again (docs/decisions/0016-search-index-entries.md). */
export function formatCursor(cursor: Cursor, owner: CursorOwner, sha256: Sha256): string {
  const { at, parameters, after } = cursor;
  const content = JSON.stringify([at, parameters.flat(), after.keys, after.id]);
  const text = Buffer.from(content, 'utf8').toString('base64url');
  return `${checksum(text, owner, sha256)}${text}`;
}

/**
 * Parses a cursor.
 *
 * @returns undefined if the text is damaged, or is the cursor of another owner.
 */
export function parseCursor(text: string, owner: CursorOwner, sha256: Sha256): Cursor | undefined {
  if (text.length > longest) return undefined;
  const [, sum, content = ''] = shape.exec(text) ?? [];
  if (sum === undefined || sum !== checksum(content, owner, sha256)) return undefined;
  return cursorOf(jsonValue(Buffer.from(content, 'base64url').toString('utf8')));
}

function checksum(content: string, { clientId, patientId, search }: CursorOwner, sha256: Sha256): string {
  return sha256(JSON.stringify([clientId, patientId, search, content])).slice(0, checksumLength);
}

/** Anybody can compute the checksum, so the content is validated like any other input. */
function cursorOf(content: unknown): Cursor | undefined {
  if (!Array.isArray(content) || content.length !== 4) return undefined;
  const [at, texts, keys, id]: readonly unknown[] = content;
  const timed = Number.isSafeInteger(at);
  if (!timed || !isListOf(texts, isText) || !isListOf(keys, isKey) || !isText(id)) return undefined;
  if (texts.length % 2 !== 0) return undefined;
  const parameters = texts.flatMap((name, index): readonly Parameter[] =>
    index % 2 === 0 ? [[name, texts[index + 1] ?? '']] : [],
  );
  return { at: at as number, parameters, after: { keys, id } };
}

function isListOf<Element>(
  value: unknown,
  is: (element: unknown) => element is Element,
): value is readonly Element[] {
  return Array.isArray(value) && value.every(is);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isKey(value: unknown): value is number | string | null {
  return value === null || typeof value === 'number' || typeof value === 'string';
}
