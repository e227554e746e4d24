/** Audit event of a transaction of the loader. */

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
  /** Search values of a resource, serialized: the same text for the same resource. */
  readonly searchValues: (resource: unknown) => string;
}

/** Each transaction has an event, so that nothing of a member is stored or removed without one. */
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
