/** Local CloudWatch Logs Insights: compiles the condition of a `filter` command. */

/** Form of the name of a field: `status`, `@timestamp`. */
export const fieldPattern = /^@?[A-Za-z][\w.]*$/;

/** Error of a query in a form that is not known on one machine; its caller adds the name of the template's resource. */
export function unknownQuery(text: string): Error {
  return new Error(`the query ${text} is not known on one machine`);
}

type Value = string | number | undefined;
type Condition = (fieldOf: (field: string) => Value) => boolean;

const tokenPattern =
  /\s*("[^"]*"|'[^']*'|\/(?:\\.|[^/\s])+\/|-?\d+(?:\.\d+)?|@?[A-Za-z][\w.]*|!=|<=|>=|[=<>()])/y;

/** Comparisons. Numbers and texts of numbers are compared as numbers, as Insights does with the fields of JSON. */
const comparisons: Readonly<Record<string, (left: string | number, right: string | number) => boolean>> = {
  '=': (left, right) => `${left}` === `${right}`,
  '!=': (left, right) => `${left}` !== `${right}`,
  '<': (left, right) => Number(left) < Number(right),
  '<=': (left, right) => Number(left) <= Number(right),
  '>': (left, right) => Number(left) > Number(right),
  '>=': (left, right) => Number(left) >= Number(right),
};

/**
 * Compiles comparisons of fields with texts and numbers, `like /regular expression/`, `like "text"` and `ispresent(field)`, joined by `and`,
 * `or`, `not` and parentheses.
 *
 * @throws for any other condition.
 */
export function compileFilterCommand(text: string): Condition {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.trimEnd().length) {
    const token = tokenPattern.exec(text)?.[1];
    if (token === undefined) throw unknownQuery(text);
    tokens.push(token);
  }
  const take = (expected: string) => {
    if (tokens.shift() !== expected) throw unknownQuery(text);
  };
  const field = (): string => {
    const name = tokens.shift() ?? '';
    if (!fieldPattern.test(name)) throw unknownQuery(text);
    return name;
  };

  const joined = (word: 'and' | 'or', term: () => Condition): Condition[] => {
    const terms = [term()];
    while (tokens[0] === word) {
      tokens.shift();
      terms.push(term());
    }
    return terms;
  };
  const anyOf = (): Condition => {
    const terms = joined('or', allOf);
    return (fieldOf) => terms.some((term) => term(fieldOf));
  };
  const allOf = (): Condition => {
    const terms = joined('and', one);
    return (fieldOf) => terms.every((term) => term(fieldOf));
  };
  const one = (): Condition => {
    if (tokens[0] === 'not') {
      tokens.shift();
      const inner = one();
      return (fieldOf) => !inner(fieldOf);
    }
    if (tokens[0] === '(') {
      take('(');
      const inner = anyOf();
      take(')');
      return inner;
    }
    if (tokens[0] === 'ispresent') {
      take('ispresent');
      take('(');
      const name = field();
      take(')');
      return (fieldOf) => fieldOf(name) !== undefined;
    }
    return comparison();
  };
  const comparison = (): Condition => {
    const name = field();
    const operator = tokens.shift() ?? '';
    const operand = tokens.shift() ?? '';
    if (operator === 'like') return likeCondition(name, operand, text);
    const holds = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined;
    if (holds === undefined || !/^(["'].*["']|-?\d.*)$/s.test(operand)) throw unknownQuery(text);
    const expected = unquoted(operand);
    return (fieldOf) => {
      const value = fieldOf(name);
      return value === undefined ? operator === '!=' : holds(value, expected);
    };
  };

  const whole = anyOf();
  if (tokens.length > 0) throw unknownQuery(text);
  return whole;
}

function likeCondition(name: string, operand: string, text: string): Condition {
  const [, expression] = /^\/(.+)\/$/s.exec(operand) ?? [];
  if (expression === undefined && !/^["']/.test(operand)) throw unknownQuery(text);
  const form = expression === undefined ? undefined : new RegExp(expression);
  return (fieldOf) => {
    const value = fieldOf(name);
    if (value === undefined) return false;
    return form === undefined ? `${value}`.includes(unquoted(operand)) : form.test(`${value}`);
  };
}

function unquoted(operand: string): string {
  return /^["']/.test(operand) ? operand.slice(1, -1) : operand;
}
