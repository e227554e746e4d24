/** Passwords of members and developers, in one Unicode spelling before they go to Cognito. */

/**
 * One spelling of a password, whatever keyboard it was typed on: `é` is one character on one and two on another.
 *
 * @see https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver (section 3.1.1.2: NFKC or NFKD before hashing)
 */
export function normalizedPassword(typed: string): string {
  return typed.normalize('NFKC');
}

/**
 * Tries a password in its one spelling, and where that is refused as it was typed: it may have been set before spellings were made one, or
 * where nobody does. How many tries it takes depends on what was typed alone, and so is the same for names nobody has.
 */
export async function tryPassword<Result extends { readonly kind: string }>(
  typed: string,
  signIn: (password: string) => Promise<Result>,
): Promise<Result> {
  const password = normalizedPassword(typed);
  const result = await signIn(password);
  return result.kind === 'refused' && password !== typed ? await signIn(typed) : result;
}
