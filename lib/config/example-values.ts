/** Example values of the repository, which no deployed configuration may have. */

/** Account numbers of AWS's own documentation. */
const accounts: readonly string[] = ['111122223333', '123456789012', '444455556666', '777788889999'];

/** Domains nobody can have: RFC 2606. */
const domain = /(^|\.)(example|invalid|localhost|test|example\.(com|net|org))$/;

/**
 * Finds the values of a configuration that are still the repository's examples: they synthesize, and can't be deployed.
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
