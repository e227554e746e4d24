/** Search parameters in the OpenAPI document and the documentation. */

import {
  type PatientAccessType,
  pageSizes,
  recordSearchParameters,
  type SearchParameter,
  servedResource,
} from '../../../lambdas/catalog/fhir/fhir-resources.ts';

/** A query parameter as the documentation describes it. */
export interface QueryParameter {
  readonly name: string;
  /** Description of the parameter. */
  readonly words: string;
  /** Value to send when the documented requests are run. */
  readonly example?: string;
}

const examples: Readonly<Record<string, string>> = {
  'ExplanationOfBenefit service-date': 'ge2016-01-01',
};

function described(
  type: PatientAccessType,
  { name, type: kind, documentation }: SearchParameter,
): QueryParameter {
  const example = examples[`${type} ${name}`];
  return { name, words: `${documentation} (${kind}).`, ...(example !== undefined && { example }) };
}

const countOf = (usual: number, most: number): QueryParameter => ({
  name: '_count',
  words: `Results on a page: ${usual} by default, at most ${most}; 0 requests the number only.`,
  example: '10',
});
export const count = countOf(pageSizes.usual, pageSizes.most);
export const elements: QueryParameter = {
  name: '_elements',
  words: 'Elements to return, separated by commas; mandatory elements are always included.',
};
export const cursor: QueryParameter = {
  name: '_cursor',
  words: 'Position of the next page, from the `next` link. Use the link unchanged.',
};

function include(type: PatientAccessType): readonly QueryParameter[] {
  const { includes } = servedResource(type);
  const values = [...includes, '*'].map((each) => `\`${type}:${each}\``);
  // Prefers the provider for the example, because readers have already read the member's Patient.
  const [first] = [...includes].sort(
    (one, other) => Number(other === 'provider') - Number(one === 'provider'),
  );
  return first === undefined
    ? []
    : [
        {
          name: '_include',
          words: `Resources referenced by the results, included if the scope allows reading them: ${values.join(', ')}. May be repeated.`,
          example: `${type}:${first}`,
        },
      ];
}

function revInclude(type: PatientAccessType): readonly QueryParameter[] {
  const { revIncludes } = servedResource(type);
  if (revIncludes.length === 0) return [];
  const values = revIncludes.map((each) => `\`${each}\``).join(', ');
  return [
    {
      name: '_revinclude',
      words: `Resources that refer to the results, included if the scope allows reading them: ${values}.`,
    },
  ];
}

/** Result parameters of searches, without `_format`. */
export function resultParametersOf(type: PatientAccessType): readonly QueryParameter[] {
  const dates = servedResource(type).searchParameters.filter(({ type: kind }) => kind === 'date');
  const sortable = ['_id', '_lastUpdated', ...dates.map(({ name }) => name)].map((name) => `\`${name}\``);
  const { newestBy = '_lastUpdated', firstBy } = servedResource(type);
  const first = firstBy === undefined ? '' : `\`${firstBy.parameter}\` \`${firstBy.code}\` first, then `;
  return [
    ...include(type),
    ...revInclude(type),
    count,
    {
      name: '_sort',
      words: `The order: ${sortable.join(', ')}, with \`-\` in front for descending order. By default ${first}\`-${newestBy}\`.`,
    },
    {
      name: '_summary',
      words: '`true`: the main elements. `count`: the number only. `text`, `data`, `false` as in FHIR.',
    },
    elements,
    {
      name: '_total',
      words: '`none`, `estimate` or `accurate`: the number of matches is always exact.',
    },
    cursor,
  ];
}

/** Parameters of a read, without `_format`. */
export const readParameters: readonly QueryParameter[] = [
  {
    name: '_summary',
    words: '`true` returns the main elements. `text`, `data` and `false` work as in FHIR.',
  },
  elements,
];

/** Lists the search parameters that select resources of a type. */
export function criteriaOf(type: PatientAccessType): readonly SearchParameter[] {
  return [...recordSearchParameters, ...servedResource(type).searchParameters];
}

/** Lists all parameters of a search for a type, without `_format`. */
export function searchParametersOf(type: PatientAccessType): readonly QueryParameter[] {
  return [...criteriaOf(type).map((parameter) => described(type, parameter)), ...resultParametersOf(type)];
}

/** Parameters of `DocumentReference/$docref`, without `_format`. */
export const docrefParameters: readonly QueryParameter[] = [
  { name: 'patient', words: 'The ID of the member’s Patient. Required.' },
  { name: 'start', words: 'Only documents of care on this date or later (dateTime).' },
  {
    name: 'end',
    words:
      'Only documents of care on this date or earlier (dateTime). Without `start` and `end`, the latest of each type.',
  },
  { name: 'type', words: 'Type of document, as `system|code`. May be repeated: documents of any of them.' },
  {
    name: 'on-demand',
    words: '`true`: only documents made on demand. None are made, so the result is empty.',
  },
  { name: 'profile', words: 'Profile of the DocumentReference: the one of US Core.' },
  count,
  cursor,
];

/** Parameters of `Patient/{id}/$everything`, without `_format`. */
export const everythingParameters: readonly QueryParameter[] = [
  {
    name: '_type',
    words:
      'Types to return, separated by commas; by default all that the scope allows. A type without resources returns none.',
  },
  {
    name: 'start',
    words: 'Only care on this date or later. Resources without dates of care are always returned (date).',
  },
  { name: 'end', words: 'Only care on this date or earlier (date).' },
  {
    name: '_since',
    words: 'Only resources that the plan changed at this time (instant) or later, by `meta.lastUpdated`.',
  },
  countOf(pageSizes.everything, pageSizes.everything),
  cursor,
];
