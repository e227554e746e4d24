/** Shows what was read of a patient's data by applications and payers, and what other payers sent. */

import { type DataGroup, dataGroups } from '../../catalog/fhir/data-groups.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import type { BrowserRequest, BrowserResponse } from '../authorize/browser-request.ts';
import { connectedAppsFormToken } from '../authorize/connected-apps-session.ts';
import { isAccessCursor, type MemberGrants, type RecordedRead } from '../authorize/member-grants-port.ts';
import type { ClientReader } from '../oauth/client-ports.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { applicationOf } from '../pages/application.ts';
import { type GotView, historyPage } from '../pages/connected-apps-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { holderName, type OpenSession, patientNamed } from './open-session.ts';
import type { OtherPlansServices } from './other-plans.ts';
import { representedPatient } from './other-plans-endpoint.ts';

interface HistoryServices extends Pick<OtherPlansServices, 'exchangesOf'> {
  readonly clients: ClientReader;
  readonly grants: MemberGrants;
  readonly digests: Digests;
}

/**
 * Shows the accesses of one application, or, without one, all that was given and received. A representative sees the accesses that
 * followed from their own consents.
 */
export async function showHistory(
  services: HistoryServices,
  request: BrowserRequest,
  session: OpenSession,
  clientId: string | undefined,
): Promise<BrowserResponse> {
  const { lob, language, query } = request;
  const cursor = parameterOf(query, 'after');
  const after = cursor !== undefined && isAccessCursor(cursor) ? cursor : undefined;
  const patient = patientNamed(session, parameterOf(query, 'patient'));
  if (patient === undefined) return messagePage(404, 'page_unknown', language);
  const representativeId = patient.representative?.representativeId;
  const of = { patientId: patient.patientId, clientId, representativeId };
  const { accesses, next } = await services.grants.accesses(lob, of, after);
  const clientIds = [...new Set(accesses.flatMap((access) => access.clientId ?? []))];
  const names = new Map(
    await Promise.all(clientIds.map(async (each) => [each, await nameOf(services, each)] as const)),
  );
  const exchanges =
    clientId === undefined ? await services.exchangesOf(lob).ofPatient(patient.patientId) : [];
  const planOf = (id: string) => exchanges.find(({ exchangeId }) => exchangeId === id)?.plan.name;
  const html = historyPage({
    language,
    lob,
    memberName: holderName(session),
    formToken: connectedAppsFormToken(session.secret, services.digests),
    app: clientId === undefined ? undefined : { clientId, name: await nameOf(services, clientId) },
    patient: representedPatient(request, session, patient),
    accesses: accesses.map((access) => ({
      time: access.time,
      got: groupAccess(access),
      ...(access.clientId === undefined
        ? { kind: 'received', name: planOf(access.exchangeId ?? '') }
        : { kind: 'given', name: names.get(access.clientId) }),
    })),
    next,
  });
  return { kind: 'page', status: 200, html };
}

/**
 * Groups an access by data group. A search with results has the number of records of each group; a read, or a search without results, has
 * the requested type.
 */
function groupAccess({
  resourceType,
  found,
}: Pick<RecordedRead, 'resourceType' | 'found'>): readonly GotView[] {
  if (found === undefined) return [{ group: groupOf(resourceType), resourceType }];
  if (found.size === 0) return [{ group: groupOf(resourceType), resourceType, records: 0 }];
  const got = new Map<string, Required<GotView>>();
  for (const [type, count] of found) {
    const group = groupOf(type);
    const key = group?.id ?? type;
    got.set(key, { group, resourceType: type, records: (got.get(key)?.records ?? 0) + count });
  }
  return [...got.values()];
}

function groupOf(resourceType: string): DataGroup | undefined {
  return dataGroups.find((group) => group.resourceTypes.includes(resourceType));
}

/** Maximum length of a client id; a longer one is not looked up. */
export const longestClientId = 64;

async function nameOf(
  { clients }: Pick<HistoryServices, 'clients'>,
  clientId: string,
): Promise<string | undefined> {
  if (clientId.length > longestClientId) return undefined;
  const client = await clients.find(clientId);
  return client === undefined ? undefined : applicationOf(client).name;
}
