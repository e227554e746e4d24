import type { FieldValues } from './values.ts';

/**
 * What was typed and not sent yet, kept for this browser tab: a session that ends while somebody types costs nothing. Passwords,
 * codes and answers of the bot check are never kept.
 */
const secret = /password|code$|botCheck/i;
const key = (name: string) => `draft:${name}`;

export function keepDraft(name: string, values: FieldValues): void {
  const kept = Object.entries(values).filter(([field]) => !secret.test(field));
  try {
    sessionStorage.setItem(key(name), JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A browser without storage keeps no draft.
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
