/** Parses a drop's rows of the Provider Directory, by the directory's table of types. */

import { directoryResource } from '../../catalog/fhir/directory-resources.ts';
import { isDirectoryType } from '../../catalog/fhir/directory-types.ts';
import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import { profileFaults, structureFaults } from '../../fhir/validation/validate.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import type { NdjsonLine } from '../../platform/kernel/ndjson-lines.ts';
import { changeRowType } from '../ledger/load-types.ts';
import { type FhirJson, readReference, referencesIn } from './fhir-json.ts';
import { readLastUpdated } from './last-updated.ts';
import { type RejectedRow, rejectFaulty, rejectRow } from './reject-row.ts';
import { readContent, readHead } from './rows.ts';

/** A resource of the directory, or its withdrawal. */
export interface DirectoryRow extends ResourceName {
  readonly kind: 'resource' | 'withdrawal';
  readonly line: number;
  /** Empty for a withdrawal, which has no version. */
  readonly versionId: string;
  readonly lastUpdated: string;
  /** The unchanged text of the row, also for a withdrawal. */
  readonly json: string;
}

/** Version of the implementation guide with the served profiles; a row may name a profile with this version. */
const guideVersion = '1.1.0';

/**
 * Parses a line of a file.
 *
 * @param type of the file in the manifest.
 */
export function readDirectoryRow(line: NdjsonLine, type: string, now: number): DirectoryRow | RejectedRow {
  const read = readContent(line, type);
  if (read.kind === 'reject') return read;
  const { text: json, content } = read;
  if (type === changeRowType) return readWithdrawal(line.line, json, content, now);
  if (!isDirectoryType(type)) return rejectRow(line.line, 'other_type', undefined, 'resourceType');
  const profiles = directoryResource(type).profiles.map((profile) => `${profile}|${guideVersion}`);
  const head = readHead(line.line, content, type, { profiles, now });
  if (head.kind === 'reject') return head;
  const wrong = referencesIn(content, isDirectoryType).find(({ target }) => target === undefined);
  if (wrong !== undefined) return rejectRow(line.line, 'unserved_reference', head.name, wrong.element);
  const faulty = rejectFaulty(line.line, content, profileFaults(content));
  return faulty ?? { kind: 'resource', line: line.line, ...head.row, json };
}

/** Parses the Parameters of a withdrawal (`withdraw`), the only change of a directory. */
function readWithdrawal(
  line: number,
  json: string,
  content: FhirJson,
  now: number,
): DirectoryRow | RejectedRow {
  const updated = readLastUpdated(content.meta, now);
  if (updated.kind === 'fault') return rejectRow(line, updated.code, undefined, 'meta.lastUpdated');
  const { lastUpdated } = updated;
  const faulty = rejectFaulty(line, content, structureFaults(content));
  if (faulty !== undefined) return faulty;
  const [parameter, ...more] = jsonEntries(content.parameter);
  if (jsonMember(parameter, 'name') !== 'withdraw' || more.length > 0) {
    return rejectRow(line, 'unknown_change', undefined, 'parameter.name');
  }
  const reference = jsonMember(jsonMember(parameter, 'valueReference'), 'reference');
  const name = readReference(reference, isDirectoryType);
  if (name === undefined) return rejectRow(line, 'change_reference', undefined, 'parameter.withdraw');
  return { kind: 'withdrawal', line, ...name, versionId: '', lastUpdated, json };
}
