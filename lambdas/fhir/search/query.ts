/** Parses the parameters of a search of one type (R4, search.html): criteria, includes, order and presentation, or an issue each. */

import {
  commonSearchParameters,
  type PatientAccessType,
  pageSizes,
  type SearchParameter,
  servedResource,
} from '../../catalog/fhir/fhir-resources.ts';
import { type Criterion, type CriterionContext, parseCriterion } from './criterion.ts';
import { outOfBounds } from './query-bounds.ts';
import {
  type Include,
  parseCount,
  parseElements,
  parseInclude,
  parseRevInclude,
  parseSort,
  parseSummary,
  parseTotal,
  type RevInclude,
  type Selection,
  type SortKey,
  type Summary,
  summaryBesideElements,
  usualSort,
} from './result-parameters.ts';
import {
  invalid,
  notSupported,
  type Parameter,
  type ParameterReading,
  printable,
  type SearchIssue,
} from './search-issue.ts';
import { representationParameters } from './search-request.ts';

/** A search of one type, as it was understood. */
export interface SearchQuery {
  readonly criteria: readonly Criterion[];
  readonly includes: readonly Include[];
  readonly revIncludes: readonly RevInclude[];
  readonly sort: readonly SortKey[];
  /** Results on a page, 1 to 100. */
  readonly count: number;
  readonly selection: Selection;
  /** The parameters that were used, as `self` and the next page repeat them. */
  readonly used: readonly Parameter[];
  /** Names that mean nothing here. */
  readonly ignored: readonly string[];
}

export type ParsedQuery =
  | { readonly kind: 'query'; readonly query: SearchQuery }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/** State while the parameters are read. */
interface Draft {
  readonly criteria: Criterion[];
  readonly includes: Include[];
  readonly revIncludes: RevInclude[];
  sort?: readonly SortKey[];
  count?: number;
  summary?: Summary;
  elements?: readonly string[];
  readonly used: Parameter[];
  readonly ignored: Set<string>;
}

/** @returns what is wrong; undefined where the value was taken or says nothing. */
type Reader = (draft: Draft, value: string, type: PatientAccessType) => SearchIssue | undefined;

/** Parameters of the result, by name (R4, search.html#Summary "Search result parameters"). */
const resultReaders: Readonly<Record<string, Reader>> = {
  _count: (draft, value) =>
    keepValue(parseCount(value), (count) => {
      draft.count = count;
      draft.used.push(['_count', String(count)]);
    }),
  _summary: (draft, value) =>
    keepValue(parseSummary(value), (summary) => {
      draft.summary = summary;
      draft.used.push(['_summary', summary]);
    }),
  _elements: (draft, value) =>
    keepValue(parseElements(value), (elements) => {
      if (elements.length === 0) return;
      draft.elements = elements;
      draft.used.push(['_elements', elements.join(',')]);
    }),
  _include: (draft, value, type) =>
    keepValue(parseInclude(type, value), (includes) => {
      draft.includes.push(...includes);
      draft.used.push(['_include', value]);
    }),
  _revinclude: (draft, value, type) =>
    keepValue(parseRevInclude(type, value), (revInclude) => {
      draft.revIncludes.push(revInclude);
      draft.used.push(['_revinclude', value]);
    }),
  _sort: (draft, value, type) =>
    keepValue(parseSort(type, value), (sort) => {
      if (sort.length === 0) return;
      draft.sort = sort;
      draft.used.push(['_sort', sort.map((key) => `${key.descending ? '-' : ''}${key.name}`).join(',')]);
    }),
  // The number of matches is always exact: counting costs nothing here.
  _total: (draft, value) =>
    keepValue(parseTotal(value), () => {
      draft.used.push(['_total', value]);
    }),
};

/**
 * Reads the parameters of a search, decoded, in their order.
 *
 * @param strict `Prefer: handling=strict`: a parameter that means nothing here is an issue (R4, search.html#errors).
 */
export function parseQuery(
  type: PatientAccessType,
  parameters: readonly Parameter[],
  context: CriterionContext & { readonly strict: boolean },
): ParsedQuery {
  const bounds = outOfBounds(parameters);
  if (bounds !== undefined) return { kind: 'invalid', issues: [bounds] };
  const draft: Draft = { criteria: [], includes: [], revIncludes: [], used: [], ignored: new Set() };
  const sent = parameters.filter(
    ([name, value]) => !representationParameters.includes(name) && value.trim() !== '',
  );
  const issues = sent
    .map(([name, value]) => readParameter(draft, type, name, value, context))
    .filter((issue) => issue !== undefined);
  issues.push(...repetitions(sent), ...contradictions(draft));
  if (context.strict) issues.push(...refuseIgnored(draft.ignored, type, parametersOf(type)));
  return issues.length > 0 ? { kind: 'invalid', issues } : { kind: 'query', query: queryOf(draft, type) };
}

