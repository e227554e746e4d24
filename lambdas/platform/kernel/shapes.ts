/**
 * Shapes of JSON: functions that parse unknown values, for functions on the path of a data or token request. Zod would add 25 KB of bundle
 * and milliseconds of cold start (docs/decisions/0059-shapes-on-the-hot-path.md).
 */

import { isJsonObject, jsonValue } from './json-members.ts';

/** Result of a shape for a value that does not have it. */
export const wrong: unique symbol = Symbol('wrong');

/** Parses a value: returns its known parts, or `wrong`. */
export type Shape<T> = (value: unknown) => T | typeof wrong;

/** The type that a shape returns. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;

/**
 * Parses a value.
 *
 * @throws TypeError if it has another shape. The message does not contain the value, which may be a member's data.
 */
export function parse<T>(shape: Shape<T>, value: unknown): T {
  const read = shape(value);
  if (read === wrong) throw new TypeError('a value has another shape than expected');
  return read;
}

/**
 * Parses a value.
 *
 * @returns undefined if it has another shape.
 */
export function safeParse<T>(shape: Shape<T>, value: unknown): T | undefined {
  const read = shape(value);
  return read === wrong ? undefined : read;
}

/** Any value. */
export const unknown: Shape<unknown> = (value) => value;

export const text: Shape<string> = (value) => (typeof value === 'string' ? value : wrong);

/** A finite number. */
export const finite: Shape<number> = (value) => (Number.isFinite(value) ? (value as number) : wrong);

/** A whole number without loss of precision. */
export const integer: Shape<number> = (value) => (Number.isSafeInteger(value) ? (value as number) : wrong);

export const truth: Shape<boolean> = (value) => (typeof value === 'boolean' ? value : wrong);

export const bytes: Shape<Uint8Array> = (value) => (value instanceof Uint8Array ? value : wrong);

/** A value of a shape that also passes a test; `wrong` if it does not. */
export function where<T>(shape: Shape<T>, test: (value: T) => boolean): Shape<T> {
  return mapped(shape, (value) => (test(value) ? value : wrong));
}

/** Text that a pattern matches. */
export function matching(pattern: RegExp): Shape<string> {
  return where(text, (value) => pattern.test(value));
}

/** A value of a shape, mapped by a function that may answer `wrong`. */
export function mapped<From, To>(shape: Shape<From>, map: (value: From) => To | typeof wrong): Shape<To> {
  return (value) => {
    const read = shape(value);
    return read === wrong ? wrong : map(read);
  };
}

/** One of the listed values. */
export function oneOf<const T>(values: readonly T[]): Shape<T> {
  return (value) => (values.includes(value as T) ? (value as T) : wrong);
}

/** Undefined, or a value of the shape. A member of an object with this shape may be missing. */
export function maybe<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value) => (value === undefined ? undefined : shape(value));
}

/** A value of either shape. */
export function either<One, Other>(one: Shape<One>, other: Shape<Other>): Shape<One | Other> {
  return (value) => {
    const read = one(value);
    return read === wrong ? other(value) : read;
  };
}

export function arrayOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return wrong;
    const read = value.map(shape);
    return read.some((each) => each === wrong) ? wrong : (read as T[]);
  };
}

type Members = Readonly<Record<string, Shape<unknown>>>;
type OptionalName<M extends Members> = {
  [Name in keyof M]: undefined extends Shaped<M[Name]> ? Name : never;
}[keyof M];
/** The type of an object with the given members. */
type ShapedObject<M extends Members> = {
  readonly [Name in Exclude<keyof M, OptionalName<M>>]: Shaped<M[Name]>;
} & { readonly [Name in OptionalName<M>]?: Shaped<M[Name]> };

/** An object with these members. Other members are ignored, and left out of the result. */
export function object<const M extends Members>(members: M): Shape<ShapedObject<M>> {
  const known = Object.entries(members);
  return (value) => {
    if (!isJsonObject(value)) return wrong;
    const read: Record<string, unknown> = {};
    for (const [name, shape] of known) {
      const member = shape(value[name]);
      if (member === wrong) return wrong;
      if (member !== undefined) read[name] = member;
    }
    return read as ShapedObject<M>;
  };
}

/** An object with these members and no others. */
export function exactly<const M extends Members>(members: M): Shape<ShapedObject<M>> {
  const shape = object(members);
  return (value) =>
    isJsonObject(value) && Object.keys(value).every((name) => Object.hasOwn(members, name))
      ? shape(value)
      : wrong;
}

/** An object with these members. Other members are kept unchanged. */
export function looseObject<const M extends Members>(
  members: M,
): Shape<ShapedObject<M> & Readonly<Record<string, unknown>>> {
  return mapped(
    (value) => (isJsonObject(value) ? value : wrong),
    (value) => {
      const read = object(members)(value);
      return read === wrong ? wrong : { ...value, ...read };
    },
  );
}

/** An object whose members all have one shape. */
export function mapOf<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (value) => {
    if (!isJsonObject(value)) return wrong;
    const entries = Object.entries(value).map(([name, member]) => [name, shape(member)] as const);
    return entries.some(([, member]) => member === wrong)
      ? wrong
      : (Object.fromEntries(entries) as Record<string, T>);
  };
}

/** JSON text of a value of a shape. */
export function jsonText<T>(shape: Shape<T>): Shape<T> {
  return mapped(text, (value) => {
    const json = jsonValue(value);
    return json === undefined ? wrong : shape(json);
  });
}
