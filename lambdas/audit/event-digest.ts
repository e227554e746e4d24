/** SHA-256 of a text's UTF-8, hex. */
export type Sha256 = (text: string) => string;

/** A stored event as plain values, whatever they are: what an attacker adds is part of it too. */
export type StoredEvent = Readonly<Record<string, unknown>>;

/** The attribute that holds an event's own digest, and so is no part of it. */
const digestAttribute = 'digest';

/** Digest of a whole event, keys included: the same whatever the order its attributes come in. */
export function eventDigest(event: StoredEvent, sha256: Sha256): string {
  const { [digestAttribute]: _own, ...rest } = event;
  return sha256(canonicalJson(rest));
}

/** JSON with the members in the order of their names (as RFC 8785 orders them), and without undefined ones. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
