import { createHash } from 'node:crypto';

/** The namespace of DNS names (RFC 9562 section 6.6). */
export const dnsNamespace = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

/** Makes the UUID of a name in a namespace, version 5 (RFC 9562 section 5.5): always the same for the same name. */
export function nameUuid(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
