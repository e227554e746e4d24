/** Opens the SQLite file with the state of the local AWS services. */

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StateDirectoryError } from '../../state-directory.ts';

/**
 * Durable state of the stand-ins: one SQLite file, in which each stand-in has tables of its own. A write is on disk (in the write-ahead
 * log) before the call gets its response, so a killed process loses nothing.
 */
export interface State {
  /**
   * Creates a stand-in's tables; `schema` is `CREATE TABLE IF NOT EXISTS …`.
   *
   * @throws StateDirectoryError if the file has a table of that name with other columns, written by another version.
   */
  define(schema: string): void;
  all<Row>(sql: string, ...values: SQLInputValue[]): readonly Row[];
  one<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /**
   * Runs a statement.
   *
   * @returns the number of changed rows.
   */
  write(sql: string, ...values: SQLInputValue[]): number;
  /** Carries out all writes of `work`, or none. */
  atomically<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens the state.
 *
 * @throws StateDirectoryError if the file can't be opened, or is not a database.
 */
export function openState(stateDirectory: string): State {
  mkdirSync(stateDirectory, { recursive: true });
  const file = join(stateDirectory, 'aws.sqlite');
  // Only this user may read the file, since it contains keys and secrets. SQLite gives its other files the same mode.
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
        // If the disk is full, SQLite has already rolled back the transaction.
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
