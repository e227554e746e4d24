import {
  commonSearchParameters,
  type PatientAccessType,
  pageSizes,
  type SearchParameter,
  servedResource,
} from '../../../lambdas/catalog/fhir-resources.ts';

/** A parameter of a search as a developer reads of it. */
export interface QueryParameter {
  readonly name: string;
  /** What it does. */
  readonly words: string;
  /** A value that is sent where the documents are run. */
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

export const countParameter: QueryParameter = {
  name: '_count',
  words: `Results on a page: ${pageSizes.usual} where it isn’t sent, at most ${pageSizes.most}.`,
  example: '10',
};
const cursorParameter: QueryParameter = {
  name: '_cursor',
  words: 'Where the next page begins. It comes in the `next` link, which is used as it is.',
};

/** What a search of the type takes, beside `_format`. */
export function searchParametersOf(type: PatientAccessType): readonly QueryParameter[] {
  const { searchParameters, includes } = servedResource(type);
  const include: QueryParameter = {
    name: '_include',
    words: `Resources the results name, sent with them: ${includes.map((each) => `\`${type}:${each}\``).join(', ')}.`,
    example: `${type}:${includes.find((each) => each === 'provider') ?? includes[0]}`,
  };
  return [
    ...[...commonSearchParameters, ...searchParameters].map((parameter) => described(type, parameter)),
    ...(includes.length > 0 ? [include] : []),
    countParameter,
    cursorParameter,
  ];
}

/** What `Patient/{id}/$everything` takes. */
export const everythingParameters: readonly QueryParameter[] = [
  { name: '_type', words: 'Types to send, between commas; all the scope allows where it isn’t sent.' },
  { name: '_since', words: 'Only what has changed since this time (instant).' },
  countParameter,
  cursorParameter,
];
