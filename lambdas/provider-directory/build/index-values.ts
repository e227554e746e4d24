/**
 * Extracts the search values of a directory resource, by the paths of the table `catalog/fhir/directory-resources.ts`. A value that can't
 * be parsed is left out: resources were validated when they were loaded.
 */

import { directoryExtensions, directoryResource } from '../../catalog/fhir/directory-resources.ts';
import { type DirectoryType, directoryTypes } from '../../catalog/fhir/directory-types.ts';
import { type DateRange, dateRange, periodRange } from '../../fhir/values/date-range.ts';
import { fold } from '../../fhir/values/fold.ts';
import { namedReference } from '../../fhir/values/reference.ts';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import { elementsOf, type SearchedElement } from '../publication/publication-schema.ts';

/** A token with its texts (Coding.display, CodeableConcept.text, Identifier.type.text), which the modifier `:text` searches. */
export interface TokenValue {
  readonly kind: 'token';
  /** Empty if there is none. */
  readonly system: string;
  readonly code: string;
  readonly texts: readonly string[];
}

export type IndexValue =
  | TokenValue
  | { readonly kind: 'string'; readonly text: string }
  /** `Type/id` */
  | { readonly kind: 'reference'; readonly target: string }
  | { readonly kind: 'date'; readonly range: DateRange }
  /** WGS 84, in degrees. */
  | { readonly kind: 'position'; readonly latitude: number; readonly longitude: number };

/** Search values of one resource. */
export interface IndexedResource {
  /** Values with their elements. A value may be listed twice if the resource has it twice. */
  readonly values: readonly (readonly [element: SearchedElement, value: IndexValue])[];
  /** Whether a search without `active` or `status` finds the resource. */
  readonly isListed: boolean;
  /** The resource's name for sorting, folded; '' if it has none. */
  readonly sortName: string;
}

type Element = unknown;

interface Reader {
  readonly element: SearchedElement;
  readonly steps: readonly string[];
  /** URL of an extension, whose value is read instead of the element at the path. */
  readonly extension?: string;
  readonly read: (element: Element, values: IndexValue[]) => void;
}

const readers: ReadonlyMap<DirectoryType, readonly Reader[]> = new Map(
  directoryTypes.map((type) => [type, elementsOf(type).map(readerOf)]),
);

/**
 * Extracts the search values of a resource.
 *
 * @param resource a resource of the type.
 */
export function indexValues(
  type: DirectoryType,
  resource: Readonly<Record<string, unknown>>,
): IndexedResource {
  const { listed, sortedBy } = directoryResource(type);
  const values: (readonly [SearchedElement, IndexValue])[] = [];
  const found: IndexValue[] = [];
  for (const { element: searched, steps, extension, read } of readers.get(type) ?? []) {
    walk(resource, steps, 0, (element) => {
      if (extension === undefined) read(element, found);
      else if (jsonMember(element, 'url') === extension) read(jsonMember(element, 'valueReference'), found);
    });
    for (const value of found) values.push([searched, value]);
    found.length = 0;
  }
  const state = jsonMember(resource, listed.path);
  return {
    values,
    isListed: state === undefined || listed.values.includes(String(state)),
    sortName: sortedBy === undefined ? '' : sortNameOf(resource, sortedBy.split('.')),
  };
}

function sortNameOf(resource: unknown, steps: readonly string[]): string {
  let name: string | undefined;
  walk(resource, steps, 0, (element) => {
    if (typeof element === 'string') name ??= fold(element);
  });
  return name ?? '';
}

function readerOf(element: SearchedElement): Reader {
  const { path } = element;
  const extension = /^extension\((\w+)\)$/.exec(path)?.[1];
  if (extension !== undefined) {
    const url = directoryExtensions[extension];
    if (url === undefined) throw new Error(`no extension ${extension} in the table`);
    return { element, steps: ['extension'], extension: url, read: readReference };
  }
  const [system, plain] = path.includes('#') ? (path.split('#') as [string, string]) : [undefined, path];
  return { element, steps: plain.split('.'), read: readOf(element, system) };
}

function readOf({ type }: SearchedElement, system: string | undefined): Reader['read'] {
  switch (type) {
    case 'token':
      return (element, values) => readToken(element, values, system);
    case 'string':
      return readString;
    case 'reference':
      return readReference;
    case 'date':
      return readDate;
    case 'special':
      return readPosition;
  }
}

/** Reads a CodeableConcept, Identifier, boolean, or a code with the system that its element implies (R4, search.html#token). */
function readToken(element: Element, values: IndexValue[], system?: string): void {
  if (typeof element === 'boolean') {
    values.push({ kind: 'token', system: '', code: String(element), texts: [] });
  } else if (typeof element === 'string') {
    values.push({ kind: 'token', system: system ?? '', code: element, texts: [] });
  } else {
    const codings = jsonMember(element, 'coding');
    const text = textOf(jsonMember(element, 'text'));
    if (Array.isArray(codings)) {
      for (const coding of codings)
        pushToken(values, coding, 'code', [...text, ...textOf(jsonMember(coding, 'display'))]);
    } else if (text.length > 0 && jsonMember(element, 'value') === undefined) {
      values.push({ kind: 'token', system: '', code: '', texts: text });
    } else {
      pushToken(values, element, 'value', textOf(jsonMember(jsonMember(element, 'type'), 'text')));
    }
  }
}

function pushToken(
  values: IndexValue[],
  element: Element,
  name: 'code' | 'value',
  texts: readonly string[],
): void {
  const code = jsonMember(element, name);
  const system = jsonMember(element, 'system');
  if (typeof code !== 'string' || code === '') return;
  values.push({ kind: 'token', system: typeof system === 'string' ? system : '', code, texts });
}

function textOf(text: unknown): readonly string[] {
  return typeof text === 'string' && text !== '' ? [text] : [];
}

function readString(element: Element, values: IndexValue[]): void {
  if (typeof element === 'string' && element !== '') values.push({ kind: 'string', text: element });
}

/** Matches `Type/id`. Most references have this form and need no parsing. */
const plainReference = /^[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64}$/;

function readReference(element: Element, values: IndexValue[]): void {
  const text = jsonMember(element, 'reference');
  const target = typeof text === 'string' && plainReference.test(text) ? text : namedReference(text)?.name;
  if (target !== undefined) values.push({ kind: 'reference', target });
}

function readDate(element: Element, values: IndexValue[]): void {
  const range = typeof element === 'string' ? dateRange(element) : periodRange(element);
  if (range !== undefined) values.push({ kind: 'date', range });
}

function readPosition(element: Element, values: IndexValue[]): void {
  const [latitude, longitude] = [jsonMember(element, 'latitude'), jsonMember(element, 'longitude')];
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return;
  values.push({ kind: 'position', latitude, longitude });
}

function walk(
  element: Element,
  steps: readonly string[],
  at: number,
  visit: (element: Element) => void,
): void {
  if (element === undefined || element === null) return;
  if (Array.isArray(element)) {
    for (const each of element) walk(each, steps, at, visit);
    return;
  }
  const step = steps[at];
  if (step === undefined) visit(element);
  else walk(jsonMember(element, step), steps, at + 1, visit);
}
