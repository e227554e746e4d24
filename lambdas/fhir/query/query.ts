/**
 * Parses the parameters of a search of one type (R4, search.html) into criteria, includes, order and presentation, or into issues. All
 * interfaces use this parser; their differences are in the tables of searched types.
 */

import { pageSizes } from '../../catalog/fhir/fhir-resources.ts';
import type { Criterion, CriterionContext } from './criteria.ts';
import { parseCriterion } from './criterion.ts';
import { type Include, parseInclude } from './include.ts';
import { readSentParameters } from './parameters.ts';
import {
  parseCount,
  parseElements,
  parseSort,
  parseSummary,
  parseTotal,
  type Selection,
  type SortKey,
  type Summary,
  summaryBesideElements,
  type Total,
} from './result-parameters.ts';
import {
  invalid,
  notSupported,
  type Parameter,
  type ParameterReading,
  printable,
  rejected,
  type SearchIssue,
} from './search-issue.ts';
import { askedParameter, type SearchedType } from './searched-types.ts';

/** A parsed search of one type. */
export interface SearchQuery<Own = never> {
  readonly criteria: readonly (Criterion | Own)[];
  readonly includes: readonly Include[];
  /** Undefined for a request without `_sort`: the interface's usual order. */
  readonly sort?: readonly SortKey[];
  /** Results on a page, 1 to 100. */
  readonly count: number;
  readonly selection: Selection;
  readonly total?: Total;
  /** The parameters that were used; the links `self` and `next` repeat them. */
  readonly used: readonly Parameter[];
  /** Names of unsupported parameters, which were ignored. */
  readonly ignored: readonly string[];
}

export type ParsedQuery<Own = never> =
  | { readonly kind: 'query'; readonly query: SearchQuery<Own> }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/** The query while it is being parsed. */
interface Draft {
  readonly includes: Include[];
  sort?: readonly SortKey[];
  count?: number;
  summary?: Summary;
  elements?: readonly string[];
  total?: Total;
  readonly used: Parameter[];
}

type Orders = Pick<SearchedType, 'sortNames'>;

/** Parses a search result parameter, such as `_count`. */
type Reader = (draft: Draft, value: string, type: Orders) => ParameterReading<unknown>;

/** Makes the reader of a result parameter that may be sent once. */
function once<Value>(
  name: string,
  parse: (value: string, type: Orders) => ParameterReading<Value>,
  keep: (draft: Draft, value: Value) => void,
  write: (value: Value) => string = String,
): Reader {
  return (draft, text, type) =>
    keepValue(parse(text, type), (value) => {
      keep(draft, value);
      draft.used.push([name, write(value)]);
    });
}

/** Readers of the search result parameters, by name (R4, search.html#Summary "Search result parameters"). */
const resultReaders: Readonly<Record<string, Reader>> = {
  _count: once(
    '_count',
    (value) => parseCount(value),
    (draft, count) => {
      draft.count = count;
    },
  ),
  _summary: once('_summary', parseSummary, (draft, summary) => {
    draft.summary = summary;
  }),
  _elements: once('_elements', parseElements, (draft, elements) => {
    draft.elements = elements;
  }),
  _sort: once(
    '_sort',
    (value, { sortNames }) => parseSort(sortNames, value),
    (draft, sort) => {
      draft.sort = sort;
    },
    (sort) => sort.map(({ name, descending }) => `${descending ? '-' : ''}${name}`).join(','),
  ),
  _total: once('_total', parseTotal, (draft, total) => {
    draft.total = total;
  }),
};

const includeDirections: Readonly<Record<string, Include['direction']>> = {
  _include: 'forward',
  _revinclude: 'reverse',
};

const resultNames = [...Object.keys(resultReaders), ...Object.keys(includeDirections)];

/**
 * Parses the parameters of a search, decoded, in the order sent.
 *
 * @param strict `Prefer: handling=strict`: an unsupported parameter is an error (R4, search.html#errors).
 */
export function parseQuery<Own>(
  type: SearchedType<Own>,
  parameters: readonly Parameter[],
  context: CriterionContext & { readonly strict: boolean },
): ParsedQuery<Own> {
  const draft: Draft = { includes: [], used: [] };
  const criteria: (Criterion | Own)[] = [];
  const supported = [...type.parameters.map(({ name }) => name), ...resultNames];
  const place = { place: type.type, supported, once: Object.keys(resultReaders), strict: context.strict };
  const { issues, ignored } = readSentParameters(parameters, place, (sentName, value) => {
    const [name = ''] = sentName.split(':', 1);
    const modifier = sentName === name ? undefined : sentName.slice(name.length + 1);
    const direction = Object.hasOwn(includeDirections, name) ? includeDirections[name] : undefined;
    if (direction !== undefined) {
      return keepValue(parseInclude(type, direction, value, modifier), (includes) => {
        draft.includes.push(...includes);
        draft.used.push([sentName, value]);
      });
    }
    const reader = Object.hasOwn(resultReaders, name) ? resultReaders[name] : undefined;
    if (reader !== undefined) {
      return modifier === undefined
        ? reader(draft, value, type)
        : rejected(
            notSupported(`The modifier ${printable(modifier)} is not supported for ${name}. It has none.`),
          );
    }
    const read = parseCriterion(type, sentName, value, context);
    if (read.kind === 'unknown') return read;
    return keepValue(read, (criterion) => {
      if (criterion === undefined) return;
      criteria.push(criterion);
      draft.used.push([sentName, value]);
    });
  });
  issues.push(...contradictions(draft));
  if (issues.length > 0) return { kind: 'invalid', issues };
  const { count = pageSizes.usual, summary = 'false', elements, includes, sort, total, used } = draft;
  return {
    kind: 'query',
    query: {
      criteria,
      includes,
      ...(sort !== undefined && { sort }),
      count: Math.max(count, 1),
      selection: { summary: count === 0 ? 'count' : summary, ...(elements && { elements }) },
      ...(total !== undefined && { total }),
      used,
      ignored,
    },
  };
}

/** Whether a name, with its modifier or chain, is that of a parameter of the type's searches. */
export function hasParameter<Own>(type: SearchedType<Own>, sentName: string): boolean {
  const [name = ''] = sentName.split(/[:.]/, 1);
  return name === '_has' || resultNames.includes(name) || askedParameter(type, name) !== undefined;
}

function contradictions({ summary, elements, includes }: Draft): readonly SearchIssue[] {
  const issues: SearchIssue[] = [];
  if (elements !== undefined && summary !== undefined && summary !== 'false') {
    issues.push(summaryBesideElements);
  }
  // R4, search.html#summary.
  for (const [name, direction] of Object.entries(includeDirections)) {
    if (summary === 'text' && includes.some((include) => include.direction === direction)) {
      issues.push(invalid(`${name} can’t be used with _summary=text.`));
    }
  }
  return issues;
}

/** Adds a parsed value to the query, or its issue. */
function keepValue<Value>(
  read: ParameterReading<Value>,
  keep: (value: Value) => void,
): ParameterReading<Value> {
  if (read.kind === 'value') keep(read.value);
  return read;
}
