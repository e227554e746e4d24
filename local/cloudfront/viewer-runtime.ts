/** Local CloudFront: the language and limits of the functions' runtime. */

import { Script } from 'node:vm';
import { transformSync } from 'esbuild';

/**
 * Features of JavaScript in `cloudfront-js-2.0`: ECMAScript 5.1 and some later ones. Features that AWS's page does not list count as
 * missing, so that a function that works here also works at the edge.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */
interface Features {
  readonly statics?: readonly string[];
  readonly prototype?: readonly string[] | 'all';
}

const typedArray: Features = { prototype: [] };

/** Global functions with their members. Members named by symbols are not restricted, because V8 itself needs them. */
const constructors: Readonly<Record<string, Features>> = {
  Object: {
    statics: [
      ...['assign', 'create', 'defineProperties', 'defineProperty', 'entries', 'freeze'],
      ...['getOwnPropertyDescriptor', 'getOwnPropertyDescriptors', 'getOwnPropertyNames', 'getPrototypeOf'],
      ...[
        'is',
        'isExtensible',
        'isFrozen',
        'isSealed',
        'keys',
        'preventExtensions',
        'seal',
        'setPrototypeOf',
      ],
      'values',
    ],
    prototype: ['hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable', 'toString', 'valueOf'],
  },
  String: {
    statics: ['fromCharCode', 'fromCodePoint'],
    prototype: [
      ...['charAt', 'charCodeAt', 'codePointAt', 'concat', 'endsWith', 'includes', 'indexOf', 'lastIndexOf'],
      ...['match', 'padEnd', 'padStart', 'repeat', 'replace', 'replaceAll', 'search', 'slice', 'split'],
      ...['startsWith', 'substr', 'substring', 'toLowerCase', 'toString', 'toUpperCase', 'trim', 'trimEnd'],
      ...['trimStart', 'valueOf'],
    ],
  },
  Number: {
    statics: [
      ...['EPSILON', 'MAX_SAFE_INTEGER', 'MAX_VALUE', 'MIN_SAFE_INTEGER', 'MIN_VALUE', 'NEGATIVE_INFINITY'],
      ...['NaN', 'POSITIVE_INFINITY', 'isFinite', 'isInteger', 'isNaN', 'isSafeInteger', 'parseFloat'],
      'parseInt',
    ],
    prototype: ['toExponential', 'toFixed', 'toPrecision', 'toString', 'valueOf'],
  },
  Boolean: { prototype: ['toString', 'valueOf'] },
  Array: {
    statics: ['isArray', 'of'],
    prototype: [
      ...['concat', 'copyWithin', 'every', 'fill', 'filter', 'find', 'findIndex', 'forEach', 'includes'],
      ...[
        'indexOf',
        'join',
        'lastIndexOf',
        'map',
        'pop',
        'push',
        'reduce',
        'reduceRight',
        'reverse',
        'shift',
      ],
      ...['slice', 'some', 'sort', 'splice', 'toString', 'unshift'],
    ],
  },
  Function: { prototype: ['apply', 'bind', 'call', 'toString'] },
  RegExp: { prototype: 'all' },
  Promise: {
    statics: ['all', 'allSettled', 'any', 'race', 'reject', 'resolve'],
    prototype: ['catch', 'finally', 'then'],
  },
  Date: { statics: ['UTC', 'now', 'parse'], prototype: 'all' },
  Symbol: { statics: ['for', 'keyFor'], prototype: ['toString', 'valueOf'] },
  ArrayBuffer: { statics: ['isView'], prototype: ['byteLength', 'slice'] },
  DataView: { prototype: 'all' },
  Int8Array: typedArray,
  Uint8Array: typedArray,
  Uint8ClampedArray: typedArray,
  Int16Array: typedArray,
  Uint16Array: typedArray,
  Int32Array: typedArray,
  Uint32Array: typedArray,
  Float32Array: typedArray,
  Float64Array: typedArray,
  ...Object.fromEntries(
    ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'].map(
      (name) => [name, { prototype: ['message', 'name', 'toString'] }],
    ),
  ),
};

const otherGlobals = [
  ...['JSON', 'Math', 'NaN', 'Infinity', 'undefined', 'globalThis', 'console', 'isFinite', 'isNaN'],
  ...['parseFloat', 'parseInt', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent'],
  // `eval` throws here as it does in CloudFront, because code from strings is disabled. The other names pass an event into the realm and
  // its result out.
  ...['eval', 'event', 'answer', 'failure'],
];

/** Removes from a realm what the runtime lacks. It runs once, before any function. Members that every function has are kept. */
export const restriction = new Script(`{
  const constructors = ${JSON.stringify(constructors)};
  const kept = new Set([...Object.keys(constructors), ...${JSON.stringify(otherGlobals)}]);
  const ofFunctions = ['length', 'name', 'prototype', 'constructor'];
  const own = Reflect.ownKeys;
  const remove = (object, names) => {
    if (object === undefined || names === 'all') return;
    const keep = new Set([...ofFunctions, ...(names ?? [])]);
    for (const key of own(object)) if (typeof key === 'string' && !keep.has(key)) delete object[key];
  };
  for (const [name, { statics, prototype }] of Object.entries(constructors)) {
    remove(globalThis[name], statics);
    remove(globalThis[name].prototype, prototype);
  }
  const reflected = ['copyWithin', 'fill', 'join', 'set', 'slice', 'subarray', 'toString', 'buffer', 'byteLength', 'byteOffset'];
  remove(Object.getPrototypeOf(Int8Array.prototype), reflected);
  for (const key of own(globalThis)) if (typeof key === 'string' && !kept.has(key)) delete globalThis[key];
}`);

/** The syntax of ECMAScript 6 to 12 that AWS's page lists. esbuild converts all other syntax to ES 5, or reports that it can't. */
const supported = {
  arrow: true,
  'async-await': true,
  'const-and-let': true,
  'exponent-operator': true,
  'object-accessors': true,
  'regexp-named-capture-groups': true,
  'rest-argument': true,
  'template-literal': true,
};

/**
 * Finds syntax that the runtime does not support, by having esbuild write the code without it.
 *
 * @returns the syntax; undefined if all of it is supported.
 * @throws SyntaxError if the code is not JavaScript.
 */
export function unsupportedSyntax(code: string): string | undefined {
  const written = transform(code, { target: 'esnext' });
  if ('error' in written) throw new SyntaxError(written.error);
  const lowered = transform(code, { target: 'es5', supported });
  if ('error' in lowered) return lowered.error;
  return lowered.code === written.code ? undefined : differenceOf(written.code, lowered.code);
}

function transform(code: string, options: object): { readonly code: string } | { readonly error: string } {
  try {
    return transformSync(code, { ...options, logLevel: 'silent' });
  } catch (error) {
    const { errors = [] } = error as { readonly errors?: readonly { readonly text: string }[] };
    return { error: errors[0]?.text ?? String(error) };
  }
}

/** Quotes the first line that esbuild had to rewrite for the CloudFront Functions runtime, which reads an older JavaScript. */
function differenceOf(written: string, lowered: string): string {
  const others = new Set(lowered.split('\n'));
  const line = written.split('\n').find((each) => !others.has(each)) ?? '';
  return `syntax newer than it reads: ${line.trim()}`;
}
