/**
 * Block of addresses whose attempts are counted together: an IPv4 address by itself; for IPv6 the first 64 bits, which are assigned to one
 * subscriber (RFC 6177 section 2, RFC 8504 section 5.6).
 *
 * @param address as in API Gateway's `identity.sourceIp`.
 */
export function callerBlock(address: string): string {
  const isMapped = address.includes('.');
  if (isMapped || !address.includes(':')) return address.slice(address.lastIndexOf(':') + 1);
  const [before = '', after] = address.split('::');
  const groups = before === '' ? [] : before.split(':');
  const end = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : 8 - groups.length - end.length;
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...end];
  const first = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${first.join(':')}::/64`;
}
