/** Values of a portal form by field name: makes them the request body, and finds the field that an error's JSON pointer names. */

/**
 * Values of a form's fields, by the field's name: its path in the request, with dots (`primaryContact.email`,
 * `loginRedirectUris.0`).
 */
export type FieldValue = string | boolean | readonly string[];
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** The names of a request's fields, as a form calls them. */
export type FieldName<Request> = Request extends unknown
  ? {
      [K in keyof Request & string]: NonNullable<Request[K]> extends readonly unknown[]
        ? K | `${K}.${number}`
        : NonNullable<Request[K]> extends object
          ? `${K}.${FieldName<NonNullable<Request[K]>>}`
          : K;
    }[keyof Request & string]
  : never;

type Tree = { [name: string]: unknown };

/** The request the fields make. An empty text is no value: whether one is needed is the schema's to say. */
export function requestOf(values: FieldValues): Tree {
  const request: Tree = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === '') continue;
    put(request, name.split('.'), value);
  }
  return listsOf(request) as Tree;
}

function put(tree: Tree, [head = '', ...rest]: readonly string[], value: FieldValue): void {
  if (rest.length === 0) {
    tree[head] = value;
    return;
  }
  const below = (tree[head] ?? {}) as Tree;
  tree[head] = below;
  put(below, rest, value);
}

/** Objects whose names are all numbers are lists, without the gaps that empty fields leave. */
function listsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, it]) => [name, listsOf(it)] as const);
  if (entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name))) return entries.map(([, it]) => it);
  return Object.fromEntries(entries);
}

/** The field a JSON pointer (RFC 6901) names. */
export function fieldOfPointer(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
