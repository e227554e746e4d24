/** Local CloudWatch Logs: filter patterns. */

import { NotImplemented } from '../aws-error.ts';

/** Whether a log event's message matches. */
export type LogFilter = (message: string) => boolean;

type Test = (fields: unknown) => boolean;

const tokenPattern =
  /\s*(&&|\|\||!=|<=|>=|=|<|>|\(|\)|"(?:[^"\\]|\\.)*"|\$(?:\.[\w-]+)+|-?\d+(?:\.\d+)?(?![\w.*]))/y;

/**
 * Compiles a filter pattern for JSON events: `{ $.route = "/Patient/{id}" && ($.status = "429" || $.latencyMs > 1000) }`.
 * Text in quotes is compared with text (`*` stands for any characters), numbers with numbers; a field that isn't there
 * matches nothing. An empty pattern matches everything.
 *
 * @throws NotImplemented for any other pattern.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function compileLogFilter(pattern: string): LogFilter {
  if (pattern.trim() === '') return () => true;
  const inner = /^\s*\{(.*)\}\s*$/s.exec(pattern)?.[1];
  if (inner === undefined) throw unknown(pattern);
  const tokens = tokensOf(inner, pattern);
  const next = () => tokens.shift() ?? '';

  function anyOf(): Test {
    let test = allOf();
    while (tokens[0] === '||') {
      next();
      const left = test;
      const right = allOf();
      test = (fields) => left(fields) || right(fields);
    }
    return test;
  }

  function allOf(): Test {
    let test = one();
    while (tokens[0] === '&&') {
      next();
      const left = test;
      const right = one();
      test = (fields) => left(fields) && right(fields);
    }
    return test;
  }

  function one(): Test {
    const first = next();
    if (first === '(') {
      const test = anyOf();
      if (next() !== ')') throw unknown(pattern);
      return test;
    }
    const compare = comparison(next(), next());
    if (!first.startsWith('$') || compare === undefined) throw unknown(pattern);
    const path = first.slice(2).split('.');
    return (fields) => {
      const value = fieldOf(fields, path);
      return value !== undefined && compare(value);
    };
  }

  const test = anyOf();
  if (tokens.length > 0) throw unknown(pattern);
  return (message) => {
    const fields = parsed(message);
    return fields !== undefined && test(fields);
  };
}

function tokensOf(text: string, pattern: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    tokenPattern.lastIndex = at;
    const found = tokenPattern.exec(text);
    if (found === null) throw unknown(pattern);
    tokens.push(found[1] ?? '');
    at = tokenPattern.lastIndex;
  }
  return tokens;
}

function comparison(operator: string, operand: string): ((value: unknown) => boolean) | undefined {
  if (operand.startsWith('"')) {
    const matches = wildcard(operand.slice(1, -1).replace(/\\(.)/g, '$1'));
    if (operator === '=') return (value) => typeof value === 'string' && matches(value);
    if (operator === '!=') return (value) => typeof value === 'string' && !matches(value);
    return undefined;
  }
  const wanted = operand === '' ? Number.NaN : Number(operand);
  if (Number.isNaN(wanted)) return undefined;
  const compare = numeric[operator];
  return compare && ((value) => typeof value === 'number' && compare(value, wanted));
}

const numeric: Readonly<Record<string, (value: number, wanted: number) => boolean>> = {
  '=': (value, wanted) => value === wanted,
  '!=': (value, wanted) => value !== wanted,
  '<': (value, wanted) => value < wanted,
  '<=': (value, wanted) => value <= wanted,
  '>': (value, wanted) => value > wanted,
  '>=': (value, wanted) => value >= wanted,
};

function wildcard(text: string): (value: string) => boolean {
  if (!text.includes('*')) return (value) => value === text;
  const escaped = text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  const expression = new RegExp(`^${escaped}$`, 's');
  return (value) => expression.test(value);
}

function fieldOf(fields: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    fields,
  );
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}

function unknown(pattern: string): NotImplemented {
  return new NotImplemented(`the filter pattern ${pattern}`);
}
