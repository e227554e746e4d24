/** Resolves CloudFormation's intrinsic functions and conditions. */

import { AssemblyError } from './assembly-error.ts';

/** Lookups of the intrinsic functions. Each throws AssemblyError for an unknown name. */
export interface Scope {
  /** The `Ref` of a parameter, pseudo parameter or resource; undefined for `AWS::NoValue`. */
  ref(name: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  importValue(name: string): unknown;
  mapping(map: string, key: string, name: string): unknown;
  condition(name: string): unknown;
}

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

/**
 * Resolves a value of a template: intrinsic functions are replaced by their results, strings and numbers kept. Source: "Intrinsic function
 * reference", AWS CloudFormation User Guide.
 *
 * @returns undefined for `AWS::NoValue`; object members and list entries with that value are left out.
 */
export function resolve(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) {
    return value.map((entry) => resolve(entry, scope)).filter((entry) => entry !== undefined);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (only !== undefined && entries.length === 1) {
    const [name, argument] = only;
    const intrinsic = intrinsics[name];
    if (intrinsic !== undefined) return intrinsic(argument, scope);
    if (name.startsWith('Fn::')) throw new AssemblyError(`${name} is not known to the local runner`);
  }
  const resolved = entries.map(([key, member]) => [key, resolve(member, scope)] as const);
  return Object.fromEntries(resolved.filter(([, member]) => member !== undefined));
}

/** Evaluates a condition (`Fn::Equals`, `Fn::And`, …) or a condition's name. */
export function holds(condition: unknown, scope: Scope): boolean {
  return resolve(condition, scope) === true;
}

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, scope) => scope.ref(String(name)),
  Condition: (name, scope) =>
    typeof name === 'string' ? holds(scope.condition(name), scope) : { Condition: resolve(name, scope) },
  'Fn::GetAtt': (argument, scope) => {
    const [logicalId, ...name] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
    return scope.attribute(logicalId ?? '', name.join('.'));
  },
  'Fn::ImportValue': (name, scope) => scope.importValue(text(resolve(name, scope))),
  'Fn::Sub': (argument, scope) => substitute(argument, scope),
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list(argument);
    return list(resolve(parts, scope)).map(text).join(String(separator));
  },
  'Fn::Select': (argument, scope) => {
    const [index, values] = list(argument);
    const selected = list(resolve(values, scope))[Number(resolve(index, scope))];
    if (selected === undefined) throw new AssemblyError(`Fn::Select: no entry ${String(index)}`);
    return selected;
  },
  'Fn::Split': (argument, scope) => {
    const [separator, source] = list(argument);
    return text(resolve(source, scope)).split(String(separator));
  },
  'Fn::FindInMap': (argument, scope) => {
    const [map, key, name] = list(resolve(argument, scope)).map(text);
    return resolve(scope.mapping(map ?? '', key ?? '', name ?? ''), scope);
  },
  'Fn::Base64': (argument, scope) => Buffer.from(text(resolve(argument, scope))).toString('base64'),
  'Fn::GetAZs': (_argument, scope) =>
    ['a', 'b', 'c'].map((zone) => `${text(scope.ref('AWS::Region'))}${zone}`),
  'Fn::If': (argument, scope) => {
    const [condition, then, otherwise] = list(argument);
    return resolve(holds(scope.condition(String(condition)), scope) ? then : otherwise, scope);
  },
  'Fn::Equals': (argument, scope) => {
    const [left, right] = list(resolve(argument, scope));
    return String(left) === String(right);
  },
  'Fn::And': (argument, scope) => list(argument).every((entry) => holds(entry, scope)),
  'Fn::Or': (argument, scope) => list(argument).some((entry) => holds(entry, scope)),
  'Fn::Not': (argument, scope) => !holds(list(argument)[0], scope),
};

function substitute(argument: unknown, scope: Scope): string {
  const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const own = variables as Readonly<Record<string, unknown>>;
  return String(template).replace(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
    if (literal === '!') return `\${${name}}`;
    if (Object.hasOwn(own, name)) return text(resolve(own[name], scope));
    const [logicalId, ...attribute] = name.split('.');
    return text(
      attribute.length === 0 ? scope.ref(name) : scope.attribute(logicalId ?? '', attribute.join('.')),
    );
  });
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new AssemblyError(`a list was expected, not ${JSON.stringify(value)}`);
  return value;
}

function text(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  throw new AssemblyError(`a string was expected, not ${JSON.stringify(value)}`);
}