/** Whether a name of a query, with its modifier or chain, is of a parameter that searches of the type have. */
export function hasParameter(type: PatientAccessType, sentName: string): boolean {
  const [name = ''] = sentName.split(/[:.]/, 1);
  return Object.hasOwn(resultReaders, name) || name === '_has' || searchParameter(type, name) !== undefined;
}

/** Words the warning for a parameter that was ignored. */
export function unknownParameter(name: string, type: string): string {
  return `The parameter ${printable(name)} is not supported for ${type}.`;
}

/** The issues of what a strict request sent in vain, each with the names that are supported. */
export function refuseIgnored(
  names: Iterable<string>,
  place: string,
  supported: readonly string[],
): readonly SearchIssue[] {
  return [...names].map((name) =>
    notSupported(`${unknownParameter(name, place)} Supported: ${supported.join(', ')}.`),
  );
}

/** The names of all parameters that searches of a type have. */
function parametersOf(type: PatientAccessType): readonly string[] {
  const criteria = [...commonSearchParameters, ...servedResource(type).searchParameters];
  return [...criteria.map(({ name }) => name), ...Object.keys(resultReaders)];
}

function readParameter(
  draft: Draft,
  type: PatientAccessType,
  sentName: string,
  value: string,
  context: CriterionContext,
): SearchIssue | undefined {
  const colon = sentName.indexOf(':');
  const name = colon < 0 ? sentName : sentName.slice(0, colon);
  const modifier = colon < 0 ? '' : sentName.slice(colon + 1);
  if (Object.hasOwn(resultReaders, name)) {
    return sentName === name
      ? resultReaders[name]?.(draft, value, type)
      : notSupported(`The modifier ${printable(modifier)} is not supported for ${name}. It has none.`);
  }
  const parameter = searchParameter(type, name);
  if (parameter !== undefined) {
    return readCriterion(draft, parameter, colon < 0 ? undefined : modifier, value, context);
  }
  const [head = ''] = name.split('.', 1);
  if (name === '_has' || (head !== name && searchParameter(type, head) !== undefined)) {
    return notSupported(`Chained parameters are not supported: ${printable(sentName)}.`);
  }
  draft.ignored.add(sentName);
  return undefined;
}

function readCriterion(
  draft: Draft,
  parameter: SearchParameter,
  modifier: string | undefined,
  value: string,
  context: CriterionContext,
): SearchIssue | undefined {
  if (modifier === '') return notSupported(`A modifier is missing after ${parameter.name}:.`);
  const read = parseCriterion(parameter, modifier ?? '', value, context);
  return keepValue(read, (criterion) => {
    if (criterion === undefined) return;
    draft.criteria.push(criterion);
    draft.used.push([modifier === undefined ? parameter.name : `${parameter.name}:${modifier}`, value]);
  });
}

function searchParameter(type: PatientAccessType, name: string): SearchParameter | undefined {
  return [...commonSearchParameters, ...servedResource(type).searchParameters].find(
    (parameter) => parameter.name === name,
  );
}

/** These say one thing of the whole answer; of two, one would be ignored. */
function repetitions(sent: readonly Parameter[]): readonly SearchIssue[] {
  const names = sent.map(([name]) => name);
  return ['_count', '_summary', '_elements', '_sort', '_total']
    .filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
    .map((name) => invalid(`${name} was sent more than once. Send it once.`));
}

function contradictions({ summary, elements, includes, revIncludes }: Draft): readonly SearchIssue[] {
  const issues: SearchIssue[] = [];
  if (elements !== undefined && summary !== undefined && summary !== 'false') {
    issues.push(summaryBesideElements);
  }
  // R4, search.html#summary.
  if (summary === 'text' && includes.length > 0) {
    issues.push(invalid('_include can’t be used with _summary=text.'));
  }
  if (summary === 'text' && revIncludes.length > 0) {
    issues.push(invalid('_revinclude can’t be used with _summary=text.'));
  }
  return issues;
}

function queryOf(draft: Draft, type: PatientAccessType): SearchQuery {
  const { criteria, includes, revIncludes, used, ignored, elements } = draft;
  const { count = pageSizes.usual, summary = 'false' } = draft;
  return {
    criteria,
    includes,
    revIncludes,
    sort: draft.sort ?? usualSort(type),
    count: Math.max(count, 1),
    selection: { summary: count === 0 ? 'count' : summary, ...(elements && { elements }) },
    used,
    ignored: [...ignored],
  };
}

/** @returns the issue of a value that was rejected; undefined for one that was kept. */
function keepValue<Value>(
  read: ParameterReading<Value>,
  keep: (value: Value) => void,
): SearchIssue | undefined {
  if (read.kind === 'rejected') return read.issue;
  keep(read.value);
  return undefined;
}
