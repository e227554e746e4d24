/** The query of `GET /api/applications/{applicationId}/calls/{environment}`. */

import {
  type CallFilter,
  type CallPosition,
  callFilter,
} from '../../clients/provisioning/provisioning-contract.ts';

export const callsPage = { default: 50, maximum: 200 } as const;

export interface CallsQuery {
  /** Position in the list that the page continues from. */
  readonly before?: CallPosition;
  readonly limit: number;
  /** Milliseconds since 1970, inclusive. */
  readonly from?: number;
  /** Milliseconds since 1970, exclusive. */
  readonly to?: number;
  readonly filter: CallFilter;
}

interface Parameter {
  /** The expected value, in words. */
  readonly expected: string;
  /** Reads the text; undefined if it is not the expected value. */
  readonly read: (text: string) => unknown;
}

/** The form of a cursor: `<milliseconds since 1970>.<request ID>` of the last call on a page. */
const cursorForm = /^(\d{1,15})\.([\w.=-]{1,128})$/;
/** A time with its zone, as ISO 8601 has it. */
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

const time: Parameter = {
  expected: 'a time with its zone, like 2026-11-27T09:00:00Z',
  read: (text) => (timeForm.test(text) ? definite(Date.parse(text)) : undefined),
};

/** A query parameter of the log of calls. Its values are checked by the schema that `provisioning` uses for the same filter. */
function filterParameter(name: keyof CallFilter, expected: string, parse: (text: string) => unknown) {
  const read = (text: string) => {
    const parsed = callFilter.safeParse({ [name]: parse(text) });
    return parsed.success ? parsed.data[name] : undefined;
  };
  return { expected, read } satisfies Parameter;
}

const same = (text: string) => text;

const filterParameters = {
  lob: filterParameter('lob', 'the code of a line of business, like DSNP', same),
  outcome: filterParameter('outcome', '`succeeded` or `refused`', same),
  status: filterParameter('status', 'an HTTP status from 100 to 599', numberOf),
  path: filterParameter('path', 'up to 100 letters, digits, or signs of a path, like Patient/{id}', same),
  requestId: filterParameter('requestId', 'the request ID of a call', same),
} as const satisfies Record<keyof CallFilter, Parameter>;

const parameters: Readonly<Record<string, Parameter>> = {
  next: { expected: 'the `next` of a page', read: positionOf },
  limit: {
    expected: `a whole number from 1 to ${callsPage.maximum}`,
    read: (text) => {
      const limit = numberOf(text);
      return limit >= 1 && limit <= callsPage.maximum ? limit : undefined;
    },
  },
  from: time,
  to: time,
  ...filterParameters,
};

/** Reads the query. `errors` has the names and expected values of the parameters that are wrong. An empty parameter counts as absent. */
export function readCallsQuery(query: Readonly<Record<string, string | undefined>>):
  | { readonly kind: 'query'; readonly query: CallsQuery }
  | {
      readonly kind: 'wrong';
      readonly errors: readonly { readonly name: string; readonly expected: string }[];
    } {
  const values: Record<string, unknown> = {};
  const errors: { name: string; expected: string }[] = [];
  for (const [name, { expected, read }] of Object.entries(parameters)) {
    const text = query[name];
    if (text === undefined || text === '') continue;
    const value = read(text);
    if (value === undefined) errors.push({ name, expected });
    else values[name] = value;
  }
  const { next, limit = callsPage.default, from, to, ...filter } = values;
  if (Number(from) > Number(to)) errors.push({ name: 'from', expected: 'a time before `to`' });
  if (errors.length > 0) return { kind: 'wrong', errors };
  const read = { limit, filter, ...given({ before: next, from, to }) };
  return { kind: 'query', query: read as CallsQuery };
}

function given(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function positionOf(cursor: string): CallPosition | undefined {
  const [, at, requestId] = cursorForm.exec(cursor) ?? [];
  return at === undefined || requestId === undefined ? undefined : { time: Number(at), requestId };
}

function numberOf(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function definite(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
