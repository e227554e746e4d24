/** Tells public from private IP addresses, for calls to addresses that others choose. */

import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * IPv4 networks that are not the public internet's: IANA IPv4 Special-Purpose Address Registry, with multicast and what is
 * reserved. 169.254.0.0/16 holds the addresses at which a cloud gives out its credentials.
 */
const notPublicIpv4 = new BlockList();
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [address = '', prefix] = network.split('/');
  notPublicIpv4.addSubnet(address, Number(prefix), 'ipv4');
}

/** All of IPv6 that is public lies in 2000::/3; mapped, translated, unique local and link-local addresses lie outside. */
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');
/** Within it: protocol assignments and Teredo, 6to4 (either may carry an IPv4 address), documentation. */
const specialIpv6 = new BlockList();
specialIpv6.addSubnet('2001::', 23, 'ipv6');
specialIpv6.addSubnet('2001:db8::', 32, 'ipv6');
specialIpv6.addSubnet('2002::', 16, 'ipv6');
specialIpv6.addSubnet('3fff::', 20, 'ipv6');

/** Whether an address is on the public internet, where no system of this service or of its cloud listens. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicIpv4.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}
