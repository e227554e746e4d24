/** A publication as a SQLite file (node:sqlite): builds write it, and searches read it. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PublicationWriter } from '../build/build-publication.ts';
import type { DirectoryPublication } from '../publication/publication.ts';
import { publicationFormat } from '../publication/publication-schema.ts';
import type { Sql, SqlValue } from '../publication/sql.ts';

/** The file is not a publication of this format, or is damaged. */
export class PublicationDamaged extends Error {}

/** Most values bound by one INSERT statement, which writes many rows. */
const mostBound = 400;
/** Most prepared statements kept in memory; a search uses one or two. */
const mostPrepared = 200;
/** Most decompressed blocks kept in memory: some megabytes. */
const mostBlocks = 2_000;

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Creates a new file for a build.
 *
 * @param path of a file that does not exist yet.
 */
export function createPublicationFile(path: string): PublicationWriter & { close(): void } {
  const database = new DatabaseSync(path);
  // The file of an interrupted build is discarded, so that it needs no journal, and is synced to disk once at the end.
  database.exec(
    'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; BEGIN',
  );
  const tables = new Map<string, PendingRows>();
  const insert = (table: string, row: readonly SqlValue[]) => {
    let pending = tables.get(table);
    if (pending === undefined) {
      pending = new PendingRows(database, table, row.length);
      tables.set(table, pending);
    }
    pending.add(row);
  };
  let dictionary = Buffer.alloc(0);
  return {
    run(statements) {
      for (const pending of tables.values()) pending.flush();
      database.exec(statements);
    },
    insert,
    array(name, numbers) {
      insert('array', [name, zstdCompressSync(numbers, compression)]);
    },
    block(block, first, text) {
      const bytes = Buffer.from(text);
      const options = block === first ? compression : { ...compression, dictionary };
      insert('body', [block, zstdCompressSync(bytes, options)]);
      if (block === first) dictionary = bytes;
    },
    close() {
      for (const pending of tables.values()) pending.flush();
      database.exec('COMMIT');
      database.close();
    },
  };
}

/** Rows of one table that are written together in one statement. */
class PendingRows {
  readonly #database: DatabaseSync;
  readonly #table: string;
  readonly #columns: number;
  readonly #most: number;
  readonly #whole: StatementSync;
  #values: SqlValue[] = [];

  constructor(database: DatabaseSync, table: string, columns: number) {
    this.#database = database;
    this.#table = table;
    this.#columns = columns;
    this.#most = Math.max(1, Math.floor(mostBound / columns)) * columns;
    this.#whole = this.#statement(this.#most / columns);
  }

  add(row: readonly SqlValue[]): void {
    this.#values.push(...row);
    if (this.#values.length < this.#most) return;
    this.#whole.run(...this.#values);
    this.#values = [];
  }

  flush(): void {
    if (this.#values.length === 0) return;
    this.#statement(this.#values.length / this.#columns).run(...this.#values);
    this.#values = [];
  }

  #statement(rows: number): StatementSync {
    const row = `(${Array(this.#columns).fill('?').join(',')})`;
    return this.#database.prepare(`INSERT INTO ${this.#table} VALUES ${Array(rows).fill(row).join(',')}`);
  }
}

/**
 * Opens a publication's file.
 *
 * @throws PublicationDamaged if it is not a publication of this format.
 */
export function openPublicationFile(path: string): DirectoryPublication & { close(): void } {
  const database = guarded(() => new DatabaseSync(path, { readOnly: true }));
  // Pages are mapped from the operating system's cache instead of being copied to SQLite's.
  guarded(() =>
    database.exec('PRAGMA mmap_size = 2147418112; PRAGMA query_only = ON; PRAGMA temp_store = MEMORY'),
  );
  const prepared = new Map<string, StatementSync>();
  const all = ({ text, values }: Sql) =>
    guarded(() => {
      let statement = prepared.get(text);
      if (statement === undefined) {
        statement = database.prepare(text);
        if (prepared.size >= mostPrepared) prepared.delete(prepared.keys().next().value ?? '');
        prepared.set(text, statement);
      }
      return statement.all(...values) as readonly Readonly<Record<string, SqlValue>>[];
    });
  const blob = (text: string, value: string | number) => {
    const [row] = all({ text, values: [value] });
    return row?.bytes instanceof Uint8Array ? row.bytes : undefined;
  };
  const frame = (block: number) => {
    const found = blob('SELECT frame AS bytes FROM body WHERE block = ?', block);
    if (found === undefined) throw new PublicationDamaged(`${path} has no block ${block}`);
    return found;
  };
  const dictionaries = new Map<number, Buffer>();
  const dictionaryOf = (first: number) => {
    let dictionary = dictionaries.get(first);
    if (dictionary === undefined) {
      dictionary = guarded(() => zstdDecompressSync(frame(first)));
      dictionaries.set(first, dictionary);
    }
    return dictionary;
  };
  const blocks = new Map<number, readonly string[]>();
  const meta = new Map(
    all({ text: 'SELECT name, value FROM meta', values: [] }).map(({ name, value }) => [name, String(value)]),
  );
  if (meta.get('format') !== String(publicationFormat))
    throw new PublicationDamaged(`${path} has another format`);
  return {
    id: meta.get('id') ?? '',
    builtAt: Number(meta.get('builtAt')),
    all,
    array(name) {
      const bytes = blob('SELECT numbers AS bytes FROM array WHERE name = ?', name);
      if (bytes === undefined) return undefined;
      // A copy has a buffer of its own, which is aligned for numbers of any size.
      return new Uint8Array(guarded(() => zstdDecompressSync(bytes))).buffer;
    },
    block(block, first) {
      const known = blocks.get(block);
      if (known !== undefined) return known;
      const dictionary = dictionaryOf(first);
      const bytes =
        block === first ? dictionary : guarded(() => zstdDecompressSync(frame(block), { dictionary }));
      const lines = bytes.toString().split('\n');
      if (blocks.size >= mostBlocks) blocks.delete(blocks.keys().next().value ?? 0);
      blocks.set(block, lines);
      return lines;
    },
    close: () => database.close(),
  };
}

/** SQLite's result codes for a file that is damaged or not a database (https://www.sqlite.org/rescode.html): CORRUPT, CANTOPEN, NOTADB. */
const damage = [11, 14, 26];

function guarded<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    const code = (error as { readonly errcode?: unknown }).errcode;
    const isBroken = typeof code === 'number' && damage.includes(code & 0xff);
    if (isBroken || String((error as { readonly code?: unknown }).code).startsWith('ZSTD_')) {
      throw new PublicationDamaged('the publication can’t be read', { cause: error });
    }
    throw error;
  }
}
