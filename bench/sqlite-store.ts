/** A DynamoDB-compatible store for benchmarks of loads, over SQLite. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { compileCondition, compileUpdate, type StoreItem } from './store-expressions.ts';

/**
 * A store for benchmarks of loads: DynamoDB's protocol, conditions and transactions over one SQLite file, in a process of its own. It does the
 * work of a load and of nothing else, and refuses any other request by name. The embedded engine, which everything else runs on, takes several
 * times the CPU for a transaction than the loader does, and so hides how fast the loader is.
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

/** @throws Error where the process ends before it listens. */
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

class Refused extends Error {
  readonly type: string;
  readonly reasons: readonly { readonly Code: string }[] | undefined;
  constructor(type: string, message: string, reasons?: Refused['reasons']) {
    super(message);
    this.type = type;
    this.reasons = reasons;
  }
}

/** Serves one file until the process is ended. What is acknowledged survives the end of the process; it is not forced to the disk. */
function serve(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY;
    CREATE TABLE IF NOT EXISTS items (pk TEXT, sk TEXT, item TEXT NOT NULL, PRIMARY KEY (pk, sk)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS windows (sealWindow TEXT, sk TEXT, pk TEXT, digest TEXT, PRIMARY KEY (sealWindow, sk, pk)) WITHOUT ROWID;`);
  const select = database.prepare('SELECT item FROM items WHERE pk = ? AND sk = ?');
  const upsert = database.prepare('INSERT OR REPLACE INTO items VALUES (?, ?, ?)');
  const insert = database.prepare('INSERT INTO items VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM items WHERE pk = ? AND sk = ?');
  const intoWindow = database.prepare('INSERT OR REPLACE INTO windows VALUES (?, ?, ?, ?)');
  const outOfWindow = database.prepare('DELETE FROM windows WHERE sealWindow = ? AND sk = ? AND pk = ?');
  const [begin, commit, rollback] = ['BEGIN', 'COMMIT', 'ROLLBACK'].map((sql) => database.prepare(sql));
  /** Bodies of transactions by their tokens: a repeat is the same act. */
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

  /** @returns the item as it is then; `undefined` where its condition does not hold. */
  function write(kind: string, asked: Write): StoreItem | undefined {
    const key = kind === 'Put' ? asked.Item : asked.Key;
    const [pk, sk] = [text(key, 'pk'), text(key, 'sk')];
    const before = stored(key);
    const { ConditionExpression: condition, UpdateExpression: update } = asked;
    const names = asked.ExpressionAttributeNames ?? {};
    const values = asked.ExpressionAttributeValues ?? {};
    if (condition !== undefined && !compileCondition(condition)(before ?? {}, names, values))
      return undefined;
    if (kind === 'ConditionCheck') return before ?? {};
    if (before?.sealWindow?.S !== undefined) outOfWindow.run(before.sealWindow.S, sk, pk);
    if (kind === 'Delete') {
      remove.run(pk, sk);
      return {};
    }
    const item =
      update === undefined ? asked.Item : compileUpdate(update)(before ?? asked.Key ?? {}, names, values);
    (before === undefined ? insert : upsert).run(pk, sk, JSON.stringify(item));
    if (item?.sealWindow?.S !== undefined) intoWindow.run(item.sealWindow.S, sk, pk, item.digest?.S ?? '');
    return item ?? {};
  }

  function inTransaction<T>(work: () => T): T {
    begin?.run();
    try {
      const result = work();
      commit?.run();
      return result;
    } catch (error) {
      rollback?.run();
      throw error;
    }
  }

  function transact(input: Input, body: string): object {
    const token = input.ClientRequestToken as string | undefined;
    const known = token === undefined ? undefined : acts.get(token);
    if (known !== undefined && known !== body) {
      throw new Refused('IdempotentParameterMismatchException', 'another transaction has this token');
    }
    if (known !== undefined) return {};
    inTransaction(() => {
      const reasons = (input.TransactItems as Readonly<Record<string, Write>>[]).map((one) => {
        const [kind = '', asked = {}] = Object.entries(one)[0] ?? [];
        return { Code: write(kind, asked) === undefined ? 'ConditionalCheckFailed' : 'None' };
      });
      if (reasons.some(({ Code }) => Code !== 'None')) {
        throw new Refused('TransactionCanceledException', 'a condition does not hold', reasons);
      }
    });
    // The loader repeats within seconds, and has some ten transactions under way.
    if (acts.size > 200) acts.delete(acts.keys().next().value ?? '');
    if (token !== undefined) acts.set(token, body);
    return {};
  }

  function single(kind: string, input: Input): StoreItem {
    const item = inTransaction(() => write(kind, input as Write));
    if (item === undefined) throw new Refused('ConditionalCheckFailedException', 'a condition does not hold');
    return item;
  }

  /** The loader asks for partitions, and for sort keys with a prefix. */
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

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const send = (status: number, content: object) => {
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
        response.end(JSON.stringify(content));
      };
      try {
        const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
        send(200, answer(operation, Buffer.concat(chunks).toString()));
      } catch (error) {
        const { type, reasons, message } =
          error instanceof Refused ? error : new Refused('InternalServerError', String(error));
        send(type === 'InternalServerError' ? 500 : 400, {
          __type: type,
          message,
          CancellationReasons: reasons,
        });
      }
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
