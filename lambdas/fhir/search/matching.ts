/** Compares a resource's search values with the criteria of a query. */

import type { Criterion, TokenQuery } from '../query/criteria.ts';
import { dateMatches } from '../values/date-comparison.ts';
import { type DateRange, dateRange } from '../values/date-range.ts';
import type { FoldedText, Token } from '../values/expressions.ts';
import type { SearchEntry } from '../values/patient-compartment.ts';
import { patientParameters, type SearchValues } from '../values/values.ts';

/** A search entry with its decoded values, compared with the criteria. */
export interface Candidate {
  readonly entry: SearchEntry;
  readonly values: SearchValues;
}

export function candidateOf(entry: SearchEntry): Candidate {
  return { entry, values: entry.values };
}

type TokenCriterion = Extract<Criterion, { readonly kind: 'token' }>;

/**
 * Replaces the tokens of each criterion with a chain (`chainedBy`) by all tokens of that chain. Only the given candidates are followed: a
 * resource that is not among them interrupts a chain.
 */
export function followChains(
  candidates: readonly Candidate[],
  criteria: readonly Criterion[],
): readonly Criterion[] {
  return criteria.map((criterion) =>
    criterion.kind === 'token' && criterion.chainedBy !== undefined
      ? { ...criterion, anyOf: wholeChain(candidates, criterion) }
      : criterion,
  );
}

function wholeChain(candidates: readonly Candidate[], criterion: TokenCriterion): readonly TokenQuery[] {
  const { name, chainedBy } = criterion;
  const chain: TokenQuery[] = [...criterion.anyOf];
  let rest = candidates.map((candidate) => ({
    candidate,
    tokens: tokensOf(candidate.values, name, chainedBy),
  }));
  let asked: readonly TokenQuery[] = chain;
  while (asked.length > 0) {
    const isLinked = ({ tokens }: (typeof rest)[number]) =>
      asked.some((each) => tokens.some((token) => tokenMatches(each, token)));
    const linked = rest.filter(isLinked);
    rest = rest.filter((each) => !linked.includes(each));
    const added = new Map(
      linked.flatMap(({ tokens }) => tokens).map((token) => [JSON.stringify(token), token] as const),
    );
    asked = [...added.values()].map(([system, code]) => ({ system, code }));
    chain.push(...asked);
  }
  return chain;
}

/** Whether a resource satisfies all criteria, each by at least one of its alternatives (R4, search.html#combining). */
export function matchesCriteria(candidate: Candidate, criteria: readonly Criterion[]): boolean {
  return criteria.every((criterion) => satisfies(candidate, criterion));
}

/** The values of a date parameter, including `_lastUpdated`. */
export function datesOf({ entry, values }: Candidate, name: string): readonly DateRange[] {
  if (name !== '_lastUpdated') return values.dates[name] ?? [];
  const range = dateRange(entry.lastUpdated);
  return range === undefined ? [] : [range];
}

/** Whether a criterion needs references other than those to the patient. */
export function asksReferences(criterion: Criterion): boolean {
  const { kind } = criterion;
  if (kind === 'reference') return !patientParameters.includes(criterion.name);
  if (kind !== 'missing') return false;
  const { name, type } = criterion;
  return type === 'reference' && !patientParameters.includes(name);
}

function satisfies(candidate: Candidate, criterion: Criterion): boolean {
  switch (criterion.kind) {
    case 'id':
      return criterion.anyOf.includes(candidate.entry.id) !== criterion.negated;
    case 'missing':
      return (valueCount(candidate, criterion) === 0) === criterion.missing;
    case 'token':
      return tokensMatch(candidate, criterion) !== criterion.negated;
    case 'date': {
      const dates = datesOf(candidate, criterion.name);
      return criterion.anyOf.some((asked) => dates.some((date) => dateMatches(asked, date)));
    }
    case 'string': {
      const texts = candidate.values.strings[criterion.name] ?? [];
      return criterion.anyOf.some((asked) => texts.some((text) => stringMatches(criterion, asked, text)));
    }
    case 'reference': {
      const names = candidate.values.references[criterion.name] ?? [];
      return criterion.anyOf.some((asked) => names.some((name) => referenceMatches(asked, name)));
    }
  }
}

function valueCount(candidate: Candidate, { name, type }: { readonly name: string; readonly type: string }) {
  const { values } = candidate;
  if (name === '_id') return 1;
  if (type === 'date') return datesOf(candidate, name).length;
  if (type === 'token' || type === 'uri') return values.tokens[name]?.length ?? 0;
  return (type === 'string' ? values.strings : values.references)[name]?.length ?? 0;
}

function tokensMatch(
  { values }: Candidate,
  { name, anyOf, chainedBy }: Omit<TokenCriterion, 'kind' | 'negated'>,
): boolean {
  const tokens = tokensOf(values, name, chainedBy);
  return anyOf.some((asked) => tokens.some((token) => tokenMatches(asked, token)));
}

/** The tokens of a parameter, with those of its chain's links if it has any. */
function tokensOf({ tokens }: SearchValues, name: string, chainedBy: string | undefined): readonly Token[] {
  return [name, ...(chainedBy === undefined ? [] : [chainedBy])].flatMap((each) => tokens[each] ?? []);
}

/**
 * Compares a token. A system is a URL, compared exactly. Codes are compared without case, since it is often unknown whether their case
 * matters (R4, search.html#token).
 */
function tokenMatches({ system, hierarchy, code }: TokenQuery, token: Token): boolean {
  return (
    (system === undefined || system === token[0] || isRelated(system, hierarchy, token[0])) &&
    (code === undefined || code.toLowerCase() === token[1].toLowerCase())
  );
}

/** Whether a URI is above or below another one, as asked: `https://x/fhir` is above `https://x/fhir/a`. */
function isRelated(asked: string, hierarchy: TokenQuery['hierarchy'], uri: string): boolean {
  if (hierarchy === undefined) return false;
  return hierarchy === 'below' ? isBelow(uri, asked) : isBelow(asked, uri);
}

function isBelow(uri: string, path: string): boolean {
  return path !== '' && uri.startsWith(path.endsWith('/') ? path : `${path}/`);
}

function stringMatches(
  { comparison }: { readonly comparison: 'starts-with' | 'exact' | 'contains' },
  asked: string,
  [folded, exact]: FoldedText,
): boolean {
  if (comparison === 'exact') return exact === asked;
  // A text that consists only of accents is empty after folding, and would match everything.
  if (asked === '') return false;
  return comparison === 'contains' ? folded.includes(asked) : folded.startsWith(asked);
}

function referenceMatches(asked: string, name: string): boolean {
  return asked !== '' && (asked === name || name.endsWith(`/${asked}`));
}
