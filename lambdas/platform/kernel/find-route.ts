/** A row of a table of routes. Each table adds its own columns, such as a handler or the permitted caller. */
export interface RouteRow {
  /** `GET`, `HEAD`, `POST` …; a path with several methods has a row for each. */
  readonly method: string;
  /** Path template (RFC 6570, level 1): `{name}` matches any one segment, other segments match themselves. */
  readonly path: string;
}

/** The route of a request, or the reason why none matches; each host answers a reason with an error of its own. */
export type RouteResult<Row extends RouteRow> =
  | {
      readonly kind: 'matched';
      readonly route: Row;
      /** Percent-decoded values of the template's `{name}` segments. */
      readonly params: Readonly<Record<string, string>>;
    }
  /** The response is 404 (RFC 9110 section 15.5.5). */
  | { readonly kind: 'not_found' }
  /** 405; `allowed` is for the `Allow` header (RFC 9110 section 15.5.6), in the order of the table. */
  | { readonly kind: 'method_not_allowed'; readonly allowed: readonly Row['method'][] };

export type RouteFinder<Row extends RouteRow> = (method: string, path: string) => RouteResult<Row>;

/** Maximum characters of a parameter's value. A longer value matches no template: no ID in any store is that long. */
const longestValue = 200;

/**
 * Compiles a table of routes into a function that finds the row of a request. As in API Gateway, the most specific template wins: at each
 * segment from the left, fixed text goes before `{name}`. Case and a trailing slash matter.
 *
 * @throws Error if two rows have the same method and match the same paths, since one of them would never be reached.
 */
export function compileRoutes<Row extends RouteRow>(rows: readonly Row[]): RouteFinder<Row> {
  const templates = [...Map.groupBy(rows, ({ path }) => shapeOf(path))]
    .map(([shape, atPath]) => ({ segments: shape.split('/'), atPath }))
    .sort((one, other) => parameterBits(one.segments) - parameterBits(other.segments));
  for (const { atPath } of templates) rejectDuplicates(atPath);
  return (method, path) => {
    const segments = path.split('/');
    const found = templates.find((template) => matches(template.segments, segments));
    if (found === undefined) return { kind: 'not_found' };
    const route = found.atPath.find((row) => row.method === method);
    return route === undefined
      ? { kind: 'method_not_allowed', allowed: found.atPath.map((row) => row.method) }
      : { kind: 'matched', route, params: paramsOf(route.path, segments) };
  };
}

const parameterName = /^\{(\w+)\}$/;

/** The template without the names of its parameters. Templates that match the same paths have the same shape. */
function shapeOf(path: string): string {
  return path
    .split('/')
    .map((segment) => (parameterName.test(segment) ? '{}' : segment))
    .join('/');
}

/**
 * Rank of a template among those of equal length: the later its parameters, the more specific and the lower the number. A number, because
 * the first `localeCompare` of a process loads ICU's collation, which takes seven milliseconds of every cold start.
 */
function parameterBits(segments: readonly string[]): number {
  return segments.reduce((bits, segment) => bits * 2 + (segment === '{}' ? 1 : 0), 0);
}

function rejectDuplicates(atPath: readonly RouteRow[]): void {
  const methods = new Set<string>();
  for (const { method, path } of atPath) {
    if (methods.has(method)) throw new Error(`two routes for ${method} ${path}`);
    methods.add(method);
  }
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, at) => {
      const segment = segments[at] ?? '';
      return part === '{}' ? isValue(decoded(segment)) : part === segment;
    })
  );
}

function isValue(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value.length <= longestValue;
}

function paramsOf(path: string, segments: readonly string[]): Readonly<Record<string, string>> {
  const values = path.split('/').flatMap((part, at) => {
    const name = parameterName.exec(part)?.[1];
    return name === undefined ? [] : [[name, decoded(segments[at] ?? '') ?? ''] as const];
  });
  return Object.fromEntries(values);
}

/**
 * Percent-decodes a segment.
 *
 * @returns undefined if the encoding is malformed or not UTF-8.
 */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
