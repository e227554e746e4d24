/**
 * DynamoDB's JSON for the values that this service stores: string, number, boolean, null, bytes (Uint8Array), array and plain object. Sets
 * are not supported, because none is stored. Source: Amazon DynamoDB API Reference, AttributeValue.
 */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  /** Base64 text in JSON; bytes with the SDK. */
  | { readonly B: Uint8Array | string }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: AttributeMap };

export type AttributeMap = { readonly [name: string]: AttributeValue };

/** Bytes for both adapters: the SDK takes them as they are, and `JSON.stringify` writes base64. */
class Bytes extends Uint8Array<ArrayBuffer> {
  toJSON(): string {
    return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString('base64');
  }
}

/**
 * Converts a value to DynamoDB's JSON.
 *
 * @throws TypeError for a value that DynamoDB or this service can't store (NaN, a function, a Date, an undefined element of an array). Such
 * a value is a defect, which storing a similar value would hide.
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

/** Converts an object to DynamoDB's JSON. Undefined members are left out, as by `JSON.stringify`. */
export function toAttributeMap(record: Readonly<Record<string, unknown>>): AttributeMap {
  const map: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value !== undefined) define(map, name, toAttributeValue(value));
  }
  return map;
}

/**
 * Converts DynamoDB's JSON to a value.
 *
 * @throws TypeError for a type that this service never writes.
 */
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

/** Decodes base64 to a plain Uint8Array, as the SDK returns; a Buffer would be serialized differently. */
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

/** Sets a member, also one named `__proto__`, for which an assignment would set the prototype. */
function define<T>(record: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    record[name] = value;
  }
}
