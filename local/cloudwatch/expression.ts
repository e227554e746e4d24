/** Local CloudWatch: compiles metric math. */

/** Computes an expression from the values of its metrics; undefined if it needs a value that is missing. */
export type Expression = (metricOf: (id: string) => number | undefined) => number | undefined;

const tokenPattern = /\s*(\d+(?:\.\d+)?|[A-Za-z_]\w*|>=|<=|==|!=|[-+*/()<>,])/y;

type Operator = (left: number, right: number) => number;

/** Operators by precedence, lowest first; a comparison returns 1 or 0. */
const levels: readonly Readonly<Record<string, Operator>>[] = [
  { OR: (left, right) => Number(left !== 0 || right !== 0) },
  { AND: (left, right) => Number(left !== 0 && right !== 0) },
  {
    '>': (left, right) => Number(left > right),
    '<': (left, right) => Number(left < right),
    '>=': (left, right) => Number(left >= right),
    '<=': (left, right) => Number(left <= right),
    '==': (left, right) => Number(left === right),
    '!=': (left, right) => Number(left !== right),
  },
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  { '*': (left, right) => left * right, '/': (left, right) => left / right },
];

/**
 * Compiles metric math of numbers, metrics, arithmetic, comparisons, `AND`, `OR`, `IF(condition, value, value)` and `FILL(value, number)`.
 *
 * @throws for any other expression.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function compileExpression(text: string): Expression {
  const unknown = () => new Error(`the expression ${text} is not known on one machine`);
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.trimEnd().length) {
    const token = tokenPattern.exec(text)?.[1];
    if (token === undefined) throw unknown();
    tokens.push(token);
  }
  const take = (expected: string) => {
    if (tokens.shift() !== expected) throw unknown();
  };

  function level(at: number): Expression {
    const operators = levels[at];
    if (operators === undefined) return operand();
    let result = level(at + 1);
    for (
      let operate = operators[tokens[0] ?? ''];
      operate !== undefined;
      operate = operators[tokens[0] ?? '']
    ) {
      tokens.shift();
      result = combined(operate, result, level(at + 1));
    }
    return result;
  }

  function operand(): Expression {
    const token = tokens.shift();
    if (token === '(') {
      const inner = level(0);
      take(')');
      return inner;
    }
    if (token === 'IF') return condition();
    if (token === 'FILL') return filled();
    if (token === undefined || !/^\w/.test(token) || tokens[0] === '(') throw unknown();
    const number = Number(token);
    return Number.isNaN(number) ? (metricOf) => metricOf(token) : () => number;
  }

  function condition(): Expression {
    take('(');
    const when = level(0);
    take(',');
    const then = level(0);
    take(',');
    const otherwise = level(0);
    take(')');
    return (metricOf) => {
      const met = when(metricOf);
      return met === undefined ? undefined : (met === 0 ? otherwise : then)(metricOf);
    };
  }

  function filled(): Expression {
    take('(');
    const value = level(0);
    take(',');
    const otherwise = level(0);
    take(')');
    return (metricOf) => value(metricOf) ?? otherwise(metricOf);
  }

  const whole = level(0);
  if (tokens.length > 0) throw unknown();
  return whole;
}

function combined(operate: Operator, left: Expression, right: Expression): Expression {
  return (metricOf) => {
    const [first, second] = [left(metricOf), right(metricOf)];
    return first === undefined || second === undefined ? undefined : operate(first, second);
  };
}
