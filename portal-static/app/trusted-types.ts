/**
 * Trusted Types: the portal's policy lets no text become a script, its address or markup, but what passes here
 * (`require-trusted-types-for 'script'`). Browsers without Trusted Types take the text itself.
 *
 * @see https://www.w3.org/TR/trusted-types/
 */

interface TrustedTypePolicy {
  createScriptURL(address: string): string;
}
interface Rules {
  readonly createHTML?: (markup: string) => string | null;
  readonly createScriptURL?: (address: string) => string | null;
}
const { trustedTypes } = globalThis as {
  readonly trustedTypes?: { createPolicy(name: string, rules: Rules): TrustedTypePolicy };
};

/** A file of the build's, of this host. */
const ownScript = /^\/assets\/[\w-]+\.js$/;
/** Throws (in the browser) for any other address. */
const policy = trustedTypes?.createPolicy('portal', {
  createScriptURL: (address) => (ownScript.test(address) ? address : null),
});

/** The address of a script or worker of the build's, as the browser takes it. */
export function scriptAddress(address: string): string {
  return policy?.createScriptURL(address) ?? address;
}

/** HTML that Markdown may become: elements without attributes, and links to pages. */
const markdownMarkup =
  /^(?:[^<]|<\/?(?:p|br|hr|code|pre|em|strong|i|b|ul|ol|li|h[1-6]|blockquote|table|thead|tbody|tr|th|td) ?\/?>|<a href="(?:https?:\/\/|\/|#)[^"<>]*"(?: (?:rel|target|title)="[^"<>]*")*>|<\/a>)*$/;

export function isMarkdownMarkup(markup: string): boolean {
  return markdownMarkup.test(markup);
}

let isDefaultMade = false;

/**
 * Swagger UI hands the browser markup as text: descriptions of our document, after its Markdown reader and DOMPurify. From here on
 * such text passes where it is nothing but Markdown's elements; anything else is refused, as on every other page.
 */
export function allowMarkdownMarkup(): void {
  if (isDefaultMade) return;
  isDefaultMade = true;
  trustedTypes?.createPolicy('default', {
    createHTML: (markup) => (isMarkdownMarkup(markup) ? markup : null),
  });
}
