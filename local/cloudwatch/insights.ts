/** Local CloudWatch Logs Insights: compiles the queries of the templates. */

import { compileFilterCommand, fieldPattern, unknownQuery } from './insights-condition.ts';

/** A log event with the name of its log group. */
export interface QueriedEvent {
  readonly log: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly message: string;
}

type Value = string | number | undefined;

/** The result of a query: rows of values, in the order of the columns. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** A row while commands are carried out: a field of an event, or a column of an earlier `stats`. */
type Row = (field: string) => Value;

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

type Command = (table: Table) => Table;

const commands: Readonly<Record<string, (text: string) => Command>> = {
  fields: (text) => display(text),
  filter(text) {
    const matches = compileFilterCommand(text);
    return ({ columns, rows }) => ({ columns, rows: rows.filter(matches) });
  },
  stats,
  sort(text) {
    const [, field = '', direction = 'asc'] = /^(\S+)(?:\s+(asc|desc))?$/.exec(text) ?? [];
    if (!fieldPattern.test(field)) throw unknownQuery(text);
    const sign = direction === 'desc' ? -1 : 1;
    return ({ columns, rows }) => ({
      columns,
      rows: rows.toSorted((left, right) => sign * compare(left(field), right(field))),
    });
  },
  limit(text) {
    const most = Number(text);
    if (!Number.isInteger(most) || most < 1) throw unknownQuery(text);
    return ({ columns, rows }) => ({ columns, rows: rows.slice(0, most) });
  },
};

/**
 * Compiles a query of the commands `fields`, `filter`, `stats`, `sort` and `limit`, in the forms that the templates use.
 *
 * @throws for any other query.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html
 */
export function compileQuery(text: string): (events: readonly QueriedEvent[]) => QueryResult {
  const steps = splitCommands(text).map((line) => {
    const [, name = '', rest = ''] = /^(\w+)\s+(.+)$/s.exec(line) ?? [];
    const compile = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (compile === undefined) throw unknownQuery(line);
    return compile(rest.trim());
  });
  return (events) => {
    const whole: Table = { columns: ['@timestamp', '@message'], rows: events.map(rowOf) };
    const { columns, rows } = steps.reduce((table, step) => step(table), whole);
    return { columns, rows: rows.map((row) => columns.map(row)) };
  };
}

/** The commands of a query, which `|` separates, except in texts and regular expressions. */
function splitCommands(text: string): readonly string[] {
  const parts = text.match(/(?:"[^"]*"|\/(?:\\.|[^/\s])+\/|[^|])+/g) ?? [];
  return parts.map((part) => part.trim());
}

function display(text: string): Command {
  const columns = text.split(',').map((part) => part.trim());
  for (const column of columns) if (!fieldPattern.test(column)) throw unknownQuery(text);
  return ({ rows }) => ({ columns, rows });
}

const aggregates: Readonly<Record<string, (values: readonly number[], percent: number) => Value>> = {
  count: (values) => values.length,
  sum: (values) => values.reduce((total, value) => total + value, 0),
  avg: (values) => values.reduce((total, value) => total + value, 0) / values.length,
  min: (values) => values.toSorted((left, right) => left - right)[0],
  max: (values) => values.toSorted((left, right) => right - left)[0],
  pct: (values, percent) =>
    values.toSorted((left, right) => left - right)[
      Math.max(0, Math.ceil((percent / 100) * values.length) - 1)
    ],
};

const aggregatePattern = /^(\w+)\(\s*([@\w.*]+)\s*(?:,\s*(\d+)\s*)?\)\s+as\s+(\w+)$/;

/** `stats count(*) as calls, pct(latencyMs, 99) as p99 by host, route`. */
function stats(text: string): Command {
  const [computed = '', grouped] = text.split(/\s+by\s+/);
  const by = grouped?.split(',').map((part) => part.trim()) ?? [];
  for (const field of by) if (!fieldPattern.test(field)) throw unknownQuery(text);
  const columns = computed.split(/,\s*(?![^(]*\))/).map((part) => {
    const [, name = '', field = '', percent = '', as = ''] = aggregatePattern.exec(part.trim()) ?? [];
    const aggregate = Object.hasOwn(aggregates, name) ? aggregates[name] : undefined;
    if (aggregate === undefined || (field === '*' && name !== 'count')) throw unknownQuery(part);
    const numbers = (rows: readonly Row[]) =>
      rows.flatMap((row) => {
        if (field === '*') return [0];
        const value = row(field);
        return value === undefined || value === '' || Number.isNaN(Number(value)) ? [] : [Number(value)];
      });
    return {
      as,
      of(rows: readonly Row[]): Value {
        const values = numbers(rows);
        return values.length === 0 ? undefined : aggregate(values, Number(percent));
      },
    };
  });
  return ({ rows }) => {
    const groups = Map.groupBy(rows, (row) => JSON.stringify(by.map((field) => row(field) ?? '')));
    const made = [...groups.values()].map((group): Row => {
      const [first] = group;
      const values = new Map<string, Value>([
        ...by.map((field) => [field, first?.(field)] as const),
        ...columns.map(({ as, of }) => [as, of(group)] as const),
      ]);
      return (field) => values.get(field);
    });
    return { columns: [...by, ...columns.map(({ as }) => as)], rows: made };
  };
}

function compare(left: Value, right: Value): number {
  const [a, b] = [Number(left), Number(right)];
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  return `${left ?? ''}`.localeCompare(`${right ?? ''}`);
}

/**
 * The fields of an event: those of the first JSON object in it, and those that Insights discovers in Lambda's own lines.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_AnalyzeLogData-discoverable-fields.html
 */
function rowOf({ log, timestamp, message }: QueriedEvent): Row {
  const discovered: Record<string, Value> = {
    '@timestamp': new Date(timestamp).toISOString(),
    '@message': message,
    '@log': log,
  };
  const [, init] = /^REPORT .*\bInit Duration: ([\d.]+) ms/.exec(message) ?? [];
  if (message.startsWith('REPORT ')) discovered['@type'] = 'REPORT';
  if (init !== undefined) discovered['@initDuration'] = Number(init);
  const json = jsonIn(message);
  return (field: string) => {
    const value = Object.hasOwn(discovered, field)
      ? discovered[field]
      : Object.hasOwn(json, field)
        ? json[field]
        : undefined;
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  };
}

function jsonIn(message: string): Readonly<Record<string, unknown>> {
  const begin = message.indexOf('{');
  if (begin < 0) return {};
  try {
    return Object(JSON.parse(message.slice(begin))) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
