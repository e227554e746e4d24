import type { PublicationBucket } from '../publication/publication-bucket-port.ts';
import { nppesKey, packedNpis } from './nppes-contract.ts';

/** Reads the NPIs of the NPPES file that an operator uploaded; undefined if there is none. */
export async function readKnownNpis(
  bucket: Pick<PublicationBucket, 'readBytes'>,
): Promise<{ has(npi: string): boolean } | undefined> {
  const packed = await bucket.readBytes(nppesKey);
  return packed && packedNpis(packed);
}
