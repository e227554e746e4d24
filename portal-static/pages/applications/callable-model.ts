/** The interfaces that a selection of products and LOBs lets an application call. */

import { type Interface, interfaceFamilies, offers } from '../../../lambdas/catalog/interface-families.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';

/** An interface and the LOBs on whose hosts the application can call it. */
export interface CallableInterface {
  readonly product: Interface;
  readonly lobs: readonly LineOfBusiness[];
}

/** Lists the selected interfaces, each with the selected LOBs that offer it. */
export function callableInterfaces(
  products: readonly string[],
  lobs: readonly string[],
): readonly CallableInterface[] {
  return (Object.keys(interfaceFamilies) as Interface[])
    .filter((product) => products.includes(product))
    .map((product) => ({
      product,
      lobs: lineOfBusinessCodes.filter((lob) => lobs.includes(lob) && offers(lob, product)),
    }));
}

/** Summarizes in a sentence how many hosts and interfaces the selection allows to call. */
export function callableSummary(products: readonly string[], lobs: readonly string[]): string {
  const open = callableInterfaces(products, lobs).reduce((sum, each) => sum + each.lobs.length, 0);
  if (open === 0) return 'Choose at least one product and one line of business.';
  const lacking = products.includes('provider-directory') && lobs.includes('MHBE');
  const count = open === 1 ? '1 interface' : `${open} interfaces`;
  return `This application can call ${count}.${lacking ? ' MHBE has no Provider Directory.' : ''}`;
}
