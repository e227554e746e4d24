/** Reads one search parameter of a request as a criterion: name, modifier and values (R4, search.html). */

import {
  isPatientAccessType,
  type ResourceType,
  type SearchParameter,
  searchBounds,
} from '../../catalog/fhir/fhir-resources.ts';
import { approximately, type DateQuery, datePrefixes } from './date-comparison.ts';
import { dateRange } from './date-range.ts';
import { splitUnescaped, unescaped } from './escapes.ts';
import { fold } from './fold.ts';
import { namedReference } from './reference.ts';
import {
  invalid,
  notSupported,
  type ParameterReading,
  printable,
  rejected,
  understood,
} from './search-issue.ts';

/** `code`, `system|code`, `|code` (no system) or `system|` (any code). */
export interface TokenQuery {
  readonly system?: string;
  readonly code?: string;
}

/** A condition on a resource: one search parameter with the alternatives of its value. */
export type Criterion =
  | { readonly kind: 'missing'; readonly parameter: SearchParameter; readonly missing: boolean }
  | {
      readonly kind: 'token';
      readonly name: string;
      readonly negated: boolean;
      readonly anyOf: readonly TokenQuery[];
      /** Parameter whose values the chain's links name (`SearchParameter.chainedBy`). */
      readonly chainedBy?: string;
    }
  | { readonly kind: 'date'; readonly name: string; readonly anyOf: readonly DateQuery[] }
  | {
      readonly kind: 'string';
      readonly name: string;
      readonly comparison: 'starts-with' | 'exact' | 'contains';
      /** Folded, unless `exact`. */
      readonly anyOf: readonly string[];
    }
  /** `Type/id`, or an id of whatever type; '' for what can't be in the compartment. */
  | { readonly kind: 'reference'; readonly name: string; readonly anyOf: readonly string[] };

export interface CriterionContext {
  /** FHIR base URL: absolute references to it are ours, others are not. */
  readonly base: string;
  /** Milliseconds since 1970; what `ap` measures nearness from. */
  readonly now: number;
}

/** The modifiers of each type that are served; every type has `missing` (R4, search.html#modifiers). */
const modifiers: Readonly<Record<SearchParameter['type'], readonly string[]>> = {
  date: [],
  // Beside the type that an id is of.
  reference: [],
  string: ['exact', 'contains'],
  token: ['not'],
  uri: [],
};

/**
 * Reads one parameter of a query.
 *
 * @param modifier what follows the colon of its name; '' for none.
 * @returns undefined for an empty value, which is as good as not sent (R4, search.html#combining).
 */
export function parseCriterion(
  parameter: SearchParameter,
  modifier: string,
  value: string,
  context: CriterionContext,
): ParameterReading<Criterion | undefined> {
  const { name, type } = parameter;
  const isType = isPatientAccessType(modifier) && leadsTo(parameter, modifier);
  const known = modifier === '' || modifier === 'missing' || modifiers[type].includes(modifier) || isType;
  if (!known) return refusedModifier(parameter, modifier);
  const texts = splitUnescaped(value, ',').filter((text) => text.trim() !== '');
  if (texts.length === 0) return understood(undefined);
  if (texts.length > searchBounds.alternatives) {
    return rejected(
      invalid(`The parameter ${name} has more than ${searchBounds.alternatives} alternatives.`),
    );
  }
  if (modifier === 'missing') return parseMissing(parameter, texts);
  if (type === 'token') {
    const read = parseTokens(name, modifier === 'not', texts);
    const { chainedBy } = parameter;
    return read.kind === 'rejected' || chainedBy === undefined
      ? read
      : understood({ ...read.value, chainedBy });
  }
  if (type === 'uri')
    return understood({ kind: 'token', name, negated: false, anyOf: texts.map(askedCanonical) });
  if (type === 'date') return parseDates(name, texts, context);
  if (type === 'string') return parseStrings(name, modifier, texts);
  return understood({
    kind: 'reference',
    name,
    anyOf: texts.map((text) => ofType(modifier, askedReference(unescaped(text), context.base))),
  });
}

/** Whether a reference that is searched by may lead to a type. */
function leadsTo({ type, sources }: SearchParameter, target: ResourceType): boolean {
  return (
    type === 'reference' && sources.some((source) => source.type === undefined || source.type === target)
  );
}

