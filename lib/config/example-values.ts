/** Finds example values of this repository, which no deployed configuration may have. */

/** Account numbers that AWS's documentation uses. */
const accounts: readonly string[] = ['111122223333', '123456789012', '444455556666', '777788889999'];

/** Domains that nobody can own (RFC 2606). */
const domain = /(^|\.)(example|invalid|localhost|test|example\.(com|net|org))$/;

/**
 * Finds the values of a configuration that are still examples: they can be synthesized, but not deployed.
 *
 * @returns each as `field value`.
 */
export function exampleValues({
  account,
  ...names
}: { readonly account: string } & Readonly<Record<string, string>>): readonly string[] {
  return [
    ...(accounts.includes(account) ? [`account ${account}`] : []),
    ...Object.entries(names)
      .filter(([, name]) => domain.test(name))
      .map(([field, name]) => `${field} ${name}`),
  ];
}
