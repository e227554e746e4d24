import canonicalize from 'canonicalize';

/** JSON in canonical form (RFC 8785): equal values have the same text, and so the same digest. */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? 'null';
}
