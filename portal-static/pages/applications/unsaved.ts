/** Keeps unsaved form values in session storage when a page is left. */

import type { FormValues } from './form-values-model.ts';

/**
 * Values that were not saved when a page was left or the session ended. They are kept in this tab until the page is opened again, as the
 * sign-in page says.
 */
export interface Unsaved {
  readonly typed: FormValues;
  /** The saved configuration when the values were entered. */
  readonly base: Readonly<Record<string, unknown>>;
}

const key = (name: string) => `unsaved:${name}`;

export function keepUnsaved(name: string, unsaved: Unsaved): void {
  try {
    sessionStorage.setItem(key(name), JSON.stringify(unsaved));
  } catch {
    // Session storage is not available: nothing is kept.
  }
}

/** Drops the kept values of a form, once they are saved. */
export function dropUnsaved(name: string): void {
  takeUnsaved(name);
}

/** Reads and removes the kept values of a form. */
export function takeUnsaved(name: string): Unsaved | undefined {
  try {
    const text = sessionStorage.getItem(key(name));
    sessionStorage.removeItem(key(name));
    return text === null ? undefined : (JSON.parse(text) as Unsaved);
  } catch {
    return undefined;
  }
}
