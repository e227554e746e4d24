/** A DynamoDB-compatible store for benchmarks of loads, over SQLite. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { compileCondition, compileUpdate, type StoreItem } from './store-expressions.ts';

/**
 * A DynamoDB-compatible store for benchmarks of loads: DynamoDB's protocol, conditions and transactions over one SQLite file, in a process
 * of its own. It implements the calls of a load and refuses every other request with the request's name. The embedded engine takes several
 * times the CPU of the loader for a transaction, which would hide the loader's speed.
 */
export interface SqliteStore {
  readonly endpoint: string;
  readonly pid: number;
  readonly tableName: string;
  readonly access: {
    readonly endpoint: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  stop(): Promise<void>;
}

/** @throws Error if the process ends before it listens. */
export async function startSqliteStore(file: string): Promise<SqliteStore> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [endpoint] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the store did not start'))),
  ])) as [Buffer];
  const address = String(endpoint).trim();
  return {
    endpoint: address,
    pid: child.pid ?? 0,
    tableName: 'environment',
    access: { endpoint: address, region: 'us-east-1', accessKeyId: 'bench', secretAccessKey: 'bench' },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

interface Write {
  readonly Item?: StoreItem;
  readonly Key?: StoreItem;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: StoreItem;
}
type Input = Readonly<Record<string, unknown>>;

/** A write of a transaction whose condition is true. */
interface Checked {
  readonly kind: string;
  readonly asked: Write;
  readonly before: StoreItem | undefined;
  readonly pk: string;
  readonly sk: string;
  /** The item after an update; undefined for any other kind of write. */
  readonly updated: StoreItem | undefined;
}

class Refused extends Error {
  readonly type: string;
  readonly reasons: readonly { readonly Code: string }[] | undefined;
  constructor(type: string, message: string, reasons?: Refused['reasons']) {
    super(message);
    this.type = type;
    this.reasons = reasons;
  }
}

/** @throws Refused if the store does not support the expression. */
function compiled<T>(compile: (expression: string) => T, expression: string): T {
  try {
    return compile(expression);
  } catch (error) {
    throw new Refused('ValidationException', String(error));
  }
}

/**
 * Serves one file until the process is ended. Acknowledged writes survive the end of the process; they are not forced to disk. An
 * unexpected error ends the process, and the writes committed together with the failed request are lost.
 */
function serve(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY;
    PRAGMA wal_autocheckpoint = 16384; PRAGMA mmap_size = 17179869184;
    CREATE TABLE IF NOT EXISTS items (pk TEXT, sk TEXT, item TEXT NOT NULL, PRIMARY KEY (pk, sk)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS windows (sealWindow TEXT, sk TEXT, pk TEXT, digest TEXT, PRIMARY KEY (sealWindow, sk, pk)) WITHOUT ROWID;`);
  const select = database.prepare('SELECT item FROM items WHERE pk = ? AND sk = ?');
  const upsert = database.prepare('INSERT OR REPLACE INTO items VALUES (?, ?, ?)');
  const insert = database.prepare('INSERT INTO items VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM items WHERE pk = ? AND sk = ?');
  const intoWindow = database.prepare('INSERT OR REPLACE INTO windows VALUES (?, ?, ?, ?)');
  const outOfWindow = database.prepare('DELETE FROM windows WHERE sealWindow = ? AND sk = ? AND pk = ?');
  const [begin, commit] = ['BEGIN', 'COMMIT'].map((sql) => database.prepare(sql));
  /** Bodies of transactions by client request token: a repeated transaction is acknowledged and not carried out again. */
  const acts = new Map<string, string>();

  const text = (key: StoreItem | undefined, name: string): string => {
    const value = key?.[name];
    if (typeof value?.S !== 'string') throw new Refused('ValidationException', `no ${name} in the key`);
    return value.S;
  };
  const stored = (key: StoreItem | undefined): StoreItem | undefined => {
    const row = select.get(text(key, 'pk'), text(key, 'sk'));
    return row && (JSON.parse(String(row.item)) as StoreItem);
  };

  /** Checks the condition of a write. Returns the write with the present item; `undefined` if the condition is false. */
  function checked(kind: string, asked: Write): Checked | undefined {
    const key = kind === 'Put' ? asked.Item : asked.Key;
    const before = stored(key);
    const names = asked.ExpressionAttributeNames ?? {};
    const values = asked.ExpressionAttributeValues ?? {};
    const { ConditionExpression: condition, UpdateExpression: update } = asked;
    const holds =
      condition === undefined || compiled(compileCondition, condition)(before ?? {}, names, values);
    // Computed before anything is written, so that an unsupported update expression changes nothing.
    const updated = update === undefined ? undefined : compiled(compileUpdate, update);
    return holds
      ? {
          kind,
          asked,
          before,
          pk: text(key, 'pk'),
          sk: text(key, 'sk'),
          updated: updated?.(before ?? asked.Key ?? {}, names, values),
        }
      : undefined;
  }

  /** @returns the item after the write. */
  function write({ kind, asked, before, pk, sk, updated }: Checked): StoreItem {
    if (kind === 'ConditionCheck') return before ?? {};
    if (before?.sealWindow?.S !== undefined) outOfWindow.run(before.sealWindow.S, sk, pk);
    if (kind === 'Delete') {
      remove.run(pk, sk);
      return {};
    }
    const item = updated ?? asked.Item;
    (before === undefined ? insert : upsert).run(pk, sk, JSON.stringify(item));
    if (item?.sealWindow?.S !== undefined) intoWindow.run(item.sealWindow.S, sk, pk, item.digest?.S ?? '');
    return item ?? {};
  }

  function transact(input: Input, body: string): object {
    const token = input.ClientRequestToken as string | undefined;
    const known = token === undefined ? undefined : acts.get(token);
    if (known !== undefined && known !== body) {
      throw new Refused('IdempotentParameterMismatchException', 'another transaction has this token');
    }
    if (known !== undefined) return {};
    const all = (input.TransactItems as Readonly<Record<string, Write>>[]).map((one) => {
      const [kind = '', asked = {}] = Object.entries(one)[0] ?? [];
      return checked(kind, asked);
    });
    const reasons = all.map((one) => ({ Code: one === undefined ? 'ConditionalCheckFailed' : 'None' }));
    const held = all.filter((one) => one !== undefined);
    if (held.length < all.length) {
      throw new Refused('TransactionCanceledException', 'a condition does not hold', reasons);
    }
    if (new Set(held.map(({ pk, sk }) => `${pk} ${sk}`)).size < held.length) {
      throw new Refused('ValidationException', 'a transaction has an item twice');
    }
    for (const one of held) write(one);
    // 200 tokens are enough: the loader has some thirty transactions under way and repeats a transaction within seconds.
    if (acts.size > 200) acts.delete(acts.keys().next().value ?? '');
    if (token !== undefined) acts.set(token, body);
    return {};
  }

  function single(kind: string, input: Input): StoreItem {
    const held = checked(kind, input as Write);
    if (held === undefined) throw new Refused('ConditionalCheckFailedException', 'a condition does not hold');
    return write(held);
  }

  /** Supports the queries of the loader: by partition, and by a prefix of the sort key. */
  function query(input: Input): object {
    const values = input.ExpressionAttributeValues as StoreItem;
    const expression = String(input.KeyConditionExpression);
    const known = ['pk = :pk', 'pk = :pk AND begins_with(sk, :prefix)'].includes(expression);
    if (!known || input.IndexName !== undefined || input.ProjectionExpression !== undefined) {
      throw new Refused('ValidationException', `this store does not answer the query ${expression}`);
    }
    const forward = input.ScanIndexForward !== false;
    const prefix = values[':prefix']?.S ?? '';
    const after = (input.ExclusiveStartKey as StoreItem | undefined)?.sk?.S;
    const bounds = [
      'pk = ?',
      'sk >= ?',
      'sk < ?',
      ...(after === undefined ? [] : [`sk ${forward ? '>' : '<'} ?`]),
    ];
    const most = Number(input.Limit ?? 1_000);
    const parameters: SQLInputValue[] = [values[':pk']?.S ?? '', prefix, `${prefix}\u{10ffff}`];
    if (after !== undefined) parameters.push(after);
    const rows = database
      .prepare(
        `SELECT item FROM items WHERE ${bounds.join(' AND ')} ORDER BY sk ${forward ? 'ASC' : 'DESC'} LIMIT ${most}`,
      )
      .all(...parameters);
    const items = rows.map(({ item }) => JSON.parse(String(item)) as StoreItem);
    const last = items.length === most ? items.at(-1) : undefined;
    return { Items: items, ...(last && { LastEvaluatedKey: { pk: last.pk, sk: last.sk } }) };
  }

  function answer(operation: string, body: string): object {
    const input = JSON.parse(body) as Input;
    switch (operation) {
      case 'GetItem': {
        const item = stored(input.Key as StoreItem);
        return item === undefined ? {} : { Item: item };
      }
      case 'BatchGetItem': {
        const asked = input.RequestItems as Readonly<Record<string, { readonly Keys: StoreItem[] }>>;
        const found = Object.entries(asked).map(([name, { Keys }]) => [
          name,
          Keys.flatMap((key) => stored(key) ?? []),
        ]);
        return { Responses: Object.fromEntries(found) };
      }
      case 'Query':
        return query(input);
      case 'PutItem':
        single('Put', input);
        return {};
      case 'UpdateItem':
        return { Attributes: single('Update', input) };
      case 'TransactWriteItems':
        return transact(input, body);
      default:
        throw new Refused('UnknownOperationException', `this store has no ${operation}`);
    }
  }

  /** Requests that arrived in one turn of the event loop. They are committed together and answered after the commit. */
  let waiting: { readonly operation: string; readonly body: string; readonly response: ServerResponse }[] =
    [];

  function answerWaiting(): void {
    const group = waiting;
    waiting = [];
    begin?.run();
    const answers = group.map(({ operation, body }) => {
      try {
        return { status: 200, content: answer(operation, body) };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const { type: __type, reasons: CancellationReasons, message } = error;
        return { status: 400, content: { __type, message, CancellationReasons } };
      }
    });
    commit?.run();
    for (const [at, { status, content }] of answers.entries()) {
      const response = group[at]?.response;
      response?.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
      response?.end(JSON.stringify(content));
    }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
      if (waiting.length === 0) setImmediate(answerWaiting);
      waiting.push({ operation, body: Buffer.concat(chunks).toString(), response });
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`http://127.0.0.1:${port}\n`);
  });
  process.once('SIGTERM', () => {
    database.close();
    process.exit(0);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) serve(process.argv[2] ?? ':memory:');
