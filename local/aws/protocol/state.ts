/** SQLite file with the state of the local AWS services. */

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StateDirectoryError } from '../../state-directory.ts';

/**
 * Durable state of the stand-ins: one SQLite file, each stand-in with tables of its own. A write is on disk (in the
 * write-ahead log) before the call that made it is answered, so a killed process loses none.
 */
export interface State {
  /**
   * Creates a stand-in's tables; `schema` is `CREATE TABLE IF NOT EXISTS …`.
   *
   * @throws StateDirectoryError where the file has a table of that name with other columns: another version wrote it.
   */
  define(schema: string): void;
  all<Row>(sql: string, ...values: SQLInputValue[]): readonly Row[];
  one<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** @returns how many rows changed. */
  write(sql: string, ...values: SQLInputValue[]): number;
  /** All writes of `work`, or none. */
  atomically<T>(work: () => T): T;
  close(): void;
}

/** @throws StateDirectoryError where the file can't be opened, or is no database. */
export function openState(stateDirectory: string): State {
  mkdirSync(stateDirectory, { recursive: true });
  const file = join(stateDirectory, 'aws.sqlite');
  // It holds keys and secrets, if only this machine's: nobody else's to read. SQLite gives its other files the same mode.
  closeSync(openSync(file, 'a', 0o600));
  const database = open(file);
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const made = database.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  return {
    define(schema) {
      refuseOtherVersions(database, schema, file);
      database.exec(schema);
    },
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
        // SQLite has rolled the transaction back already if the disk is full.
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => database.close(),
  };
}

function open(file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;');
    return database;
  } catch (error) {
    throw new StateDirectoryError(
      `${file} can't be used (${(error as Error).message}): start afresh with npm start -- --fresh, or name another folder with --state`,
    );
  }
}

function refuseOtherVersions(database: DatabaseSync, schema: string, file: string): void {
  const wanted = new DatabaseSync(':memory:');
  wanted.exec(schema);
  const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  const columns = (of: DatabaseSync, name: unknown) =>
    JSON.stringify(
      of.prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(?)').all(String(name)),
    );
  for (const { name } of wanted.prepare(tables).all()) {
    const existing = columns(database, name);
    if (existing === '[]' || existing === columns(wanted, name)) continue;
    throw new StateDirectoryError(
      `${file} is of another version of this system (${String(name)}): start afresh with npm start -- --fresh, or name another folder with --state`,
    );
  }
  wanted.close();
}
