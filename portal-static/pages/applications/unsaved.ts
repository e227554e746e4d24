/** Keeps unsaved form values when a page is left. */

import type { FormValues } from './form-values-model.ts';

/**
 * Values that were not saved when a page was left or the session ended, kept in this tab until the page is opened again,
 * as the sign-in page promises.
 */
export interface Unsaved {
  readonly typed: FormValues;
  /** The saved configuration on which the values were typed. */
  readonly base: Readonly<Record<string, unknown>>;
}

const key = (name: string) => `unsaved:${name}`;

export function keepUnsaved(name: string, unsaved: Unsaved): void {
  try {
    sessionStorage.setItem(key(name), JSON.stringify(unsaved));
  } catch {
    // Without storage nothing is kept.
  }
}

/** @returns what was kept, once. */
export function takeUnsaved(name: string): Unsaved | undefined {
  try {
    const text = sessionStorage.getItem(key(name));
    sessionStorage.removeItem(key(name));
    return text === null ? undefined : (JSON.parse(text) as Unsaved);
  } catch {
    return undefined;
  }
}
