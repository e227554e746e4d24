/** Checks a certificate of AWS Certificate Manager for the hosts of a stage. */

import type { CloudAccount } from './account.ts';
import { type AccountFinding, ready, todo } from './account-finding.ts';
import type { NeededCertificate } from './needs.ts';

/** Remaining days of a certificate below which a renewal must have failed: ACM renews 60 days before. */
const certificateDays = 30;

/** Whether a certificate is there, issued, valid for a while, and names all its hosts. */
export async function findCertificate(
  { arn, hosts }: NeededCertificate,
  account: CloudAccount,
  now: Date,
): Promise<AccountFinding> {
  const certificate = await account.certificate(arn);
  if (certificate === undefined) {
    return todo(
      `There is no certificate ${arn}.`,
      `Request one in AWS Certificate Manager for ${hosts.join(', ')}, and set its ARN in lib/config/.`,
    );
  }
  const { status, names, expiresAt } = certificate;
  if (status !== 'ISSUED') {
    return todo(
      `The certificate ${arn} is not issued: ${status}.`,
      'Create the DNS records that AWS Certificate Manager shows for it, and wait until it is issued.',
    );
  }
  const missing = hosts.filter((host) => !names.some((name) => covers(name, host)));
  if (missing.length > 0) {
    return todo(
      `The certificate ${arn} does not name ${missing.join(', ')}.`,
      `Request another for all of ${hosts.join(', ')}, and set its ARN in lib/config/.`,
    );
  }
  const days = expiresAt === undefined ? certificateDays : (expiresAt.getTime() - now.getTime()) / 86_400_000;
  if (days < certificateDays) {
    return todo(
      `The certificate ${arn} ends in ${Math.floor(days)} days and was not renewed.`,
      'Restore the DNS records that validate it, or import a renewed one if it was imported.',
    );
  }
  return ready(`The certificate names all ${hosts.length} host(s).`);
}

/** Whether a name of a certificate covers a host. A `*` stands for one label (RFC 6125 section 6.4.3). */
function covers(name: string, host: string): boolean {
  return name === host || (name.startsWith('*.') && host.slice(host.indexOf('.')) === name.slice(1));
}
