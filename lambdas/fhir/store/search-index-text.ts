import type { DateRange } from '../values/date-range.ts';
import type { FoldedText, Token } from '../values/expressions.ts';
import { fold } from '../values/fold.ts';
import type { SearchEntry } from '../values/patient-compartment.ts';
import { patientParameters, type SearchValues } from '../values/values.ts';
import { indexWords } from './search-index-words.ts';

/** A resource in the search index: the text that every search reads, and the references, which few searches need. */
export interface IndexTexts {
  readonly entry: string;
  /** Undefined if the resource refers only to the patient. */
  readonly links?: string | undefined;
}

/** The position of a text in `indexWords`, or the text itself if it isn't listed. */
type Word = number | string;
/** Values, and the parameters that all have these values. */
type Group = readonly [names: Word | readonly Word[], ...values: readonly unknown[]];
/**
 * An encoded entry. `patients` is left out in the usual case, where only the parameter `patient` names the patient; `strings` is then left
 * out too if there are none.
 */
type EncodedEntry = readonly [
  versionId: string,
  lastUpdated: string,
  size: number,
  tokens: readonly Group[],
  dates: readonly Group[],
  strings?: readonly Group[] | undefined,
  patients?: readonly Group[] | undefined,
];
type Values<Value> = Readonly<Record<string, readonly Value[]>>;

const positions = new Map(indexWords.map((word, at) => [word, at]));
const day = 86_400_000;
const usualPatients: readonly Group[] = [[wordOf('patient'), 0]];

/**
 * Encodes a resource's search values in few bytes that decode fast, since a search decodes the entries of all resources of a type.
 *
 * @param patientId ID of the compartment's patient, which is left out of the text.
 */
export function encodeIndexTexts(
  patientId: string,
  { versionId, lastUpdated, values }: Pick<SearchEntry, 'versionId' | 'lastUpdated' | 'values'>,
): IndexTexts {
  const references = Object.entries(values.references);
  const isPatients = ([name]: readonly [string, unknown]) => patientParameters.includes(name);
  const encodeReference = (name: string) => shortReference(name, patientId);
  const strings = groups(Object.entries(values.strings), (texts) => texts.map(shortText));
  const patients = groups(references.filter(isPatients), (names) => names.map(encodeReference));
  const isUsual = JSON.stringify(patients) === JSON.stringify(usualPatients);
  const entry: EncodedEntry = [
    versionId,
    shortInstant(lastUpdated),
    values.size,
    groups(Object.entries(values.tokens), encodeTokens),
    groups(Object.entries(values.dates), (dates) => dates.map(shortRange)),
    isUsual && strings.length === 0 ? undefined : strings,
    isUsual ? undefined : patients,
  ];
  const links = groups(
    references.filter((reference) => !isPatients(reference)),
    (names) => names.map(encodeReference),
  );
  return {
    entry: JSON.stringify(entry.filter((part) => part !== undefined)),
    ...(links.length > 0 && { links: JSON.stringify(links) }),
  };
}

/**
 * Decodes an entry; each kind of value is decoded when it is first used.
 *
 * @param texts without `links` if the search needs no references.
 * @throws SyntaxError if the texts are damaged.
 */
export function decodeIndexTexts(
  patientId: string,
  { resourceType, id }: { readonly resourceType: string; readonly id: string },
  { entry, links }: IndexTexts,
): SearchEntry {
  const parts = JSON.parse(entry) as EncodedEntry;
  return new IndexedEntry(resourceType, id, parts, new IndexedValues(patientId, parts, links));
}

/**
 * Decodes the references in `links`, by parameter.
 *
 * @throws SyntaxError if the text is damaged.
 */
export function decodeLinks(patientId: string, links: string): SearchValues['references'] {
  return decodeReferences(patientId, JSON.parse(links) as readonly Group[]);
}

function decodeReferences(patientId: string, groups: readonly Group[]): SearchValues['references'] {
  return valuesOf(groups, (list) => list.map((word) => longReference(word as Word, patientId)));
}

