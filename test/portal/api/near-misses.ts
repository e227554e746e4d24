import type { JsonSchema, SchemaReader } from '../../support/json-schema.ts';

/** Generates values at each limit of a schema and just beyond it, from a value that the schema accepts. */

export interface NearMiss {
  /** JSON Pointer to the changed part: `/contact/email`. */
  readonly pointer: string;
  readonly value: unknown;
}

/**
 * Returns bodies that differ from a value in one part each.
 *
 * @param value a value that the schema accepts.
 */
export function nearMisses(reader: SchemaReader, schema: JsonSchema, value: unknown): readonly NearMiss[] {
  const whole = branchOf(reader, schema, value);
  return [...ofAnother(whole, value), ...within(reader, whole, value)];
}

/** The alternative of a union that accepts the value. */
export function branchOf(reader: SchemaReader, schema: JsonSchema, value: unknown): JsonSchema {
  const known = reader.resolve(schema);
  const found = (known.anyOf ?? known.oneOf)?.find((each) => reader.takes(each, value));
  return found === undefined ? known : branchOf(reader, found, value);
}

function ofAnother(schema: JsonSchema, value: unknown): readonly NearMiss[] {
  return [...others(schema, value), ...wrongTypes].map((each) => ({ pointer: '', value: each }));
}

const wrongTypes: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  1.5,
  -1,
  '',
  'x',
  '1',
  'true',
  [],
  ['x'],
  {},
  { x: 1 },
];

function others(schema: JsonSchema, value: unknown): readonly unknown[] {
  if (typeof value === 'string') return texts(schema, value);
  if (typeof value === 'number') return numbers(schema);
  if (Array.isArray(value)) return arrays(schema, value);
  return schema.const === undefined ? [] : [!value];
}

/** Characters that affect a length, are trimmed, are not visible, or are normalized. */
const signs = [
  'a',
  'Z',
  '5',
  ' ',
  '\n',
  '\t',
  '\u0000',
  '<',
  '>',
  '"',
  'é',
  'е',
  '😀',
  '\u00a0',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\ufdfa',
];

function texts(
  { minLength = 1, maxLength = 200, enum: names = [] }: JsonSchema,
  text: string,
): readonly unknown[] {
  const lengths = [minLength - 1, minLength, maxLength, maxLength + 1].filter((length) => length >= 0);
  return [
    ...names,
    ...lengths.flatMap((length) => ['a', '7', ' ', '😀', 'é', '\ufdfa'].map((sign) => sign.repeat(length))),
    // Texts of the limit's length that still have the required form, if possible.
    ...lengths.map((length) => text + text.slice(-1).repeat(Math.max(0, length - [...text].length))),
    ...signs.flatMap((sign) => [sign, sign + text, text + sign, text.slice(0, 1) + sign + text.slice(1)]),
    text.slice(1),
    text.slice(0, -1),
    text.toUpperCase(),
    text.toLowerCase(),
    text.normalize('NFD'),
    `${text}${text}`,
    [text],
  ];
}

function numbers({ minimum = -5, maximum = 5 }: JsonSchema): readonly unknown[] {
  return [minimum - 1, minimum, minimum + 0.5, maximum, maximum + 1, 2 ** 53, 1e300, `${minimum}`];
}

function arrays({ minItems = 0, maxItems = 30 }: JsonSchema, items: readonly unknown[]): readonly unknown[] {
  const of = (length: number) => Array.from({ length }, (_, at) => items[at % Math.max(1, items.length)]);
  return [minItems - 1, minItems, maxItems, maxItems + 1].filter((length) => length >= 0).map(of);
}

function within(reader: SchemaReader, schema: JsonSchema, value: unknown): readonly NearMiss[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, at) =>
      nearMisses(reader, schema.items ?? {}, item).map((miss) => ({
        pointer: `/${at}${miss.pointer}`,
        value: value.with(at, miss.value),
      })),
    );
  }
  return typeof value === 'object' && value !== null ? members(reader, schema, { ...value }) : [];
}

function members(
  reader: SchemaReader,
  { properties = {}, additionalProperties }: JsonSchema,
  value: Readonly<Record<string, unknown>>,
): readonly NearMiss[] {
  const more = typeof additionalProperties === 'object' ? additionalProperties : {};
  const inside = Object.entries(value).flatMap(([name, member]) => [
    ...nearMisses(reader, properties[name] ?? more, member).map((miss) => ({
      pointer: `/${name}${miss.pointer}`,
      value: { ...value, [name]: miss.value },
    })),
    {
      pointer: `/${name}`,
      value: Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)),
    },
  ]);
  return [
    ...inside,
    ...['state', 'constructor', 'Password'].map((name) => ({
      pointer: `/${name}`,
      value: { ...value, [name]: 'x' },
    })),
  ];
}

/** For each text in a body, a function that returns the body with another text instead. */
export function textsIn(body: unknown): readonly ((text: string) => unknown)[] {
  if (typeof body === 'string') return [(text) => text];
  if (Array.isArray(body)) {
    return body.flatMap((item, at) => textsIn(item).map((put) => (text: string) => body.with(at, put(text))));
  }
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, member]) =>
    textsIn(member).map((put) => (text: string) => ({ ...body, [name]: put(text) })),
  );
}
