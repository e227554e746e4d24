/**
 * The address that a string of a FHIR response leads to, where it is below the base: a literal reference, a full URL or a link of a Bundle.
 *
 * @param name of the member that holds the string. @param base of the interface, without trailing slash.
 */
export function addressOf(name: string | undefined, value: string, base: string): string | undefined {
  if (value.startsWith(`${base}/`) || value.startsWith(`${base}?`)) return value;
  const isReference = name === 'reference' && /^[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/.test(value);
  return isReference ? `${base}/${value}` : undefined;
}
