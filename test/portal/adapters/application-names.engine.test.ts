import { describe, expect, it } from 'vitest';
import type { OperatorApplicationView } from '../../../lambdas/portal/api/operator-views.ts';
import type { PreflightCheck } from '../../../lambdas/portal/api/views.ts';
import { createEmptyTable } from '../../support/empty-table.ts';
import { configuration } from '../applications/configurations.ts';
import {
  approved,
  bodyOf,
  call,
  operator,
  type PortalWorld,
  portalWorld,
  registered,
  stranger,
} from '../applications/portal-world.ts';

/** Names that can be mistaken for another application's: the pages warn of them when a submission is prepared and when it is decided. */

async function checksOf(world: PortalWorld, applicationName: string) {
  const view = bodyOf(
    await call(world, 'registerApplication', {
      session: stranger,
      body: { configuration: configuration({ applicationName, displayName: applicationName }) },
    }),
  );
  const params = { applicationId: view.applicationId };
  const { checks } = bodyOf<{ checks: readonly PreflightCheck[] }>(
    await call(world, 'preflight', { session: stranger, params }),
  );
  const { preflight } = bodyOf<OperatorApplicationView>(
    await call(world, 'operatorApplication', { session: operator, params }),
  );
  const ofNames = (all: readonly PreflightCheck[]) => all.filter(({ id }) => id.startsWith('name'));
  return { developer: ofNames(checks), operator: ofNames(preflight) };
}

describe('the check of names', () => {
  it('warns of a protected name, on both pages', async () => {
    const world = portalWorld(await createEmptyTable());
    for (const { developer, operator: console } of [
      await checksOf(world, 'Medicare Official'),
      await checksOf(world, 'Care First'),
    ]) {
      expect(developer).toMatchObject([{ result: 'warn', field: 'applicationName' }]);
      expect(console).toEqual(developer);
    }
  });

  it('warns of the name of another application, and tells whose only an operator', async () => {
    const world = portalWorld(await createEmptyTable());
    const { name } = await approved(world);
    const { developer, operator: console } = await checksOf(world, `${name.toUpperCase()}!`);
    expect(developer).toMatchObject([{ id: 'name-similar-applicationName', result: 'warn' }]);
    expect(developer[0]?.detail).not.toContain(name);
    expect(console[0]?.detail).toContain(`${name} (approved)`);
  });

  it('passes a name of its own, and says nothing of applications that only their teams know', async () => {
    const world = portalWorld(await createEmptyTable());
    await registered(world, { applicationName: 'Secret Project' });
    const { developer } = await checksOf(world, 'Secret Project');
    expect(developer).toMatchObject([{ id: 'name', result: 'pass' }]);
  });
});
