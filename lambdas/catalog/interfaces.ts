import { type LineOfBusiness, linesOfBusiness } from './lines-of-business.ts';

/**
 * The three interface families and the path each lives under on a LOB's host.
 * Source: service description, "What the service does", row 2, and "Endpoints".
 */
export const interfaces = {
  'patient-access': { name: 'Patient Access', basePath: '/extfhirpatientaccess/v1' },
  'payer-access': { name: 'Payer Access', basePath: '/extfhirpayeraccess/v1' },
  'provider-directory': { name: 'Provider Directory', basePath: '/extfhirproviderdir/v1' },
} as const;

export type Interface = keyof typeof interfaces;

export const interfaceNames = Object.keys(interfaces) as readonly Interface[];

/** Whether a LOB offers an interface: all offer all, but MHBE has no Provider Directory (row 4's table). */
export function offers(lob: LineOfBusiness, name: Interface): boolean {
  return name !== 'provider-directory' || linesOfBusiness[lob].providerDirectory;
}
