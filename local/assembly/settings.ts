/** Reads a resource's properties, and refuses properties that the local system does not know. */

import { AssemblyError } from './assembly-error.ts';
import type { Resource } from './resources.ts';

export type Settings = Readonly<Record<string, unknown>>;

/** Reads a resource's settings. A setting that is not listed as known is refused, because it would be ignored silently. */
export interface Reader {
  /** @throws AssemblyError for a setting that is neither in `known` nor in `withoutEffect`. */
  check(settings: Settings, known: readonly string[], withoutEffect?: readonly string[]): void;
  fail(what: string): never;
}

export function readerOf({ stack, logicalId }: Resource): Reader {
  const fail = (what: string): never => {
    throw new AssemblyError(`stack ${stack}: ${logicalId}: ${what}`);
  };
  return {
    fail,
    check(settings, known, withoutEffect = []) {
      for (const [name, value] of Object.entries(settings)) {
        if (known.includes(name) || withoutEffect.includes(name) || isEmpty(value)) continue;
        fail(`${name} is not implemented on one machine`);
      }
    },
  };
}

function isEmpty(value: unknown): boolean {
  return value === false || value === '' || (Array.isArray(value) && value.length === 0);
}

export function settingsOf(value: unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};
}

export function listOf(value: unknown): readonly Settings[] {
  return Array.isArray(value) ? value.map(settingsOf) : [];
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Whether a value is true; CloudFormation accepts booleans as text too. */
export function isTrue(value: unknown): boolean {
  return String(value) === 'true';
}
