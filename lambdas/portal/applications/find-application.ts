import type { LoadedApplication } from './application.ts';
import type { Portal } from './application-ports.ts';

/**
 * Finds an application of a team; undefined both for another team's application and for one that does not exist.
 *
 * @param teamId absent: of any team
 */
export async function findApplication(
  portal: Pick<Portal, 'applications'>,
  { applicationId, teamId }: { readonly applicationId: string; readonly teamId?: string | undefined },
): Promise<LoadedApplication | undefined> {
  if (!applicationIdForm.test(applicationId)) return undefined;
  const loaded = await portal.applications.load(applicationId);
  return teamId === undefined || loaded?.application.teamId === teamId ? loaded : undefined;
}

const applicationIdForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
