/** Parses the parameters of a directory search: conditions, includes, order and presentation, or an issue each. */
import {
  type DirectoryType,
  directoryParameter,
  directoryResource,
  directoryTypes,
  isDirectoryType,
} from '../../catalog/fhir/directory-resources.ts';
import { pageSizes } from '../../catalog/fhir/fhir-resources.ts';
import { outOfBounds } from '../search/query-bounds.ts';
import {
  parseCount,
  parseElements,
  parseSummary,
  parseTotal,
  type Selection,
  type Summary,
  summaryBesideElements,
} from '../search/result-parameters.ts';
import {
  invalid,
  notSupported,
  type Parameter,
  type ParameterReading,
  printable,
  rejected,
  type SearchIssue,
  understood,
} from '../search/search-issue.ts';
import { representationParameters } from '../search/search-request.ts';
import { type ConditionContext, parseCondition, unknownOf } from './parse-search-condition.ts';
import type { Circle, SearchCondition } from './search-condition.ts';

/** References to follow from the page's resources, or to them (R4, search.html#include). */
export interface DirectoryInclude {
  readonly direction: 'forward' | 'reverse';
  /** The type that has the reference. */
  readonly source: DirectoryType;
  readonly parameter: string;
  /** Only targets of this type. */
  readonly target?: string | undefined;
  /** Followed from included resources too. */
  readonly iterate: boolean;
}

/** Sort key of the results; equal ones keep their order in the publication. */
export type DirectorySort =
  | { readonly by: 'place' }
  | { readonly by: 'id' | 'lastUpdated' | 'name'; readonly descending: boolean }
  | { readonly by: 'distance'; readonly from: Circle };

export interface DirectoryQuery {
  readonly conditions: readonly SearchCondition[];
  /** Whether inactive resources are left out: unless the query asks by `active`, `status` or `_id`. */
  readonly listedOnly: boolean;
  readonly includes: readonly DirectoryInclude[];
  readonly sort: DirectorySort;
  /** Results on a page, 1 to 100. */
  readonly count: number;
  /** Whether matches of all pages are counted. */
  readonly countsAll: boolean;
  readonly selection: Selection;
  /** The parameters that were used, as `self` and the next page repeat them. */
  readonly used: readonly Parameter[];
  /** Names that mean nothing here. */
  readonly ignored: readonly string[];
}

interface Draft {
  readonly conditions: SearchCondition[];
  readonly includes: DirectoryInclude[];
  sort?: string;
  count?: number;
  summary?: Summary;
  elements?: readonly string[];
  total?: string;
  readonly used: Parameter[];
  readonly ignored: Set<string>;
  asksForUnlisted: boolean;
}

type Reader = (draft: Draft, value: string, type: DirectoryType, modifier: string) => SearchIssue | undefined;

const includeReader =
  (direction: DirectoryInclude['direction'], name: string): Reader =>
  (draft, value, type, modifier) =>
    keep(parseInclude(type, direction, value, modifier), (includes) => {
      draft.includes.push(...includes);
      draft.used.push([modifier === '' ? name : `${name}:${modifier}`, value]);
    });

const resultReaders: Readonly<Record<string, Reader>> = {
  _count: (draft, value) =>
    keep(parseCount(value), (count) => {
      draft.count = count;
      draft.used.push(['_count', String(count)]);
    }),
  _summary: (draft, value) =>
    keep(parseSummary(value), (summary) => {
      draft.summary = summary;
      draft.used.push(['_summary', summary]);
    }),
  _elements: (draft, value) =>
    keep(parseElements(value), (elements) => {
      draft.elements = elements;
      draft.used.push(['_elements', elements.join(',')]);
    }),
  _total: (draft, value) =>
    keep(parseTotal(value), () => {
      draft.total = value;
      draft.used.push(['_total', value]);
    }),
  _sort: (draft, value) => {
    draft.sort = value.trim();
    draft.used.push(['_sort', draft.sort]);
    return undefined;
  },
  _include: includeReader('forward', '_include'),
  _revinclude: includeReader('reverse', '_revinclude'),
};

/**
 * @param parameters decoded, in their order.
 * @param strict `Prefer: handling=strict`: a parameter that means nothing here is an issue (R4, search.html#errors).
 */
