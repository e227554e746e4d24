/**
 * DynamoDB's JSON for the values this service stores: string, number, boolean, null, bytes (Uint8Array), array and plain
 * object. Sets are left out on purpose: nothing of ours is one.
 * Source: Amazon DynamoDB API Reference, AttributeValue.
 */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  /** Base64 as it comes from the wire; the SDK takes and gives bytes. */
  | { readonly B: Uint8Array | string }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: AttributeMap };

export type AttributeMap = { readonly [name: string]: AttributeValue };

/** Bytes for both ways of sending a call: the SDK takes them as they are, `JSON.stringify` writes base64. */
class Bytes extends Uint8Array<ArrayBuffer> {
  toJSON(): string {
    return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString('base64');
  }
}

/**
 * @throws TypeError for a value DynamoDB or this page has no form for (NaN, a function, a Date, an undefined entry of an
 *   array): such a value is a defect of ours, and storing something near it would hide it.
 */
export function toAttributeValue(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (typeof value === 'number' && Number.isFinite(value)) return { N: String(value) };
  if (Array.isArray(value)) return { L: value.map(toAttributeValue) };
  if (value instanceof Uint8Array) return { B: Bytes.from(value) };
  if (isPlainObject(value)) return { M: toAttributeMap(value) };
  throw new TypeError(`no attribute value for ${value === undefined ? 'undefined' : typeof value}`);
}

/** Members that are undefined are left out, as JSON.stringify does. */
export function toAttributeMap(record: Readonly<Record<string, unknown>>): AttributeMap {
  const map: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value !== undefined) define(map, name, toAttributeValue(value));
  }
  return map;
}

/** @throws TypeError for a form this service never writes. */
export function fromAttributeValue(attribute: AttributeValue): unknown {
  if ('S' in attribute) return attribute.S;
  if ('N' in attribute) return Number(attribute.N);
  if ('BOOL' in attribute) return attribute.BOOL;
  if ('NULL' in attribute) return null;
  if ('B' in attribute) return typeof attribute.B === 'string' ? bytesOf(attribute.B) : attribute.B;
  if ('L' in attribute) return attribute.L.map(fromAttributeValue);
  if ('M' in attribute) return fromAttributeMap(attribute.M);
  throw new TypeError(`no value for the attribute form ${Object.keys(attribute).join()}`);
}

/** A plain Uint8Array, as the SDK gives it: a Buffer is told apart by what it turns into. */
function bytesOf(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function fromAttributeMap(map: AttributeMap): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(map)) define(record, name, fromAttributeValue(attribute));
  return record;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Assignment, except for `__proto__`, which would set the prototype. */
function define<T>(record: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    record[name] = value;
  }
}
