/** Names (`Type/id`) in references and addresses. */

/** The name of what a reference leads to, whatever its form: relative, absolute, or of a version. Another text as it is. */
export function localName(reference: string): string {
  return ending.exec(reference)?.[1] ?? reference;
}

const ending = /(?:^|\/)([A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64})(?:\/_history\/[^/]*)?\/?(?:[?#|].*)?$/;

/** Whether the JSON of a resource has one of the names anywhere; cheap, so that few resources are parsed. */
export function mayNameOneOf(json: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  // A string may be written with escapes (RFC 8259 section 7): such a resource is parsed.
  if (/\\[u/]/.test(json)) return true;
  for (const [, name = ''] of json.matchAll(anywhere)) if (names.has(name)) return true;
  return false;
}

/** Looks ahead, so that the name after another, as in `https://host/Base/Type/id`, is found too. */
const anywhere = /\b(?=([A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64}))/g;
