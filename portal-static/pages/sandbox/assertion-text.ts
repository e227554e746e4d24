/** A client assertion as text. */

/** Decodes an assertion's header and claims for display; undefined if the text is not an assertion. */
export function readAssertion(
  assertion: string,
): { readonly header: unknown; readonly claims: unknown } | undefined {
  const [header, claims] = assertion.split('.').map((part) => {
    try {
      return JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/'))) as unknown;
    } catch {
      return undefined;
    }
  });
  return header === undefined || claims === undefined ? undefined : { header, claims };
}
