/** The weak entity tag of a resource's version (R4, http.html#versionid). */
export function entityTag(versionId: string): string {
  return `W/"${versionId}"`;
}

/**
 * Whether the client has this version already: `If-None-Match` contains its tag, or is `*` (RFC 9110 section 13.1.2). Comparison is weak:
 * `"3"` and `W/"3"` are the same.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, versionId: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag.replace(/^W\//, '') === `"${versionId}"`);
}
