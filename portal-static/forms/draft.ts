/** Keeps the values of an unfinished form in session storage. */

import type { FieldValues } from './values.ts';

/**
 * Values that were entered and not sent yet, kept for this browser tab, so that nothing is lost if the session ends. Passwords
 * and codes, which their controls mark as secret, are never kept.
 */
const key = (name: string) => `draft:${name}`;

export function keepDraft(name: string, values: FieldValues, secrets: ReadonlySet<string>): void {
  const kept = Object.entries(values).filter(([field]) => !secrets.has(field));
  try {
    sessionStorage.setItem(key(name), JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Without storage no draft is kept.
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
    // Nothing was kept.
  }
}
