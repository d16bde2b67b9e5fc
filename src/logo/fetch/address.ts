import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Addresses in public ranges at which a cloud serves its own machines: Azure's "WireServer". Those of other clouds
 * (169.254.169.254, 100.100.100.200, 192.0.0.192, fd00:ec2::254) are in special ranges anyway.
 */
const CLOUD_INTERNAL = new Set(['168.63.129.16']);

/** Whether a name always means the machine itself, whatever a name server says (RFC 6761, 6.3). */
export const isLocalName = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);

const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** RFC 5214: an interface id of 0000:5efe or 0200:5efe carries an IPv4 address to which a host may tunnel. */
const isIsatap = (address: ipaddr.IPv6): boolean =>
  (address.parts[4] === 0 || address.parts[4] === 0x200) && address.parts[5] === 0x5efe;

/**
 * Whether an address, as text, belongs to the public internet: global unicast and in none of the IANA
 * special-purpose registries (loopback, private, link-local, carrier NAT, documentation, multicast, reserved,
 * and the IPv6 forms that carry an IPv4 address, whatever that address is). Returns false for any other text.
 */
export const isPublicAddress = (text: string): boolean => {
  if (!isIP(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST) && !isIsatap(address);
  return !CLOUD_INTERNAL.has(address.toString());
};
