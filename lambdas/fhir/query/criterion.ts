/** Parses one search parameter of a request into a criterion: name, modifier and values (R4, search.html). */

import { searchBounds } from '../../catalog/fhir/fhir-resources.ts';
import { approximately, type DateQuery, datePrefixes } from '../values/date-comparison.ts';
import { dateRange } from '../values/date-range.ts';
import { fold } from '../values/fold.ts';
import { namedReference } from '../values/reference.ts';
import type { Criterion, CriterionContext, TokenQuery } from './criteria.ts';
import { splitUnescaped, unescaped } from './escapes.ts';
import {
  invalid,
  notSupported,
  type ParameterReading,
  printable,
  rejected,
  understood,
} from './search-issue.ts';
import {
  type AskedParameter,
  askedParameter,
  type CriterionReading,
  type SearchedType,
} from './searched-types.ts';

/** The modifiers that each parameter type has on every interface, beside `missing`, which every type has (R4, search.html#modifiers). */
const modifiers: Readonly<Record<AskedParameter['type'], readonly string[]>> = {
  date: [],
  // A reference also takes the name of a resource type as its modifier.
  reference: [],
  special: [],
  string: ['exact', 'contains'],
  token: ['not'],
  uri: ['above', 'below', 'not'],
};

/**
 * Parses one parameter of a query.
 *
 * @param sentName with modifier or chain, as sent: `specialty:not`, `location.address-city`.
 * @returns an undefined value for a parameter without a value, which is treated as not sent (R4, search.html#combining).
 */
export function parseCriterion<Own>(
  type: SearchedType<Own>,
  sentName: string,
  value: string,
  context: CriterionContext,
): CriterionReading<Own> {
  const texts = splitUnescaped(value, ',').filter((text) => text.trim() !== '');
  const read = parseNamed(type, sentName, texts, context, 0);
  return read.kind === 'value' && texts.length === 0 ? understood(undefined) : read;
}

/**
 * Parses the values of one parameter.
 *
 * @param texts the alternatives of the value, as sent.
 * @param hops how many steps of a chain, or levels of `_has`, led to the type.
 */
export function parseNamed<Own>(
  type: SearchedType<Own>,
  sentName: string,
  texts: readonly string[],
  context: CriterionContext,
  hops: number,
): CriterionReading<Own> {
  const [head = ''] = sentName.split(/[:.]/, 1);
  const parameter = askedParameter(type, head);
  if (head !== '_has' && parameter === undefined) return { kind: 'unknown' };
  if (texts.length > searchBounds.alternatives) {
    return rejected(
      invalid(
        `The parameter ${printable(sentName)} has more than ${searchBounds.alternatives} alternatives.`,
      ),
    );
  }
  if (parameter === undefined || sentName.includes('.')) {
    return (
      type.all.linked?.(type, sentName, texts, context, hops) ??
      rejected(notSupported(`Chained parameters are not supported: ${printable(sentName)}.`))
    );
  }
  if (sentName === `${head}:`) return rejected(notSupported(`A modifier is missing after ${head}:.`));
  return parseOwn(type, parameter, sentName.slice(head.length + 1), texts, context);
}

function parseOwn<Own>(
  { type: searched, all }: SearchedType<Own>,
  parameter: AskedParameter<Own>,
  modifier: string,
  texts: readonly string[],
  context: CriterionContext,
): ParameterReading<Criterion | Own | undefined> {
  const { name, type, own } = parameter;
  const ownReader = own !== undefined && Object.hasOwn(own, modifier) ? own[modifier] : undefined;
  if (ownReader !== undefined) return ownReader(texts);
  const isTarget = type === 'reference' && (parameter.targets ?? all.names).includes(modifier);
  const known = modifier === '' || modifier === 'missing' || modifiers[type].includes(modifier) || isTarget;
  if (!known) return refusedModifier(parameter, modifier);
  if (texts.length === 0) return understood(undefined);
  if (modifier === 'missing') return parseMissing(parameter, texts);
  const negated = modifier === 'not';
  if (name === '_id') {
    const anyOf = texts.map((text) => askedId(searched, text, context.base));
    return understood({ kind: 'id', negated, anyOf });
  }
  switch (type) {
    case 'token':
      return parseTokens(parameter, negated, texts);
    case 'uri':
      return understood({
        kind: 'token',
        name,
        negated,
        anyOf: texts.map((text) => askedUri(text, modifier)),
      });
    case 'date':
      return parseDates(name, texts, context);
    case 'string':
      return parseStrings(name, modifier, texts);
    // A parameter of type special is parsed by its interface, or is not supported.
    case 'special':
    case 'reference':
      return understood({
        kind: 'reference',
        name,
        anyOf: texts.map((text) => ofType(modifier, askedReference(unescaped(text), context.base))),
      });
  }
}

