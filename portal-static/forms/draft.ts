/** Keeps the values of an unfinished form in session storage. */

import type { FieldValues } from './values.ts';

/**
 * Keeps values that were entered and not sent in this tab's session storage, so that nothing is lost if the session ends. Passwords and
 * codes, which their fields mark as secret, are never stored.
 */
const key = (name: string) => `draft:${name}`;

export function keepDraft(name: string, values: FieldValues, secrets: ReadonlySet<string>): void {
  const kept = Object.entries(values).filter(([field]) => !secrets.has(field));
  try {
    sessionStorage.setItem(key(name), JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Session storage is not available: no draft is kept.
  }
}

export function readDraft(name: string): FieldValues {
  try {
    return JSON.parse(sessionStorage.getItem(key(name)) ?? '{}') as FieldValues;
  } catch {
    return {};
  }
}

export function dropDraft(name: string): void {
  try {
    sessionStorage.removeItem(key(name));
  } catch {
    // Session storage is not available, so there is nothing to remove.
  }
}
