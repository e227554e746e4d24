/** The result of a check of an account. */

/** The result of a check. `todo` blocks the deployment or what members notice; `unknown` could not be found out. */
export interface AccountFinding {
  readonly state: 'ready' | 'todo' | 'unknown';
  /** A sentence: the state that was found. */
  readonly found: string;
  /** Sentences: the act that changes it, and where. Absent if nothing is to do. */
  readonly act?: string;
}

export const ready = (found: string): AccountFinding => ({ state: 'ready', found });
export const todo = (found: string, act: string): AccountFinding => ({ state: 'todo', found, act });
