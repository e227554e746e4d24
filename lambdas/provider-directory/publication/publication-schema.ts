/**
 * The tables of a publication: one SQLite file with a LOB's directory and its index, which is written once and never changed.
 *
 * Resources are numbered (`rid`) type by type, so that the resources of a type are one range of numbers. `value` has each distinct token or
 * text of an element once, with the list of resources that have it. `array` has columns of numbers: when each resource was updated, the
 * targets of its references. `body` has the serialized resources in compressed blocks.
 */
import { type DirectoryParameter, directoryResource } from '../../catalog/fhir/directory-resources.ts';
import { type DirectoryType, directoryTypes } from '../../catalog/fhir/directory-types.ts';

/** Version of the tables and their content. Increase it with every change: a function opens only files of its own version. */
export const publicationFormat = 2;

/** Number of resources in a block of `body`. */
export const blockResources = 16;

export const publicationTables = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE type (type TEXT PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, block INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE body (block INTEGER PRIMARY KEY, frame BLOB NOT NULL);
CREATE TABLE name (type INTEGER NOT NULL, id TEXT NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (type, id)) WITHOUT ROWID;
CREATE TABLE system (sid INTEGER PRIMARY KEY, system TEXT NOT NULL);
CREATE TABLE value (
  vid INTEGER PRIMARY KEY, element INTEGER NOT NULL, folded TEXT NOT NULL, exact TEXT, sid INTEGER NOT NULL,
  resources INTEGER NOT NULL, rids
);
CREATE TABLE array (name TEXT PRIMARY KEY, numbers BLOB NOT NULL);
`;

/** Statements that make the indexes, run after all rows are written: sorting once is faster than keeping an order. */
export const publicationIndexes = () => `
CREATE INDEX value_by_text ON value (element, folded);
CREATE VIRTUAL TABLE value_text USING fts5 (folded, content = '', columnsize = 0, detail = none, tokenize = 'trigram');
INSERT INTO value_text (rowid, folded) SELECT vid, folded FROM value WHERE element IN (${stringElements().join(', ')});
`;

/** An element that one or more search parameters read, such as `address.city`. */
export interface SearchedElement {
  /** Number of the element in the file; the next number stands for the texts of its tokens. */
  readonly number: number;
  readonly type: DirectoryParameter['type'];
  /** Path in the table of parameters, with system and extension. */
  readonly path: string;
  /** Bits of the parameters that read the element, in the array `present`. */
  readonly bits: number;
}

/** The elements of each type, in the order in which the parameters first name them. */
const elements: ReadonlyMap<DirectoryType, readonly SearchedElement[]> = numberElements();

function numberElements(): ReadonlyMap<DirectoryType, readonly SearchedElement[]> {
  let next = 1;
  return new Map(
    directoryTypes.map((type) => {
      const found = new Map<string, SearchedElement>();
      directoryResource(type).parameters.forEach((parameter, place) => {
        for (const path of parameter.paths) {
          const key = `${parameter.type} ${path}`;
          const known = found.get(key);
          const number = known?.number ?? next;
          if (known === undefined) next += 2;
          found.set(key, { number, type: parameter.type, path, bits: (known?.bits ?? 0) | (1 << place) });
        }
      });
      return [type, [...found.values()]];
    }),
  );
}

export function elementsOf(type: DirectoryType): readonly SearchedElement[] {
  return elements.get(type) ?? [];
}

/** Numbers of the elements that `:contains` searches. */
function stringElements(): readonly number[] {
  return [...elements.values()].flat().flatMap((each) => (each.type === 'string' ? [each.number] : []));
}

/** The elements that a parameter reads, and its bit in the array `present`. */
export interface ParameterElements {
  readonly numbers: readonly number[];
  readonly bit: number;
}

/**
 * The elements of a parameter.
 *
 * @throws Error if the type has no parameter of this name.
 */
export function parameterElements(type: DirectoryType, name: string): ParameterElements {
  const place = directoryResource(type).parameters.findIndex((each) => each.name === name);
  if (place < 0) throw new Error(`${type} has no parameter ${name}`);
  const bit = 1 << place;
  return { numbers: elementsOf(type).flatMap((each) => (each.bits & bit ? [each.number] : [])), bit };
}

/** The number of the only element of a reference, date or position parameter. */
export function elementNumber(type: DirectoryType, name: string): number {
  const [number] = parameterElements(type, name).numbers;
  if (number === undefined) throw new Error(`${type} has no element of ${name}`);
  return number;
}
