/** Makes the Provenances of received resources, which name the payer that sent them (PDex Provenance). */

import { receivedId } from '../../catalog/payer/received-resources.ts';
import type { TranslationContext } from './translation-context.ts';

/** Resources that one Provenance is about at most, so that it fits into an item of the table. */
const mostTargets = 1_000;

const profile = 'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/pdex-provenance|2.2.0';
const transmitter = {
  coding: [
    {
      system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type',
      code: 'transmitter',
    },
  ],
};

/**
 * Makes the Provenances of a member's resources: one for each 1,000. The same resources give the same IDs, in any order and however often
 * each is named.
 *
 * @param targets `Type/id` of the received resources.
 * @param recorded the export's `transactionTime`, ISO 8601: the same export gives the same versions.
 */
export function payerProvenances(
  { payer, sha256 }: Pick<TranslationContext, 'payer' | 'sha256'>,
  patientId: string,
  targets: readonly string[],
  recorded: string,
): readonly { readonly id: string; readonly json: string }[] {
  const all = [...new Set(targets)].sort();
  const groups = Array.from({ length: Math.ceil(all.length / mostTargets) }, (_, at) =>
    all.slice(at * mostTargets, (at + 1) * mostTargets),
  );
  const [identifier] = payer.identifiers;
  const who = { type: 'Organization', ...(identifier && { identifier }), display: payer.name };
  return groups.map((group) => {
    const id = receivedId(sha256([payer.payerId, 'Provenance', patientId, ...group].join('|')));
    const meta = { lastUpdated: recorded, source: payer.fhirBase, profile: [profile] };
    const body = {
      target: [`Patient/${patientId}`, ...group].map((reference) => ({ reference })),
      recorded,
      agent: [{ type: transmitter, who }],
    };
    const versionId = sha256(JSON.stringify([meta, body])).slice(0, 40);
    return {
      id,
      json: JSON.stringify({ resourceType: 'Provenance', id, meta: { versionId, ...meta }, ...body }),
    };
  });
}
