/** Products by LOB, for the matrix on an application's page. */

import { type Interface, interfaceNames, offers } from '../../../lambdas/catalog/interface-families.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';

/**
 * A cell of the matrix, for one product in one LOB. `open`: the application can call it; `not-chosen`: it is not selected; `none`: the LOB
 * does not offer it.
 */
export type MatrixCell = 'open' | 'not-chosen' | 'none';

export interface MatrixRow {
  readonly lob: LineOfBusiness;
  readonly cells: Readonly<Record<Interface, MatrixCell>>;
}

export const cellWords: Readonly<Record<MatrixCell, string>> = {
  open: 'Yes',
  'not-chosen': 'Not chosen',
  none: 'Not offered',
};

/** Makes a row for each LOB, selected or not, so that developers see that a LOB has no Provider Directory before they select it. */
export function productMatrix(products: readonly string[], lobs: readonly string[]): readonly MatrixRow[] {
  return lineOfBusinessCodes.map((lob) => ({
    lob,
    cells: Object.fromEntries(
      interfaceNames.map((product) => [product, cell(lob, product, products, lobs)]),
    ) as Record<Interface, MatrixCell>,
  }));
}

function cell(
  lob: LineOfBusiness,
  product: Interface,
  products: readonly string[],
  lobs: readonly string[],
): MatrixCell {
  if (!offers(lob, product)) return 'none';
  return products.includes(product) && lobs.includes(lob) ? 'open' : 'not-chosen';
}

/** Summarizes in a sentence how many hosts and interfaces the selection allows to call. */
export function matrixSummary(products: readonly string[], lobs: readonly string[]): string {
  const open = productMatrix(products, lobs).flatMap(({ cells }) =>
    Object.values(cells).filter((one) => one === 'open'),
  ).length;
  if (open === 0) return 'Choose at least one product and one line of business.';
  const lacking = products.includes('provider-directory') && lobs.includes('MHBE');
  const count = open === 1 ? '1 interface' : `${open} interfaces`;
  return `This application can call ${count}.${lacking ? ' MHBE has no Provider Directory.' : ''}`;
}
