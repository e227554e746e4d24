/** The three interfaces: the path of each on a LOB's host, and its callers. */

import { type LineOfBusiness, linesOfBusiness } from './lines-of-business.ts';

/**
 * Credentials that a call needs, except for metadata and discovery. `member`: a bearer token that a member consented to, and a subscription
 * key. `backend`: a bearer token of the client credentials grant, and a subscription key. `key`: a subscription key alone.
 */
export type InterfaceCaller = 'member' | 'backend' | 'key';

interface InterfaceFamily {
  readonly name: string;
  /** Path on a LOB's host. */
  readonly basePath: string;
  /** Compartment that a call reaches: that of the token's patient, those of a group of members, or public data. */
  readonly compartment: 'patient' | 'group' | 'public';
  readonly caller: InterfaceCaller;
}

/**
 * Paths and callers of the interfaces. Their resource types are in `interfaces.ts`, which the authorizer, the token functions and
 * the portal's pages do not need to load. Source: docs/service.md S1.2, S5.5 to S5.8.
 */
export const interfaceFamilies = {
  'patient-access': {
    name: 'Patient Access',
    basePath: '/extfhirpatientaccess/v1',
    compartment: 'patient',
    caller: 'member',
  },
  'payer-access': {
    name: 'Payer Access',
    basePath: '/extfhirpayeraccess/v1',
    compartment: 'group',
    caller: 'backend',
  },
  'provider-directory': {
    name: 'Provider Directory',
    basePath: '/extfhirproviderdir/v1',
    compartment: 'public',
    caller: 'key',
  },
} as const satisfies Readonly<Record<string, InterfaceFamily>>;

export type Interface = keyof typeof interfaceFamilies;

export const interfaceNames = Object.keys(interfaceFamilies) as readonly Interface[];

/** Whether a LOB offers an interface. All LOBs offer all three, except that MHBE has no Provider Directory (docs/service.md S1.3). */
export function offers(lob: LineOfBusiness, name: Interface): boolean {
  return name !== 'provider-directory' || linesOfBusiness[lob].providerDirectory;
}

/** The credentials that a resource path of API Gateway needs. A path of no interface needs the strictest. */
export function callerOfPath(path: string): InterfaceCaller {
  const name = interfaceNames.find((each) => path.startsWith(`${interfaceFamilies[each].basePath}/`));
  return name === undefined ? 'member' : interfaceFamilies[name].caller;
}
