/** Products of drops: the subject of a drop's rows, and the rules that depend on it. */
import { isDirectoryType } from '../../catalog/fhir/directory-types.ts';
import { isPatientAccessType } from '../../catalog/fhir/fhir-resources.ts';
import { changeRowType, changeWave, loadTypes } from './load-types.ts';

/**
 * `members`: members' records. `directory`: the Provider Directory of the line of business. `received`: resources of members that another
 * payer sent.
 */
export const loadProducts = ['members', 'directory', 'received'] as const;
export type LoadProduct = (typeof loadProducts)[number];
/** The products whose rows belong to members' records. */
export type RecordProduct = Exclude<LoadProduct, 'directory'>;

/** Rules by which products differ. */
interface ProductRules {
  /** Whether a drop may have a file of this type, beside rows that change what is stored. */
  readonly holds: (type: string) => boolean;
  /** Whether a reconciled load sets the freshness clock of its source. Other payers send when they are asked. */
  readonly hasClock: boolean;
  /** Percentage of rejected rows that is tolerated, in place of that of the line of business. */
  readonly toleratedPercent?: number;
  /** The step that follows a reconciled load. */
  readonly followUp: 'build-directory' | 'none';
}

const isRecordType = (type: string) => isPatientAccessType(type) && type in loadTypes;

export const productRules: Readonly<Record<LoadProduct, ProductRules>> = {
  members: { holds: isRecordType, hasClock: true, followUp: 'none' },
  directory: { holds: isDirectoryType, hasClock: false, followUp: 'build-directory' },
  received: {
    // The plan alone says who its members are.
    holds: (type) => type !== 'Patient' && isRecordType(type),
    hasClock: false,
    // The faults are another payer's: the plan can't correct them, and the other rows are good.
    toleratedPercent: 100,
    followUp: 'none',
  },
};

/** Whether a drop of the product may have a file of this type. */
export function isLoadedType(product: LoadProduct, type: string): boolean {
  return type === changeRowType || productRules[product].holds(type);
}

/**
 * The wave in which a file's ranges are loaded. All types of a directory are loaded in one wave, because the directory build checks their
 * references.
 */
export function waveOf(product: LoadProduct, type: string): number {
  if (product === 'directory') return type === changeRowType ? changeWave : 0;
  return loadTypes[type]?.wave ?? changeWave;
}
