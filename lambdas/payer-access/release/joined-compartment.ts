/** Joins the released records of several matched members to one compartment. Its audit events are recorded for each member. */

import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { inactiveGrantReason } from '../../fhir/disclosure/access-check.ts';
import type { Disclosure, DisclosureRecorder } from '../../fhir/disclosure/disclosure-recorder-port.ts';
import type { RecordLabels } from '../../fhir/values/label.ts';
import type { AccessGrant, PatientCompartment, SearchEntry } from '../../fhir/values/patient-compartment.ts';
import { inGroupsOf } from '../../platform/kernel/in-groups-of.ts';
import type { MatchStore, PayerCall } from '../permission/member-match-port.ts';

/** A member's released record. */
export interface OwnedCompartment {
  readonly patientId: string;
  readonly grantId: string;
  readonly compartment: PatientCompartment;
}

interface JoiningDependencies {
  readonly store: Pick<MatchStore, 'recordRefusal' | 'recordDisclosure'>;
  readonly audit: DisclosureRecorder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The labels of a released record: none, because labeled resources were withheld before. */
export const released: RecordLabels = new Map();

/** Number of records read at once. */
const membersAtOnce = 4;

/**
 * Joins records. A resource that several records have, such as a practitioner, appears once, from the first of them. A member whose grant
 * ended meanwhile has no entries.
 */
export function joinedCompartment(
  members: readonly OwnedCompartment[],
  call: PayerCall,
  { store, audit, now }: JoiningDependencies,
): { readonly compartment: PatientCompartment; readonly audit: DisclosureRecorder } {
  const owners = new Map<string, OwnedCompartment>();
  const { clientId } = call;
  /** A grant that always passes the check of searches: each member's own grant was judged before. */
  const grant: AccessGrant = { clientId, state: 'active', expiresAt: Number.POSITIVE_INFINITY };

  const compartment: PatientCompartment = {
    async read() {
      throw new TypeError('a read is of one member');
    },
    async entries(_patientId, _grantId, asked) {
      const read = await inGroupsOf(membersAtOnce, members, async (member) => ({
        member,
        found: await member.compartment.entries(member.patientId, member.grantId, asked),
      }));
      const once = new Map<string, SearchEntry>();
      for (const { member, found } of read) {
        if (inactiveGrantReason(found.grant, clientId, now() / 1000) !== undefined) continue;
        for (const entry of found.entries) {
          const name = nameOf(entry);
          if (once.has(name)) continue;
          once.set(name, entry);
          owners.set(name, member);
        }
      }
      return { grant, entries: [...once.values()], labels: released };
    },
    async resources(_patientId, names) {
      return await inGroupsOf(membersAtOnce, names, async (name) => {
        const owner = owners.get(nameOf(name));
        return (await owner?.compartment.resources(owner.patientId, [name]))?.[0];
      });
    },
  };
  return { compartment, audit: { record } };

  /**
   * Records one audit event for each member whose resources are disclosed. A refusal, or a result without resources, is recorded for the
   * application.
   */
  async function record({ resource, resources = [], reason, ...disclosure }: Disclosure): Promise<string> {
    if (disclosure.outcome === 'refused') await store.recordRefusal(call, reason ?? 'not_found');
    const byMember = Map.groupBy(resources, (name) => owners.get(name));
    const written = await Promise.all(
      [...byMember].map(async ([owner, own]) => {
        if (owner === undefined) throw new TypeError('a resource of no member');
        const { patientId, grantId } = owner;
        const about = resource === undefined ? {} : { resource };
        return await audit.record({ ...disclosure, ...about, patientId, grantId, resources: own });
      }),
    );
    if (disclosure.outcome === 'disclosed' && written.length === 0) {
      await store.recordDisclosure(call, resource ?? 'Patient');
    }
    return written.join();
  }
}
