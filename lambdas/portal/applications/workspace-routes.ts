/** Portal routes for drafts, the sandbox's test members, the environments' addresses and the public status. */

import { environments } from '../../catalog/environments.ts';
import { draftId, draftRequest } from '../api/applications.ts';
import {
  noContent,
  type PortalResult,
  problem,
  publicRead,
  response,
  sessionRead,
  sessionRoute,
} from '../api/route-handler.ts';
import type { DraftView, StatusView } from '../api/views.ts';
import { portalLimits } from '../catalog/limits.ts';
import type { Portal } from './application-ports.ts';

type WorkspaceServices = Pick<Portal, 'drafts' | 'testMembers' | 'environments' | 'addresses' | 'now'>;

/** Makes the routes for drafts, test members, addresses and the public status. */
export function workspaceRoutes(portal: WorkspaceServices) {
  const status = rememberedStatus(portal);
  return {
    drafts: sessionRead(async ({ session }) =>
      response(200, { drafts: newestFirst(await portal.drafts.list(session.accountId)) }),
    ),
    saveDraft: sessionRoute(draftRequest, ({ session, params, body }) =>
      saveDraft(portal, session.accountId, params.draftId ?? '', body),
    ),
    deleteDraft: sessionRead(async ({ session, params }) => {
      const id = draftId.safeParse(params.draftId);
      if (!id.success) return problem('not_found');
      await portal.drafts.delete(session.accountId, id.data);
      return noContent();
    }),
    testMembers: sessionRead(async () => response(200, { members: await portal.testMembers.list() })),
    addresses: publicRead(async () => response(200, portal.addresses)),
    status: publicRead(async () => response(200, await status())),
  };
}

function newestFirst(drafts: readonly DraftView[]): readonly DraftView[] {
  return [...drafts].sort((one, other) => other.savedAt.localeCompare(one.savedAt));
}

async function saveDraft(
  { drafts, now }: WorkspaceServices,
  accountId: string,
  id: string,
  { screen, values }: Pick<DraftView, 'screen' | 'values'>,
): Promise<PortalResult> {
  if (!draftId.safeParse(id).success) return problem('not_found');
  const draft: DraftView = { draftId: id, screen, values, savedAt: new Date(now()).toISOString() };
  const isKept = await drafts.put(accountId, draft);
  return isKept ? response(200, draft) : problem('limit_reached', { limit: portalLimits.draftsPerDeveloper });
}

/** Milliseconds for which a function instance caches the status, because anybody can request it. */
const statusMs = 30_000;

function rememberedStatus(portal: WorkspaceServices): () => Promise<StatusView> {
  let remembered: { readonly until: number; readonly view: Promise<StatusView> } | undefined;
  return async () => {
    if (remembered === undefined || remembered.until <= portal.now()) {
      remembered = { until: portal.now() + statusMs, view: readStatus(portal) };
    }
    return await remembered.view;
  };
}

async function readStatus({ environments: client, now }: WorkspaceServices): Promise<StatusView> {
  const found = await Promise.all(
    environments.map(async (name) => {
      const begun = now();
      const answer = await client.send(name, { action: 'health' });
      if (answer.kind !== 'healthy') return { part: { name, answers: false }, data: [] };
      const data = answer.data.map((each) => ({ environment: name, ...each }));
      return { part: { name, answers: true, latencyMs: now() - begun }, data };
    }),
  );
  return {
    checkedAt: new Date(now()).toISOString(),
    parts: found.map(({ part }) => part),
    data: found.flatMap(({ data }) => data),
  };
}
