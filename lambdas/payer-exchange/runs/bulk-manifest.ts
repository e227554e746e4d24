/** Reads the manifest of an asynchronous request (Bulk Data Access IG 2.0.0, "Response - Complete Status"). */

import { isFhirInstant } from '../../catalog/fhir/fhir-instant.ts';
import { jsonEntries, jsonMember, jsonValue } from '../../platform/kernel/json-members.ts';

export interface BulkManifestFile {
  readonly url: string;
  readonly type: string;
  readonly withToken: boolean;
}

export type BulkManifestReading =
  | {
      readonly kind: 'manifest';
      readonly transactionTime: string;
      readonly output: readonly BulkManifestFile[];
    }
  | { readonly kind: 'refused'; readonly reason: 'manifest_invalid' | 'file_elsewhere' };

/**
 * Reads a manifest.
 *
 * @param base the payer's FHIR base. A file that needs the token must be at the same origin: the token goes nowhere else.
 */
export function readBulkManifest(text: string, base: string): BulkManifestReading {
  const value = jsonValue(text);
  const transactionTime = jsonMember(value, 'transactionTime');
  const output = jsonMember(value, 'output');
  if (typeof transactionTime !== 'string' || !isFhirInstant(transactionTime) || !Array.isArray(output)) {
    return { kind: 'refused', reason: 'manifest_invalid' };
  }
  const withToken = jsonMember(value, 'requiresAccessToken') !== false;
  const files: BulkManifestFile[] = [];
  for (const each of jsonEntries(output)) {
    const [url, type] = [jsonMember(each, 'url'), jsonMember(each, 'type')];
    if (typeof url !== 'string' || !URL.canParse(url) || typeof type !== 'string') {
      return { kind: 'refused', reason: 'manifest_invalid' };
    }
    if (withToken && new URL(url).origin !== new URL(base).origin) {
      return { kind: 'refused', reason: 'file_elsewhere' };
    }
    files.push({ url, type, withToken });
  }
  return { kind: 'manifest', transactionTime, output: files };
}
