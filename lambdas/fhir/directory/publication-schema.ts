/**
 * The tables of a publication: one SQLite file that holds a LOB's directory and its index, written once and never changed.
 *
 * Resources are numbered (`rid`) in the order of their types, so that the resources of a type are one range of numbers.
 * A distinct value of a parameter is stored once (`value`), with the resources that have it (`posting`) in the order of their
 * numbers: a search walks the rarest value's list and probes the others.
 */
import { type DirectoryType, directoryResource, directoryTypes } from '../../catalog/directory-resources.ts';

/** Raised with every change of the tables or of what they hold: a function opens only files of its own format. */
export const publicationFormat = 1;

export const publicationTables = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE type (type TEXT PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE resource (
  rid INTEGER PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL, updated INTEGER NOT NULL,
  present INTEGER NOT NULL, name TEXT NOT NULL
);
CREATE TABLE body (rid INTEGER PRIMARY KEY, json TEXT NOT NULL);
CREATE TABLE unlisted (rid INTEGER PRIMARY KEY);
CREATE TABLE value (
  vid INTEGER PRIMARY KEY, param INTEGER NOT NULL, folded TEXT NOT NULL, exact TEXT NOT NULL, system TEXT NOT NULL,
  resources INTEGER NOT NULL
);
CREATE TABLE posting (vid INTEGER NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (vid, rid)) WITHOUT ROWID;
CREATE TABLE link (
  param INTEGER NOT NULL, target INTEGER NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (param, target, rid)
) WITHOUT ROWID;
CREATE TABLE link_of (
  param INTEGER NOT NULL, rid INTEGER NOT NULL, target INTEGER NOT NULL, PRIMARY KEY (param, rid, target)
) WITHOUT ROWID;
CREATE TABLE span (param INTEGER NOT NULL, rid INTEGER NOT NULL, start INTEGER, finish INTEGER);
CREATE TABLE position (rid INTEGER PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL);
CREATE VIRTUAL TABLE area USING rtree (rid, south, north, west, east);
CREATE TABLE statistic (param INTEGER PRIMARY KEY, links INTEGER NOT NULL, targets INTEGER NOT NULL);
`;

/** Made after the rows: sorting once is cheaper than keeping order. */
export const publicationIndexes = () => `
CREATE UNIQUE INDEX resource_by_id ON resource (type, id);
CREATE INDEX resource_by_update ON resource (type, updated);
CREATE INDEX value_by_text ON value (param, folded, system);
CREATE INDEX span_of ON span (param, rid);
CREATE VIRTUAL TABLE value_text USING fts5 (folded, content = '', tokenize = 'trigram');
INSERT INTO value_text (rowid, folded) SELECT vid, folded FROM value WHERE param IN (${stringParameters()});
`;

/** Numbers of the parameters that `:contains` searches. */
function stringParameters(): string {
  return directoryTypes
    .flatMap((type) =>
      directoryResource(type)
        .parameters.filter((parameter) => parameter.type === 'string')
        .map(({ name }) => parameterNumbers(type, name).values),
    )
    .join(', ');
}

/** Number of a parameter in the file; the texts of a token parameter have a number of their own. */
export interface ParameterNumbers {
  readonly values: number;
  readonly texts: number;
  /** Its bit in `resource.present`. */
  readonly bit: number;
}

let next = 1;
const numbers: ReadonlyMap<DirectoryType, readonly ParameterNumbers[]> = new Map(
  directoryTypes.map((type) => [
    type,
    directoryResource(type).parameters.map((_, place) => {
      const values = next;
      next += 2;
      return { values, texts: values + 1, bit: 2 ** place };
    }),
  ]),
);

/** The numbers of a type's parameters, in the order of its table. */
export function numbersOf(type: DirectoryType): readonly ParameterNumbers[] {
  return numbers.get(type) ?? [];
}

/** @throws Error for a name that is not in the type's table. */
export function parameterNumbers(type: DirectoryType, name: string): ParameterNumbers {
  const place = directoryResource(type).parameters.findIndex((each) => each.name === name);
  const found = numbersOf(type)[place];
  if (found === undefined) throw new Error(`${type} has no parameter ${name}`);
  return found;
}
