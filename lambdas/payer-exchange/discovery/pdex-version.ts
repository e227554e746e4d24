/** Finds the version of PDex that a server has. */

import { type PdexVersion, pdexVersions } from '../../catalog/payer/other-payers.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';

/** A supported version, of a text such as `2.2`. */
export function knownVersion(text: string | undefined): PdexVersion | undefined {
  return pdexVersions.find((version) => version === text);
}

/** Canonical URLs and package IDs of the guide with their version: `…/davinci-pdex/…|2.1.0`, `hl7.fhir.us.davinci-pdex#2.2.0`. */
const versionOfGuide = /davinci-pdex(?:\/[^|#]*)?[|#](\d+\.\d+)/;

/**
 * The newest supported version that a CapabilityStatement names: in `implementationGuide`, in `instantiates`, or in the definition of an
 * operation.
 */
export function versionOfCapabilities(statement: unknown): PdexVersion | undefined {
  const canonicals = [
    ...jsonEntries(jsonMember(statement, 'implementationGuide')),
    ...jsonEntries(jsonMember(statement, 'instantiates')),
    ...operationsOf(statement).map((operation) => jsonMember(operation, 'definition')),
  ];
  const versions = canonicals.flatMap((each) => {
    const version = knownVersion(versionOfGuide.exec(String(each))?.[1]);
    return version === undefined ? [] : [version];
  });
  return versions.sort().at(-1);
}

/** Operations of the server and of its resource types. */
export function operationsOf(statement: unknown): readonly unknown[] {
  return jsonEntries(jsonMember(statement, 'rest')).flatMap((rest) => [
    ...jsonEntries(jsonMember(rest, 'operation')),
    ...jsonEntries(jsonMember(rest, 'resource')).flatMap((resource) =>
      jsonEntries(jsonMember(resource, 'operation')),
    ),
  ]);
}
