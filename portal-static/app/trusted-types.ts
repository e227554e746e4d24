/**
 * Trusted Types: the portal's policy lets no text become a script, its address or markup, but an address that passes here
 * (`require-trusted-types-for 'script'`). Browsers without Trusted Types take the text itself.
 *
 * @see https://www.w3.org/TR/trusted-types/
 */

interface TrustedTypePolicy {
  createScriptURL(address: string): string;
}
interface Rules {
  readonly createScriptURL: (address: string) => string | null;
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
