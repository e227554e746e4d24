/** Products of drops: the subject of a drop's rows, and the resource types that each may contain. */
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

/**
 * The wave in which a file's ranges are loaded. All types of a directory are loaded in one wave, because the directory build checks their
 * references.
 */
export function waveOf(product: LoadProduct, type: string): number {
  if (product === 'directory') return type === changeRowType ? changeWave : 0;
  return loadTypes[type]?.wave ?? changeWave;
}
