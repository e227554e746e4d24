/** Makes the audit event of a load's transaction. */

import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import type { Environment } from '../../catalog/environments.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { SealContact } from '../../platform/kernel/contact-data.ts';
import type { Write } from '../../platform/table/table.ts';

export interface LoadStoreOptions {
  readonly environment: Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
  readonly sealContact: SealContact;
  /** Makes the serialized search values of a resource, always the same text for the same resource. */
  readonly searchValues: (resource: unknown) => string;
}

/**
 * Makes the audit event of a transaction. Every transaction of a load includes one, so that no change of a member's data goes unrecorded.
 */
export function loadEvent(
  {
    lob,
    patientId,
    jobId,
  }: { readonly lob: LineOfBusiness; readonly patientId: string; readonly jobId: string },
  removed: readonly { readonly resourceType: string; readonly id: string }[],
  { environment, now, uuid }: Pick<LoadStoreOptions, 'environment' | 'now' | 'uuid'>,
): Write {
  return auditWrite({
    eventId: uuid(),
    time: new Date(now()).toISOString(),
    environment,
    lob,
    action: 'member.load',
    outcome: 'succeeded',
    actor: 'load-range',
    patientId,
    requestId: jobId,
    ...(removed.length > 0 && { resources: removed.map(nameOf) }),
  });
}
