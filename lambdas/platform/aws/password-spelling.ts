/** Normalizes passwords of members and developers to one Unicode form before they are sent to Cognito. */

/**
 * The NFKC form of a password, which does not depend on the keyboard: `é` is one character on one keyboard and two on another.
 *
 * @see https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver (section 3.1.1.2: NFKC or NFKD before hashing)
 */
export function normalizedPassword(typed: string): string {
  return typed.normalize('NFKC');
}

/**
 * Tries a password in its normalized form and, if that is refused, as typed: it may have been set before passwords were normalized, or by
 * another system. The number of tries depends only on the typed password, so it does not reveal whether an account exists.
 */
export async function tryPassword<Result extends { readonly kind: string }>(
  typed: string,
  signIn: (password: string) => Promise<Result>,
): Promise<Result> {
  const password = normalizedPassword(typed);
  const result = await signIn(password);
  return result.kind === 'refused' && password !== typed ? await signIn(typed) : result;
}
