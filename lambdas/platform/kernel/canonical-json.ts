import canonicalize from 'canonicalize';

/** JSON in canonical form (RFC 8785): the same values have the same text, so that a digest of it binds them. */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? 'null';
}
