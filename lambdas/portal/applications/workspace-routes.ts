/** Portal routes for drafts, the sandbox's test members, the environments' addresses and the public status. */

import { draftId, draftRequest } from '../api/application-requests.ts';
import {
  noContent,
  type PortalResult,
  problem,
  publicRead,
  response,
  sessionRead,
  sessionRoute,
} from '../api/route-handler.ts';
import type { DraftView } from '../api/views.ts';
import { portalLimits } from '../catalog/limits.ts';
import { rememberedStatus, statusView } from '../status/read-status.ts';
import type { Portal } from './application-ports.ts';

type WorkspaceServices = Pick<Portal, 'drafts' | 'testMembers' | 'addresses' | 'status' | 'now'>;

/** Makes the routes for drafts, test members, addresses and the public status. */
export function workspaceRoutes(portal: WorkspaceServices) {
  const status = rememberedStatus(portal.status, portal.now);
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
    status: publicRead(async () => response(200, statusView(await status()))),
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