class IndexedEntry implements SearchEntry {
  readonly resourceType: string;
  readonly id: string;
  readonly versionId: string;
  readonly values: SearchValues;
  readonly #lastUpdated: string;
  constructor(
    resourceType: string,
    id: string,
    [versionId, lastUpdated]: EncodedEntry,
    values: SearchValues,
  ) {
    this.resourceType = resourceType;
    this.id = id;
    this.versionId = versionId;
    this.values = values;
    this.#lastUpdated = lastUpdated;
  }
  get lastUpdated(): string {
    return longInstant(this.#lastUpdated);
  }
}

class IndexedValues implements SearchValues {
  readonly size: number;
  readonly #patientId: string;
  readonly #entry: EncodedEntry;
  readonly #links: string | undefined;
  #tokens: SearchValues['tokens'] | undefined;
  #dates: SearchValues['dates'] | undefined;
  #strings: SearchValues['strings'] | undefined;
  #references: SearchValues['references'] | undefined;
  constructor(patientId: string, entry: EncodedEntry, links: string | undefined) {
    this.size = entry[2];
    this.#patientId = patientId;
    this.#entry = entry;
    this.#links = links;
  }
  get tokens(): SearchValues['tokens'] {
    this.#tokens ??= valuesOf(this.#entry[3], decodeTokens);
    return this.#tokens;
  }
  get dates(): SearchValues['dates'] {
    this.#dates ??= valuesOf(this.#entry[4], (list) => list.map(longRange));
    return this.#dates;
  }
  get strings(): SearchValues['strings'] {
    this.#strings ??= valuesOf(this.#entry[5] ?? [], (list) => list.map(longText));
    return this.#strings;
  }
  get references(): SearchValues['references'] {
    this.#references ??= decodeReferences(this.#patientId, [
      ...(this.#entry[6] ?? usualPatients),
      ...(this.#links === undefined ? [] : (JSON.parse(this.#links) as readonly Group[])),
    ]);
    return this.#references;
  }
}

function groups<Value>(
  values: readonly (readonly [string, readonly Value[]])[],
  encode: (values: readonly Value[]) => readonly unknown[],
): readonly Group[] {
  const byValues = new Map<string, { readonly names: Word[]; readonly encoded: readonly unknown[] }>();
  for (const [name, list] of values) {
    const encoded = encode(list);
    const text = JSON.stringify(encoded);
    const group = byValues.get(text) ?? { names: [], encoded };
    group.names.push(wordOf(name));
    byValues.set(text, group);
  }
  return [...byValues.values()].map(({ names, encoded }) => [
    names.length === 1 ? (names[0] ?? '') : names,
    ...encoded,
  ]);
}

function valuesOf<Value>(
  list: readonly Group[],
  decode: (values: readonly unknown[]) => readonly Value[],
): Values<Value> {
  const values: Record<string, readonly Value[]> = {};
  for (const [names, ...encoded] of list) {
    const decoded = decode(encoded);
    for (const name of Array.isArray(names) ? names : [names as Word]) values[textOf(name)] = decoded;
  }
  return values;
}

function wordOf(text: string): Word {
  return positions.get(text) ?? text;
}

function textOf(word: Word): string {
  return typeof word === 'number' ? (indexWords[word] ?? '') : word;
}

/** Encodes tokens. A code with its implied system is stored twice, without the system and with it; such a pair becomes one triple. */
function encodeTokens(tokens: readonly Token[]): readonly unknown[] {
  const encoded: unknown[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const [system = '', code = ''] = tokens[at] ?? [];
    const [nextSystem = '', nextCode] = tokens[at + 1] ?? [];
    const isPair = system === '' && nextSystem !== '' && nextCode === code;
    encoded.push(isPair ? [wordOf(nextSystem), wordOf(code), 1] : [wordOf(system), wordOf(code)]);
    if (isPair) at += 1;
  }
  return encoded;
}

function decodeTokens(encoded: readonly unknown[]): readonly Token[] {
  return encoded.flatMap((each): readonly Token[] => {
    const [system, code, isPair] = each as readonly [Word, Word, 1?];
    const token: Token = [textOf(system), textOf(code)];
    return isPair === 1 ? [['', token[1]], token] : [token];
  });
}

/** Encodes a range as one day since 1970, as the days of its start and end, or as milliseconds. */
function shortRange([start, end]: DateRange): unknown {
  const areDays = [start, end].every((time) => time === null || time % day === 0);
  if (!areDays) return [start, end, 1];
  const days = [start, end].map((time) => (time === null ? null : time / day));
  return start !== null && end === start + day ? days[0] : days;
}

function longRange(value: unknown): DateRange {
  if (typeof value === 'number') return [value * day, (value + 1) * day];
  const [start, end, inMilliseconds] = value as readonly [number | null, number | null, 1?];
  if (inMilliseconds === 1) return [start, end];
  return [start === null ? null : start * day, end === null ? null : end * day];
}

function shortText([folded, exact]: FoldedText): unknown {
  return fold(exact) === folded ? exact : [folded, exact];
}

function longText(value: unknown): FoldedText {
  return typeof value === 'string' ? [fold(value), value] : (value as FoldedText);
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}([+-])(\d\d):(\d\d)$/;
const shortenedInstant = /^([0-9a-z]+)([+-])(\d+)$/;

/** Encodes an instant in the format of this service as milliseconds and minutes of its offset; any other text is kept. */
function shortInstant(text: string): string {
  const [, sign = '', hours, minutes] = instant.exec(text) ?? [];
  const short = `${Date.parse(text).toString(36)}${sign}${Number(hours) * 60 + Number(minutes)}`;
  return sign !== '' && longInstant(short) === text ? short : text;
}

function longInstant(text: string): string {
  const [, time, sign, offset] = shortenedInstant.exec(text) ?? [];
  if (time === undefined) return text;
  const minutes = Number(offset);
  const shift = (sign === '-' ? -minutes : minutes) * 60_000;
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const local = new Date(Number.parseInt(time, 36) + shift).toISOString().slice(0, 23);
  return `${local}${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/**
 * Encodes a reference as the type's position in `indexWords` and the short ID; 0 for the patient. A type that isn't listed keeps its name.
 */
function shortReference(name: string, patientId: string): Word {
  if (name === `Patient/${patientId}`) return 0;
  const slash = name.indexOf('/');
  const type = positions.get(name.slice(0, slash));
  return `${type === undefined ? name.slice(0, slash) : type.toString(36)}/${shortId(name.slice(slash + 1))}`;
}

function longReference(word: Word, patientId: string): string {
  if (typeof word === 'number') return `Patient/${patientId}`;
  const slash = word.indexOf('/');
  const type = word.slice(0, slash);
  const isName = /^[A-Z]/.test(type);
  return `${isName ? type : (indexWords[Number.parseInt(type, 36)] ?? '')}/${longId(word.slice(slash + 1))}`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Prefix of a shortened UUID; no FHIR ID contains this character. */
const uuidMark = '~';

/** Shortens a UUID from 36 to 23 characters; any other ID is kept. */
export function shortId(id: string): string {
  return uuid.test(id)
    ? `${uuidMark}${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`
    : id;
}

export function longId(text: string): string {
  if (!text.startsWith(uuidMark)) return text;
  const hex = Buffer.from(text.slice(1), 'base64url').toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
