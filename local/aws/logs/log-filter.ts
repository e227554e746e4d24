/** Local CloudWatch Logs: compiles filter patterns. */

import { NotImplemented } from '../protocol/aws-error.ts';

/** Whether a log event's message matches. */
export type LogFilter = (message: string) => boolean;

type Fields = Readonly<Record<string, unknown>>;
type Condition = (fields: Fields) => boolean;

/** A comparison `$.name = "text"`, `$.name NOT EXISTS`, a sign of the grammar, or anything else, which is not supported. */
const token = /\s*(?:\$\.(\w+)\s*(?:=\s*"([^"\\]*)"|NOT EXISTS)|(\|\||&&|[(){}])|(\S))/y;

/** A token: a comparison or a test for absence as its condition, or a sign. */
type Token = Condition | string;

/**
 * Compiles a filter pattern for JSON events, in the forms that the templates and the functions use: comparisons of text fields, in which `*`
 * stands for any text, and `NOT EXISTS`, joined by `&&`, `||` and parentheses: `{ $.clientId = "c1" && ($.status = "4*" || $.status = "5*") }`. An empty
 * pattern matches everything.
 *
 * @throws NotImplemented for any other pattern.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function compileLogFilter(text: string): LogFilter {
  if (text.trim() === '') return () => true;
  const refuse = (): never => {
    throw new NotImplemented(`the filter pattern ${text}`);
  };
  const tokens = tokensOf(text, refuse);
  const take = (sign: string) => {
    if (tokens.shift() !== sign) refuse();
  };
  /** Reads terms that are joined by one sign. */
  const joined = (sign: string, term: () => Condition): Condition[] => {
    const terms = [term()];
    while (tokens[0] === sign) {
      tokens.shift();
      terms.push(term());
    }
    return terms;
  };
  const one = (): Condition => {
    const next = tokens.shift();
    if (typeof next === 'function') return next;
    if (next !== '(') return refuse();
    const inner = anyOf();
    take(')');
    return inner;
  };
  const allOf = (): Condition => {
    const terms = joined('&&', one);
    return (fields) => terms.every((term) => term(fields));
  };
  const anyOf = (): Condition => {
    const terms = joined('||', allOf);
    return (fields) => terms.some((term) => term(fields));
  };
  take('{');
  const matches = anyOf();
  take('}');
  if (tokens.length > 0) refuse();
  return (message) => matches(fieldsOf(message));
}

function tokensOf(text: string, refuse: () => never): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  for (const trimmed = text.trimEnd(); token.lastIndex < trimmed.length; ) {
    const [, name, value, sign] = token.exec(trimmed) ?? [];
    if (name !== undefined) tokens.push(value === undefined ? absence(name) : comparison(name, value));
    else tokens.push(sign ?? refuse());
  }
  return tokens;
}

function comparison(name: string, pattern: string): Condition {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  const form = new RegExp(`^${parts.join('.*')}$`, 's');
  return (fields) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return typeof value === 'string' && form.test(value);
  };
}

function absence(name: string): Condition {
  return (fields) => !Object.hasOwn(fields, name);
}

/** The fields of an event; empty if it isn't a JSON object. */
function fieldsOf(message: string): Fields {
  try {
    return Object(JSON.parse(message)) as Fields;
  } catch {
    return {};
  }
}
