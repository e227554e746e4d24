/** The three interface families: the path of each on a LOB's host, and who calls it. */

/**
 * Credentials of a call that is not for metadata or discovery.
 * - `member`: a bearer token a member consented to, with a subscription key.
 * - `backend`: a bearer token of the client credentials grant, with a subscription key.
 * - `key`: a subscription key alone.
 */
export type InterfaceCaller = 'member' | 'backend' | 'key';

interface InterfaceFamily {
  readonly name: string;
  /** Path on a LOB's host. */
  readonly basePath: string;
  /** Compartment a call reaches: the token's patient's, those of a group of members, or public ones about nobody. */
  readonly compartment: 'patient' | 'group' | 'public';
  readonly caller: InterfaceCaller;
}

/**
 * Paths and callers of the interfaces, without the resource types they serve (`interfaces.ts`): the authorizer and the token functions need
 * no more, and do not load the rest. Source: docs/service.md S1.2, S5.5 to S5.8.
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

/** The caller of a gateway resource path. A path of no interface needs the strictest credentials. */
export function callerOfPath(path: string): InterfaceCaller {
  const name = interfaceNames.find((each) => path.startsWith(`${interfaceFamilies[each].basePath}/`));
  return name === undefined ? 'member' : interfaceFamilies[name].caller;
}
