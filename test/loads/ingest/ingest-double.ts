import { ingestMember } from '../../../lambdas/loads/ingest/ingest.ts';
import type { MemberLoad } from '../../../lambdas/loads/ingest/ingest-contract.ts';
import type {
  Ingest,
  LinkedLoad,
  NamedPatient,
  PatientMember,
  StoredVersion,
} from '../../../lambdas/loads/ingest/ingest-ports.ts';

export const patientId = 'd26b83fc-66cb-4440-a34c-5f6ca9570ce1';

export function patient(
  changed: { versionId?: string; lastUpdated?: string; city?: string; narrative?: string } = {},
) {
  const { versionId = '1', lastUpdated = '2026-02-01T10:00:00.000-05:00', city = 'Washington' } = changed;
  const { narrative } = changed;
  const text = { status: 'generated', div: `<div>${narrative}</div>` };
  const content = { resourceType: 'Patient', id: patientId, meta: { versionId, lastUpdated } };
  const json = JSON.stringify({ ...content, ...(narrative !== undefined && { text }), address: [{ city }] });
  return { resourceType: 'Patient', id: patientId, versionId, lastUpdated, json };
}

export function load(changed: Partial<MemberLoad> = {}): MemberLoad {
  return {
    lob: 'DSNP',
    patientId,
    memberId: 'DSNP12345678',
    email: 'ada.sampleton@example.com',
    phoneNumber: '+12025550123',
    givenName: 'Ada',
    familyName: 'Sampleton',
    resources: [patient()],
    ...changed,
  };
}

/** Ports of the ingest with accounts and resources in memory. */
export function ingestDouble() {
  const stored = new Map<string, Omit<StoredVersion, 'isFoundBy'> & { readonly values?: string }>();
  const links = new Map<string, string>();
  const members = new Map<string, PatientMember>();
  const named = new Map<string, NamedPatient>();
  const users = new Set<string>();
  const writes: LinkedLoad[] = [];
  const endedSessions: string[] = [];
  const refusals: ('email_taken' | 'password_refused')[] = [];
  const conflicts: (() => 'interrupted' | undefined)[] = [];
  const ingest: Ingest = {
    accounts: {
      async create({ memberId }) {
        const reason = refusals.shift();
        if (reason !== undefined) return { kind: 'refusal', refusal: reason };
        if (users.has(memberId)) return { kind: 'exists' };
        users.add(memberId);
        return { kind: 'created', sub: `sub-${memberId}` };
      },
      find: async ({ memberId }) => ({ sub: `sub-${memberId}`, complete: true }),
      async update() {
        const refusal = refusals.shift();
        return refusal === undefined ? { kind: 'updated' } : { kind: 'refusal', refusal };
      },
      setFirstPassword: async () => undefined,
    },
    sha256: (text) => `digest of ${text}`,
    contactData: () => ({ name: '', postalCodes: [], emails: [], phones: [] }),
    searchValues: (json) => `values of ${json.length}`,
    store: {
      endSessions: async (sub) => void endedSessions.push(sub),
      holds: (_lob, _patientId, resource) => resource.json.length < 400_000,
      memberOf: async (_lob, id) => members.get(id),
      patientOf: async (_lob, sub) => links.get(sub),
      namedPatient: async (_lob, memberId) => named.get(memberId),
      async stored(_lob, _patientId, resources) {
        return resources.map(({ resourceType, id }) => {
          const found = stored.get(`${resourceType}/${id}`);
          return found && { ...found, isFoundBy: (values) => values === found.values };
        });
      },
      async write(linked) {
        const conflict = conflicts.shift();
        if (conflict !== undefined) {
          return conflict() ?? 'conflict';
        }
        const { memberId, sub, accountSha256 } = linked;
        members.set(linked.patientId, { memberId, sub, accountSha256 });
        links.set(linked.sub, linked.patientId);
        named.set(memberId, { patientId: linked.patientId, isWithdrawn: false });
        for (const change of linked.changes) {
          const name = `${change.resource.resourceType}/${change.resource.id}`;
          if (change.kind === 'remove') stored.delete(name);
          else stored.set(name, { ...change.resource, values: change.values });
        }
        writes.push(linked);
        return 'written';
      },
    },
  };
  const send = (payload: unknown) => ingestMember(ingest, payload);
  return { send, stored, links, named, users, writes, endedSessions, refusals, conflicts };
}
