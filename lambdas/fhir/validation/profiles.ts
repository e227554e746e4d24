/** Checks a resource against a profile's rules beyond R4's types. */

import type { Definitions, ProfileNode, ProfileSlice, SliceTest } from './definitions.ts';
import { addFault, type FaultCollector } from './faults.ts';
import { createCodeSets, expectedCodes, isInValueSet } from './value-sets.ts';

/** A value of an element, with its JSON property and list position. */
interface Item {
  /** Undefined if only the companion property (`_birthDate`) has content. */
  readonly value: unknown;
  readonly companion: unknown;
  readonly property: string;
  readonly at: number | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** Makes the function that checks a resource against a profile of the definitions. */
export function createProfileCheck(definitions: Definitions) {
  const codesNamed = createCodeSets(definitions);

  function checkChildren(
    check: FaultCollector,
    parent: unknown,
    children: ProfileNode['children'] = {},
  ): void {
    for (const element in children) {
      const node = children[element];
      if (node === undefined) continue;
      const items = itemsOf(parent, element);
      checkCount(check, items.length, node, element, '');
      for (const item of items) checkAt(check, item, node);
      if (node.slices !== undefined) checkSlices(check, items, node.slices, element);
    }
  }

  function checkCount(
    check: FaultCollector,
    found: number,
    node: ProfileNode,
    element: string,
    slice: string,
  ) {
    const { min = 0, max } = node;
    const name = element.replace('[x]', '');
    const of = slice === '' ? element : `${element} (${slice})`;
    if (found < min) addFault(check, 'missing_element', `at least ${min} ${of}`, name);
    else if (max === 0 && found > 0) addFault(check, 'unknown_element', `no ${of}`, name);
    else if (max !== undefined && found > max)
      addFault(check, 'too_many_values', `at most ${max} ${of}`, name);
  }

  function checkAt(check: FaultCollector, item: Item, node: ProfileNode): void {
    check.at.push(item.property);
    if (item.at !== undefined) check.at.push(item.at);
    checkItem(check, item, node);
    if (item.at !== undefined) check.at.pop();
    check.at.pop();
  }

  function checkItem(check: FaultCollector, item: Item, node: ProfileNode): void {
    const { value, companion } = item;
    if (node.types?.every((type) => !isOfType(item, type))) {
      addFault(check, 'wrong_type', `one of the types ${node.types.join(', ')}`);
      return;
    }
    const hasValue = value !== undefined && value !== null;
    if (hasValue && node.fixed !== undefined && !isEqual(value, node.fixed)) {
      addFault(check, 'other_value', constantText(node.fixed));
    }
    if (hasValue && node.pattern !== undefined && !fits(node.pattern, value)) {
      addFault(check, 'other_value', constantText(node.pattern));
    }
    if (hasValue && node.codes !== undefined) {
      const set = codesNamed(node.codes);
      // Whether a concept without codings has a data-absent-reason.
      const isAbsent = isObject(value) && value.coding === undefined && Array.isArray(value.extension);
      if (!isAbsent && !isInValueSet(value, set)) addFault(check, 'unknown_code', expectedCodes(set));
    }
    const content = hasValue && isObject(value) ? value : companion;
    if (node.children !== undefined) checkChildren(check, content, node.children);
    if (node.extension !== undefined)
      checkChildren(check, value, definitions.extensions[node.extension]?.children);
  }

  function checkSlices(
    check: FaultCollector,
    items: readonly Item[],
    slices: readonly ProfileSlice[],
    element: string,
  ): void {
    for (const slice of slices) {
      if (items.length === 0 && slice.min === undefined) continue;
      const own = items.filter((item) => slice.when.every((test) => passes(item, test)));
      checkCount(check, own.length, slice, element, slice.name);
      for (const item of own) checkAt(check, item, slice);
      if (slice.slices !== undefined) checkSlices(check, own, slice.slices, element);
    }
  }

  function passes(item: Item, { path, is }: SliceTest): boolean {
    switch (is.kind) {
      case 'types':
        return is.types.some((type) => isOfType(item, type));
      case 'exists':
        return valuesAt(item.value, path).length > 0 === is.exists;
      case 'fixed':
        return valuesAt(item.value, path).some((value) => isEqual(value, is.value));
      case 'pattern':
        return valuesAt(item.value, path).some((value) => fits(is.value, value));
      case 'codes':
        return valuesAt(item.value, path).some((value) => isInValueSet(value, codesNamed(is.valueSet)));
      case 'all':
        return valuesAt(item.value, path).some((value) =>
          is.tests.every((test) => passes({ ...item, value }, test)),
        );
    }
  }

  /** @param profile a key of the definitions' profiles. */
  return (check: FaultCollector, resource: Json, profile: string): void =>
    checkChildren(check, resource, definitions.profiles[profile]?.root.children);
}

/** Whether a value of a choice has a type, by the name of its property: `valueQuantity`. */
function isOfType({ property }: Item, type: string): boolean {
  return property.endsWith(type.charAt(0).toUpperCase() + type.slice(1));
}

/** The values of an element; for a choice of types, from any of its properties. */
function itemsOf(parent: unknown, element: string): readonly Item[] {
  if (!isObject(parent)) return [];
  if (!element.endsWith('[x]')) return itemsAt(parent, element);
  const prefix = element.slice(0, -3);
  const names = new Set<string>();
  for (const name in parent) {
    const own = name.startsWith('_') ? name.slice(1) : name;
    if (own.startsWith(prefix) && /^[A-Z]/.test(own.slice(prefix.length))) names.add(own);
  }
  return [...names].flatMap((name) => itemsAt(parent, name));
}

function itemsAt(parent: Json, property: string): readonly Item[] {
  const [value, companion] = [parent[property], parent[`_${property}`]];
  if (value === undefined && companion === undefined) return [];
  if (!Array.isArray(value) && !Array.isArray(companion))
    return [{ value, companion, property, at: undefined }];
  const [values, companions] = [Array.isArray(value) ? value : [], Array.isArray(companion) ? companion : []];
  const count = Math.max(values.length, companions.length);
  return Array.from({ length: count }, (_, at) => ({
    value: values[at],
    companion: companions[at],
    property,
    at,
  }));
}

function valuesAt(value: unknown, [step, ...more]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value];
  const below = itemsBelow(value, step);
  return more.length === 0 ? below : below.flatMap((each) => valuesAt(each, more));
}

function itemsBelow(value: unknown, step: string): readonly unknown[] {
  if (!isObject(value)) return [];
  const found = value[step];
  if (found !== undefined) return Array.isArray(found) ? found : [found];
  return itemsOf(value, `${step}[x]`).map((item) => item.value);
}

/** Whether a value contains everything in a FHIR pattern. */
function fits(pattern: unknown, value: unknown): boolean {
  if (Array.isArray(pattern)) {
    return Array.isArray(value) && pattern.every((each) => value.some((one) => fits(each, one)));
  }
  if (!isObject(pattern)) return pattern === value;
  return isObject(value) && Object.keys(pattern).every((name) => fits(pattern[name], value[name]));
}

function isEqual(a: unknown, b: unknown): boolean {
  if (!isObject(a) && !Array.isArray(a)) return a === b;
  return fits(a, b) && fits(b, a);
}

/** A fixed value or pattern as JSON, for a message. */
function constantText(constant: unknown): string {
  return JSON.stringify(constant);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
