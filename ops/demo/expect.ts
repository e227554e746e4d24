/** Checks of responses in the demo. */

import { isDeepStrictEqual } from 'node:util';

/** A response differs from the contract (docs/service.md). */
export class Unexpected extends Error {
  override readonly name = 'Unexpected';
  readonly what: string;
  readonly expected: unknown;
  readonly received: unknown;
  constructor(what: string, expected: unknown, received: unknown) {
    super(`${what}: expected ${shown(expected)}, received ${shown(received)}`);
    this.what = what;
    this.expected = expected;
    this.received = received;
  }
}

export function expectEqual(what: string, received: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(received, expected)) throw new Unexpected(what, expected, received);
}

export function expectMatch(what: string, received: unknown, pattern: RegExp): string {
  if (typeof received !== 'string' || !pattern.test(received)) throw new Unexpected(what, pattern, received);
  return received;
}

export function expectTrue(what: string, holds: boolean, received: unknown): void {
  if (!holds) throw new Unexpected(what, 'true', received);
}

/** Parses a JSON object. @throws Unexpected for anything else */
export function expectObject(what: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Any other text is reported below.
  }
  throw new Unexpected(what, 'a JSON object', text.slice(0, 200));
}

function shown(value: unknown): string {
  return value instanceof RegExp ? `text like ${value}` : (JSON.stringify(value) ?? 'nothing');
}
