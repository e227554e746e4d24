export type FormTree = { [name: string]: string | FormTree | (string | FormTree)[] };

/**
 * Parses a form of the query protocol: `Destination.ToAddresses.member.1=a` becomes `{ Destination: { ToAddresses: ['a'] } }`. Source:
 * Smithy, "AWS query protocol", serialization of structures and lists.
 */
export function parseForm(body: string): FormTree {
  const tree: FormTree = Object.create(null);
  for (const [path, value] of new URLSearchParams(body)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let node = tree;
    for (const name of names) {
      const next = node[name];
      const inner: FormTree = typeof next === 'object' && !Array.isArray(next) ? next : Object.create(null);
      node[name] = inner;
      node = inner;
    }
    node[last] = value;
  }
  return withLists(tree) as FormTree;
}

/** Converts `{ member: { 1: a, 2: b } }` and `{ entry: { 1: … } }` to lists. */
function withLists(node: FormTree | string): FormTree | string | (string | FormTree)[] {
  if (typeof node === 'string') return node;
  const names = Object.keys(node);
  const [only] = names;
  const items = only === 'member' || only === 'entry' ? node[only] : undefined;
  if (names.length === 1 && typeof items === 'object' && !Array.isArray(items)) {
    return Object.entries(items)
      .sort(([left], [right]) => Number(left) - Number(right))
      .map(([, item]) => withLists(item as FormTree | string) as FormTree | string);
  }
  return Object.fromEntries(names.map((name) => [name, withLists(node[name] as FormTree | string)]));
}
