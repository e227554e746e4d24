/** Distinguishes public from private IP addresses, for calls to addresses that others choose. */

import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * IPv4 networks outside the public internet: the IANA IPv4 Special-Purpose Address Registry, multicast and reserved networks.
 * 169.254.0.0/16 has the addresses from which a cloud hands out credentials.
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

/** 2000::/3, which contains all public IPv6 addresses. Mapped, translated, unique local and link-local addresses are outside. */
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');
/**
 * Networks within 2000::/3 that are not public: protocol assignments and Teredo, 6to4 (both may contain an IPv4 address), documentation.
 */
const specialIpv6 = new BlockList();
specialIpv6.addSubnet('2001::', 23, 'ipv6');
specialIpv6.addSubnet('2001:db8::', 32, 'ipv6');
specialIpv6.addSubnet('2002::', 16, 'ipv6');
specialIpv6.addSubnet('3fff::', 20, 'ipv6');

/** Whether an address is on the public internet, and so not a system of this service or its cloud. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicIpv4.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}