function refusedModifier<Own>(
  { name, type, targets = [], own = {} }: AskedParameter<Own>,
  modifier: string,
): ParameterReading<never> {
  const served = [
    'missing',
    ...modifiers[type],
    ...Object.keys(own).filter((each) => each !== ''),
    ...targets,
  ];
  return rejected(
    notSupported(
      `The modifier ${printable(modifier)} is not supported for the parameter ${name}. It has ${served.join(', ')}.`,
    ),
  );
}

function parseMissing(
  { name, type }: Pick<AskedParameter, 'name' | 'type'>,
  texts: readonly string[],
): ParameterReading<Criterion> {
  const [text = ''] = texts;
  if (texts.length === 1 && (text === 'true' || text === 'false')) {
    return understood({ kind: 'missing', name, type, missing: text === 'true' });
  }
  return rejected(invalid(`${name}:missing must be true or false, not ${printable(texts.join(','))}.`));
}

/**
 * Parses the values of a token parameter.
 *
 * @param texts the alternatives of the value, as sent.
 */
export function parseTokens(
  { name, isCode = false, chainedBy }: Pick<AskedParameter, 'name' | 'isCode' | 'chainedBy'>,
  negated: boolean,
  texts: readonly string[],
): ParameterReading<Criterion> {
  const anyOf: TokenQuery[] = [];
  for (const text of texts) {
    const token = askedToken(text, isCode);
    if (token === undefined) {
      return rejected(
        invalid(
          `The parameter ${name} must be code, system|code, |code or system|, not ${printable(text)}. Write a literal | as \\|.`,
        ),
      );
    }
    anyOf.push(token);
  }
  return understood({ kind: 'token', name, negated, anyOf, ...(chainedBy !== undefined && { chainedBy }) });
}

/**
 * Parses a token.
 *
 * @param isCode whether the elements are of type code. Such an element has no system, so `|code` must find it, and has the system of its
 * binding, so `system|code` must find it too (R4, search.html#token). It is stored with the system of its binding.
 */
function askedToken(text: string, isCode: boolean): TokenQuery | undefined {
  const [first = '', second, ...more] = splitUnescaped(text, '|').map(unescaped);
  if (more.length > 0) return undefined;
  if (second === undefined) return { code: first };
  if (second !== '') return isCode && first === '' ? { code: second } : { system: first, code: second };
  return first === '' ? undefined : { system: first };
}

/** Parses a URI. A canonical URL without a version matches every version. */
function askedUri(text: string, modifier: string): TokenQuery {
  const [system = '', version] = unescaped(text).split('|');
  const hierarchy = modifier === 'above' || modifier === 'below' ? ({ hierarchy: modifier } as const) : {};
  return { system, ...hierarchy, ...(version !== undefined && { code: version }) };
}

function parseDates(
  name: string,
  texts: readonly string[],
  { now }: Pick<CriterionContext, 'now'>,
): ParameterReading<Criterion> {
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
  // URL decoding may have turned the `+` of an offset into a space.
  const range = dateRange(text.slice(prefix?.length ?? 0).replace(' ', '+'));
  if (range === undefined) return undefined;
  return prefix === 'ap' ? { prefix, range: approximately(range, now) } : { prefix: prefix ?? 'eq', range };
}

function parseStrings(name: string, modifier: string, texts: readonly string[]): ParameterReading<Criterion> {
  const plain = texts.map(unescaped);
  if (modifier === 'exact') return understood({ kind: 'string', name, comparison: 'exact', anyOf: plain });
  const comparison = modifier === 'contains' ? 'contains' : 'starts-with';
  return understood({ kind: 'string', name, comparison, anyOf: plain.map(fold) });
}

/** Parses a resource's ID from `123`, `|123`, `Patient/123` or its URL on this server; '' for another type or server. */
function askedId(type: string, text: string, base: string): string {
  const name = askedReference(unescaped(text).replace(/^\|/, ''), base);
  if (!name.includes('/')) return name;
  return name.startsWith(`${type}/`) ? name.slice(type.length + 1) : '';
}

function askedReference(text: string, base: string): string {
  const named = namedReference(text);
  if (named === undefined) return text.includes('/') ? '' : text;
  return named.base === '' || named.base === base ? named.name : '';
}

/**
 * Completes an ID to `Type/id`; '' for a reference to another type.
 *
 * @param type '' for any type.
 */
function ofType(type: string, reference: string): string {
  if (type === '' || reference === '') return reference;
  if (!reference.includes('/')) return `${type}/${reference}`;
  return reference.startsWith(`${type}/`) ? reference : '';
}