export function parseDirectoryQuery(
  type: DirectoryType,
  parameters: readonly Parameter[],
  { strict, ...context }: ConditionContext & { readonly strict: boolean },
):
  | { readonly kind: 'query'; readonly query: DirectoryQuery }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] } {
  const bounds = outOfBounds(parameters);
  if (bounds !== undefined) return { kind: 'invalid', issues: [bounds] };
  const draft: Draft = { conditions: [], includes: [], used: [], ignored: new Set(), asksForUnlisted: false };
  const issues: SearchIssue[] = [];
  const once = new Set<string>();
  for (const [name, value] of parameters) {
    if (representationParameters.includes(name) || value.trim() === '') continue;
    const [plain = '', modifier = ''] = name.split(':');
    if (Object.hasOwn(resultReaders, plain)) {
      if (!plain.includes('include') && once.has(plain)) {
        issues.push(invalid(`${plain} was sent more than once. Send it once.`));
        continue;
      }
      once.add(plain);
      const issue = resultReaders[plain]?.(draft, value, type, modifier);
      if (issue !== undefined) issues.push(issue);
      continue;
    }
    const read = parseCondition(type, name, value, context);
    if (read.kind === 'unknown') draft.ignored.add(name);
    else if (read.kind === 'rejected') issues.push(read.issue);
    else if (read.value !== undefined) {
      draft.conditions.push(read.value);
      draft.used.push([name, value]);
      if (['active', 'status', '_id'].includes(plain)) draft.asksForUnlisted = true;
    }
  }
  const sort = parseDirectorySort(type, draft);
  if (sort.kind === 'rejected') issues.push(sort.issue);
  if (draft.elements !== undefined && (draft.summary ?? 'false') !== 'false')
    issues.push(summaryBesideElements);
  if (strict) issues.push(...[...draft.ignored].map((name) => unknownOf(type, name)));
  if (issues.length > 0 || sort.kind === 'rejected') return { kind: 'invalid', issues };
  const {
    conditions,
    includes,
    used,
    asksForUnlisted,
    count = pageSizes.usual,
    summary = 'false',
    total,
  } = draft;
  return {
    kind: 'query',
    query: {
      conditions,
      listedOnly: !asksForUnlisted,
      includes,
      sort: sort.value,
      count: Math.max(1, count),
      countsAll: summary === 'count' || count === 0 || total === 'accurate' || total === 'estimate',
      selection: {
        summary: count === 0 ? 'count' : summary,
        ...(draft.elements !== undefined && draft.elements.length > 0 && { elements: draft.elements }),
      },
      used,
      ignored: [...draft.ignored],
    },
  };
}

/** Whether a name of a query is of a parameter that searches of the type have. */
export function hasDirectoryParameter(type: DirectoryType, sentName: string): boolean {
  const [name = ''] = sentName.split(/[:.]/, 1);
  const common = ['_id', '_lastUpdated', '_has'];
  return (
    Object.hasOwn(resultReaders, name) ||
    common.includes(name) ||
    directoryParameter(type, name) !== undefined
  );
}

function keep<Value>(read: ParameterReading<Value>, take: (value: Value) => void): SearchIssue | undefined {
  if (read.kind === 'rejected') return read.issue;
  take(read.value);
  return undefined;
}

/** The values of `_include` for a type: `Type:parameter` of each reference. */
export function includeValues(type: DirectoryType): readonly string[] {
  return directoryResource(type)
    .parameters.filter((parameter) => parameter.type === 'reference')
    .map(({ name }) => `${type}:${name}`);
}

/** The values of `_revinclude` for a type: the references of others that lead to it. */
export function reverseIncludeValues(type: DirectoryType): readonly string[] {
  return directoryTypes.flatMap((source) =>
    directoryResource(source)
      .parameters.filter(({ targets = [] }) => targets.includes(type))
      .map(({ name }) => `${source}:${name}`),
  );
}

/** `Type:parameter`, `Type:parameter:target`; forward also `Type:*` and `*`. With `:iterate`, `Type` may be any. */
function parseInclude(
  type: DirectoryType,
  direction: DirectoryInclude['direction'],
  value: string,
  modifier: string,
): ParameterReading<readonly DirectoryInclude[]> {
  const name = direction === 'forward' ? '_include' : '_revinclude';
  if (modifier !== '' && modifier !== 'iterate') {
    return rejected(
      notSupported(`The modifier ${printable(modifier)} is not supported for ${name}. It has iterate.`),
    );
  }
  const iterate = modifier === 'iterate';
  const forward = direction === 'forward';
  const [source = '', parameter = '', target, ...more] =
    forward && value === '*' ? [type, '*'] : value.split(':');
  const known = iterate
    ? directoryTypes.flatMap(includeValues)
    : forward
      ? includeValues(type)
      : reverseIncludeValues(type);
  if (
    forward &&
    parameter === '*' &&
    target === undefined &&
    isDirectoryType(source) &&
    (iterate || source === type)
  ) {
    return understood(
      includeValues(source).map((each) => ({
        direction,
        source,
        parameter: each.split(':')[1] ?? '',
        iterate,
      })),
    );
  }
  if (
    !isDirectoryType(source) ||
    !known.includes(`${source}:${parameter}`) ||
    target === '' ||
    more.length > 0
  ) {
    const list = known.length === 0 ? 'none' : known.join(', ');
    return rejected(notSupported(`${name} of ${type} must be one of ${list}, not ${printable(value)}.`));
  }
  return understood([{ direction, source, parameter, target, iterate }]);
}

function parseDirectorySort(
  type: DirectoryType,
  { sort, conditions }: Draft,
): ParameterReading<DirectorySort> {
  const near = conditions.find((condition) => condition.kind === 'near');
  const from = near?.anyOf[0];
  if (sort === undefined || sort === '') {
    return understood(from === undefined ? { by: 'place' } : { by: 'distance', from });
  }
  const named =
    type === 'Practitioner'
      ? ['family', 'name']
      : directoryResource(type).sortedBy !== undefined
        ? ['name']
        : [];
  const names = ['_id', '_lastUpdated', ...named, ...(from === undefined ? [] : ['near'])];
  const name = sort.replace(/^-/, '');
  const descending = sort.startsWith('-');
  if (name === 'near' && from !== undefined && !descending) return understood({ by: 'distance', from });
  const by = { _id: 'id', _lastUpdated: 'lastUpdated', name: 'name', family: 'name' }[name] as
    | 'id'
    | 'lastUpdated'
    | 'name'
    | undefined;
  if (by === undefined || !names.includes(name)) {
    return rejected(
      notSupported(
        `_sort of ${type} must be one of ${names.join(', ')}, with - before it for descending order, not ${printable(sort)}.`,
      ),
    );
  }
  return understood({ by, descending });
}
