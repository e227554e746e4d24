import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/**
 * Durable state of the stand-ins: one SQLite file, each stand-in with tables of its own. A write is on disk (in the
 * write-ahead log) before the call that made it is answered, so a killed process loses none.
 */
export interface State {
  /** Creates a stand-in's tables; `schema` is `CREATE TABLE IF NOT EXISTS …`. */
  define(schema: string): void;
  all<Row>(sql: string, ...values: SQLInputValue[]): readonly Row[];
  one<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** @returns how many rows changed. */
  write(sql: string, ...values: SQLInputValue[]): number;
  /** All writes of `work`, or none. */
  atomically<T>(work: () => T): T;
  close(): void;
}

export function openState(stateDirectory: string): State {
  mkdirSync(stateDirectory, { recursive: true });
  const file = join(stateDirectory, 'aws.sqlite');
  // It holds keys and secrets, if only this machine's: nobody else's to read. SQLite gives its other files the same mode.
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;');
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const made = database.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  return {
    define: (schema) => database.exec(schema),
    all: <Row>(sql: string, ...values: SQLInputValue[]) => statement(sql).all(...values) as Row[],
    one: <Row>(sql: string, ...values: SQLInputValue[]) => statement(sql).get(...values) as Row | undefined,
    write: (sql, ...values) => Number(statement(sql).run(...values).changes),
    atomically(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => database.close(),
  };
}
