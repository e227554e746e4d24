/** Products of drops: what the rows of one drop are about, with the types each may hold. */
import { isDirectoryType } from '../../catalog/fhir/directory-types.ts';
import { isPatientAccessType } from '../../catalog/fhir/fhir-resources.ts';
import { changeRowType, changeWave, loadTypes } from './load-types.ts';

/** `members`: members' records. `directory`: the Provider Directory of the line of business. */
export const loadProducts = ['members', 'directory'] as const;
export type LoadProduct = (typeof loadProducts)[number];

/** Whether a drop of the product may have a file of this type. */
export function isLoadedType(product: LoadProduct, type: string): boolean {
  if (type === changeRowType) return true;
  return product === 'directory' ? isDirectoryType(type) : isPatientAccessType(type) && type in loadTypes;
}

/** The wave of a file's ranges. References of a directory are checked by the build, so that its types need no order. */
export function waveOf(product: LoadProduct, type: string): number {
  if (product === 'directory') return type === changeRowType ? changeWave : 0;
  return loadTypes[type]?.wave ?? changeWave;
}