function refusedModifier(parameter: SearchParameter, modifier: string): ParameterReading<never> {
  const { name, type, sources } = parameter;
  if (modifier.includes('.')) {
    return rejected(
      notSupported(`Chained parameters are not supported: ${printable(`${name}:${modifier}`)}.`),
    );
  }
  const targets = type === 'reference' ? sources.flatMap((source) => source.type ?? []) : [];
  const served = ['missing', ...modifiers[type], ...new Set(targets)].join(', ');
  return rejected(
    notSupported(
      `The modifier ${printable(modifier)} is not supported for the parameter ${name}. It has ${served}.`,
    ),
  );
}

function parseMissing(parameter: SearchParameter, texts: readonly string[]): ParameterReading<Criterion> {
  const [text = ''] = texts;
  if (texts.length === 1 && (text === 'true' || text === 'false')) {
    return understood({ kind: 'missing', parameter, missing: text === 'true' });
  }
  return rejected(
    invalid(`${parameter.name}:missing must be true or false, not ${printable(texts.join(','))}.`),
  );
}

export function parseTokens(
  name: string,
  negated: boolean,
  texts: readonly string[],
): ParameterReading<Extract<Criterion, { readonly kind: 'token' }>> {
  const anyOf: TokenQuery[] = [];
  for (const text of texts) {
    const token = askedToken(text);
    if (token === undefined) {
      return rejected(
        invalid(
          `The parameter ${name} must be code, system|code, |code or system|, not ${printable(text)}. Write a literal | as \\|.`,
        ),
      );
    }
    anyOf.push(token);
  }
  return understood({ kind: 'token', name, negated, anyOf });
}

function askedToken(text: string): TokenQuery | undefined {
  const [first = '', second, ...more] = splitUnescaped(text, '|').map(unescaped);
  if (more.length > 0) return undefined;
  if (second === undefined) return { code: first };
  if (second !== '') return { system: first, code: second };
  return first === '' ? undefined : { system: first };
}

/** A canonical URL; one without a version asks for each of its versions. */
function askedCanonical(text: string): TokenQuery {
  const [system = '', version] = unescaped(text).split('|');
  return version === undefined ? { system } : { system, code: version };
}

export function parseDates(
  name: string,
  texts: readonly string[],
  { now }: Pick<CriterionContext, 'now'>,
): ParameterReading<Extract<Criterion, { readonly kind: 'date' }>> {
  const anyOf: DateQuery[] = [];
  for (const text of texts) {
    const date = askedDate(text, now);
    if (date === undefined) {
      return rejected(
        invalid(
          `The parameter ${name} must be a date such as 2026, ge2026-03, lt2026-03-31 or 2026-03-31T08:00:00Z, not ${printable(text)}.`,
        ),
      );
    }
    anyOf.push(date);
  }
  return understood({ kind: 'date', name, anyOf });
}

function askedDate(text: string, now: number): DateQuery | undefined {
  const prefix = datePrefixes.find((each) => text.startsWith(each));
  // A `+` in a query may have become a space on its way.
  const range = dateRange(text.slice(prefix?.length ?? 0).replace(' ', '+'));
  if (range === undefined) return undefined;
  return prefix === 'ap' ? { prefix, range: approximately(range, now) } : { prefix: prefix ?? 'eq', range };
}

export function parseStrings(
  name: string,
  modifier: string,
  texts: readonly string[],
): ParameterReading<Extract<Criterion, { readonly kind: 'string' }>> {
  const plain = texts.map(unescaped);
  if (modifier === 'exact') return understood({ kind: 'string', name, comparison: 'exact', anyOf: plain });
  const comparison = modifier === 'contains' ? 'contains' : 'starts-with';
  return understood({ kind: 'string', name, comparison, anyOf: plain.map(fold) });
}

export function askedReference(text: string, base: string): string {
  const named = namedReference(text);
  if (named === undefined) return text.includes('/') ? '' : text;
  return named.base === '' || named.base === base ? named.name : '';
}

/** @param type of a bare id; '' for any. A reference that names another type is of none of ours. */
function ofType(type: string, reference: string): string {
  if (type === '' || reference === '') return reference;
  if (!reference.includes('/')) return `${type}/${reference}`;
  return reference.startsWith(`${type}/`) ? reference : '';
}
