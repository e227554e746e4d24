/** Converts form values to a request body, and JSON Pointers of errors to field names. */

/** A value of a form field. A field's name is its path in the request, with dots (`primaryContact.email`, `loginRedirectUris.0`). */
export type FieldValue = string | boolean | readonly string[];
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** The field names of a request. */
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

/** Makes the request body from the values. Leaves out empty texts, so that the schema reports missing values. */
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

/** Converts objects whose keys are all numbers to arrays, without the gaps of empty fields. */
function listsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, it]) => [name, listsOf(it)] as const);
  if (entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name))) return entries.map(([, it]) => it);
  return Object.fromEntries(entries);
}

/** The field name of a JSON Pointer (RFC 6901). */
export function fieldOfPointer(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
