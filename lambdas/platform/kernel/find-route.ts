/** A row of a table of routes. Tables add what they need: a name, a handler, who may call. */
export interface RouteRow {
  /** `GET`, `HEAD`, `POST` …; a path that answers several methods has a row for each. */
  readonly method: string;
  /** Path template (RFC 6570, level 1): `{name}` stands for one segment, any other segment for itself. */
  readonly path: string;
}

/** The row for a request, or why there is none. Each host words the two refusals in its own dialect. */
export type RouteResult<Row extends RouteRow> =
  | {
      readonly kind: 'matched';
      readonly route: Row;
      /** Percent-decoded values of the template's `{name}` segments. */
      readonly params: Readonly<Record<string, string>>;
    }
  /** 404 (RFC 9110 section 15.5.5). */
  | { readonly kind: 'not_found' }
  /** 405; `allowed` is for the `Allow` header (RFC 9110 section 15.5.6), in the table's order. */
  | { readonly kind: 'method_not_allowed'; readonly allowed: readonly Row['method'][] };

export type RouteFinder<Row extends RouteRow> = (method: string, path: string) => RouteResult<Row>;

/** Characters of a parameter's value. Longer ones match no template: no id of any store here is that long. */
const longestValue = 200;

/**
 * Compiles a table of routes into the function that finds a request's row. As in API Gateway, the most specific template decides: at each segment from the
 * left, fixed text goes before `{name}`. Letters count, and so does a slash at the end.
 *
 * @throws where two rows have the same method and match the same paths: one of them would never be reached.
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

/** The template with its parameters nameless: two templates of one shape match the same paths. */
function shapeOf(path: string): string {
  return path
    .split('/')
    .map((segment) => (parameterName.test(segment) ? '{}' : segment))
    .join('/');
}

/**
 * Orders templates of one length by where they have parameters: the later, the more specific. A number, because the first
 * `localeCompare` of a process loads ICU's collation, which is seven milliseconds of every cold start.
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

/** @returns undefined where the percent-encoding is broken or isn't UTF-8. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
