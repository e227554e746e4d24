/** Reads the resources of a result page and records their disclosure in the audit trail before they are sent. */

import { isPatientAccessType } from '../../catalog/fhir/fhir-resources.ts';
import type { DataOperation } from '../../catalog/fhir/fhir-routes.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import type { Disclosure } from '../disclosure/disclosure-recorder-port.ts';
import { maskedJson } from '../labels/masked-references.ts';
import type { MediaType } from '../query/media-type.ts';
import { type Selection, selectionOf } from '../query/result-parameters.ts';
import type { CompartmentRequest, SearchDependencies } from '../query/search-request.ts';
import type { SearchEntry, StoredResource } from '../values/patient-compartment.ts';
import type { BundledResource } from './bundle.ts';
import type { ResultPage } from './page.ts';
import { subset } from './subset.ts';

/** The media type, elements and masks that resources are sent with. */
interface Form {
  readonly mediaType: MediaType;
  readonly selection: Selection;
  /** Names (`Type/id`) of withheld resources, which are masked. */
  readonly withheld: ReadonlySet<string>;
}

/** The members that all audit events of a search have, whatever its outcome. */
export function searchEvent(
  { requestId, clientRequestId, context: { clientId, grantId, patientId } }: CompartmentRequest,
  action: DataOperation,
  resource?: string,
): Omit<Disclosure, 'outcome'> {
  return {
    action,
    clientId,
    grantId,
    patientId,
    requestId,
    ...(clientRequestId !== undefined && { clientRequestId }),
    ...(resource !== undefined && { resource }),
  };
}

/**
 * Reads the resources of a page, and at the same time records the audit event that names them. It is the second of the two round trips to
 * the store that a search takes. A resource that was deleted after its entry was read is left out, and a second audit event corrects the
 * first.
 *
 * @throws the errors of the ports; nothing is disclosed then.
 */
export async function disclose(
  { compartment, audit }: SearchDependencies,
  event: Omit<Disclosure, 'outcome'>,
  page: Pick<ResultPage, 'matches' | 'included'>,
  form: Form,
): Promise<readonly BundledResource[]> {
  const entries = [...page.matches, ...page.included];
  const disclosed = { ...event, outcome: 'disclosed' } as const;
  const [stored, eventId] = await Promise.all([
    compartment.resources(
      event.patientId,
      entries.map(({ resourceType, id }) => ({ resourceType, id })),
    ),
    audit.record({ ...disclosed, resources: entries.map(nameOf) }),
  ]);
  const resources = entries.flatMap((entry, index) => {
    const mode = index < page.matches.length ? 'match' : 'include';
    return bundled(entry, stored[index], mode, form);
  });
  if (resources.length < entries.length) {
    await audit.record({ ...disclosed, resources: resources.map(({ name }) => name), corrects: eventId });
  }
  return resources;
}

function bundled(
  entry: SearchEntry,
  stored: StoredResource | undefined,
  mode: BundledResource['mode'],
  { mediaType, selection, withheld }: Form,
): readonly BundledResource[] {
  if (stored === undefined || !isPatientAccessType(entry.resourceType)) return [];
  const json = mediaType === 'application/json' ? stored.json : (stored.fhirJson ?? stored.json);
  return [
    {
      name: nameOf(entry),
      mode,
      json: subset(
        maskedJson(json, withheld),
        entry.resourceType,
        selectionOf(selection, entry.resourceType, mode),
      ),
    },
  ];
}
