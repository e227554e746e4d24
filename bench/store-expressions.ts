/**
 * Evaluates DynamoDB's condition and update expressions as far as loads use them; refuses any other expression. Names are top-level
 * attributes.
 */

type Attribute = {
  readonly S?: string;
  readonly N?: string;
  readonly [type: string]: unknown;
};
export type StoreItem = Readonly<Record<string, Attribute>>;
type Names = Readonly<Record<string, string>>;
type Evaluate<T> = (item: StoreItem, names: Names, values: StoreItem) => T;

const compiled = new Map<string, Evaluate<unknown>>();

export function compileCondition(expression: string): Evaluate<boolean> {
  return remembered(`condition ${expression}`, () => {
    const reader = createReader(expression);
    const condition = anyOf(reader);
    reader.end();
    return condition;
  });
}

/** @returns the item with the update's changes. */
export function compileUpdate(expression: string): Evaluate<StoreItem> {
  return remembered(`update ${expression}`, () => updateOf(createReader(expression)));
}

function remembered<T>(key: string, compile: () => Evaluate<T>): Evaluate<T> {
  const known = (compiled.get(key) as Evaluate<T> | undefined) ?? compile();
  compiled.set(key, known);
  return known;
}

interface Reader {
  readonly peek: () => string;
  readonly take: (expected?: string) => string;
  readonly has: (token: string) => boolean;
  readonly end: () => void;
}

function createReader(expression: string): Reader {
  const tokens = expression.match(/<>|<=|>=|[=<>(),+-]|[#:]?\w+|\S/g) ?? [];
  let at = 0;
  const peek = () => tokens[at] ?? '';
  const take = (expected?: string) => {
    const token = peek();
    if (expected !== undefined && token !== expected)
      throw new Error(`${expected} expected in ${expression}`);
    at += 1;
    return token;
  };
  const has = (token: string) => {
    if (peek() !== token) return false;
    at += 1;
    return true;
  };
  return { peek, take, has, end: () => take('') };
}

function anyOf(reader: Reader): Evaluate<boolean> {
  const parts = [allOf(reader)];
  while (reader.has('OR')) parts.push(allOf(reader));
  return (...of) => parts.some((part) => part(...of));
}

function allOf(reader: Reader): Evaluate<boolean> {
  const parts = [comparison(reader)];
  while (reader.has('AND')) parts.push(comparison(reader));
  return (...of) => parts.every((part) => part(...of));
}

function comparison(reader: Reader): Evaluate<boolean> {
  if (reader.has('(')) {
    const inner = anyOf(reader);
    reader.take(')');
    return inner;
  }
  if (reader.peek() === 'attribute_exists' || reader.peek() === 'attribute_not_exists') {
    const expected = reader.take() === 'attribute_exists';
    const [found] = parameters(reader);
    return (...of) => (found?.(...of) !== undefined) === expected;
  }
  const left = operand(reader);
  const operator = reader.take();
  if (operator === 'IN') {
    const choices = parameters(reader);
    return (...of) => choices.some((choice) => compared(left(...of), choice(...of)) === 0);
  }
  const right = operand(reader);
  const holds = operators[operator];
  if (holds === undefined) throw new Error(`this store has no operator ${operator}`);
  return (...of) => {
    const order = compared(left(...of), right(...of));
    return order !== undefined && holds(order);
  };
}

const operators: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Compares strings or numbers; undefined for values of different types and for a missing value. */
function compared(a: Attribute | undefined, b: Attribute | undefined): number | undefined {
  if (a?.S !== undefined && b?.S !== undefined) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S));
  if (a?.N !== undefined && b?.N !== undefined) return Number(a.N) - Number(b.N);
  return undefined;
}

function parameters(reader: Reader): readonly Evaluate<Attribute | undefined>[] {
  const all: Evaluate<Attribute | undefined>[] = [];
  reader.take('(');
  do all.push(operand(reader));
  while (reader.has(','));
  reader.take(')');
  return all;
}

function operand(reader: Reader): Evaluate<Attribute | undefined> {
  const token = reader.take();
  if (token === 'if_not_exists') {
    const [first, second] = parameters(reader);
    return (...of) => first?.(...of) ?? second?.(...of);
  }
  if (token.startsWith(':')) return (_item, _names, values) => values[token];
  if (!/^#?\w+$/.test(token)) throw new Error(`this store can't read ${token} in an expression`);
  return (item, names) => item[names[token] ?? token];
}

function updateOf(reader: Reader): Evaluate<StoreItem> {
  const sets: { readonly name: string; readonly value: Evaluate<Attribute | undefined> }[] = [];
  const removed: string[] = [];
  while (reader.peek() !== '') {
    const clause = reader.take();
    if (clause !== 'SET' && clause !== 'REMOVE') throw new Error(`this store has no ${clause}`);
    do {
      const name = reader.take();
      if (clause === 'REMOVE') removed.push(name);
      else {
        reader.take('=');
        sets.push({ name, value: sum(reader) });
      }
    } while (reader.has(','));
  }
  return (item, names, values) => {
    const changes = sets.map(({ name, value }) => [names[name] ?? name, value(item, names, values)] as const);
    const gone = new Set(removed.map((name) => names[name] ?? name));
    const after = { ...item, ...Object.fromEntries(changes) } as StoreItem;
    return Object.fromEntries(Object.entries(after).filter(([name]) => !gone.has(name)));
  };
}

function sum(reader: Reader): Evaluate<Attribute | undefined> {
  const first = operand(reader);
  if (!reader.has('+')) return first;
  const second = operand(reader);
  return (...of) => ({ N: String(Number(first(...of)?.N) + Number(second(...of)?.N)) });
}
