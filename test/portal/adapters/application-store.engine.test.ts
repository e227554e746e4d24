import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ApplicationView, Evidence } from '../../../lambdas/portal/api/views.ts';
import type { Application } from '../../../lambdas/portal/applications/application.ts';
import type { ActCommit } from '../../../lambdas/portal/applications/application-ports.ts';
import { createEmptyTable } from '../../support/empty-table.ts';
import { portalWorld, promoted, registered } from '../applications/portal-world.ts';

/** Conflicts that the store refuses by conditions of its writes, since another request may have changed what was read. */

const table = await createEmptyTable();
const world = portalWorld(table);
const store = world.portal.applications;

async function loaded({ applicationId }: Pick<ApplicationView, 'applicationId'>) {
  const found = await store.load(applicationId);
  if (found === undefined) throw new Error('the application is gone');
  return found;
}

const commit = (act: ActCommit['act'], after: Application, before?: Application): ActCommit => ({
  act,
  ...(before === undefined ? {} : { before }),
  after,
  event: { act: 'register', by: { kind: 'developer', accountId: 'dev-1', name: 'Dana Dev' } },
  company: 'Sunrise Inc.',
  mails: [],
  provisioning: [],
});

describe('an act', () => {
  it('registers no application under an id that is there', async () => {
    const { application } = await loaded(await registered(world));
    const another = { ...application, sandbox: { ...application.sandbox, applicationName: 'Another' } };
    expect(await store.commit(commit('register', another))).toBeUndefined();
    expect((await loaded(application)).application).toEqual(application);
    expect(await store.commit(commit('register', { ...another, applicationId: randomUUID() }))).toEqual([]);
  });

  it('happens along its edge only, though it was decided on the right version', async () => {
    const { application } = await loaded(await promoted(world));
    const after = { ...application, version: application.version + 1, state: 'approved' as const };
    const before = { ...application, state: 'awaiting_operator_approval' as const };
    expect(await store.commit(commit('approve', after, before))).toBeUndefined();
    expect((await loaded(application)).application).toEqual(application);
  });

  it('does not happen on a version that is over', async () => {
    const { application } = await loaded(await registered(world));
    const next = { ...application, version: application.version + 1 };
    expect(await store.commit(commit('edit_sandbox', next, application))).toEqual([]);
    expect(await store.commit(commit('edit_sandbox', next, application))).toBeUndefined();
  });
});

describe('what is learnt once', () => {
  it('is the first client id an environment gave', async () => {
    const view = await registered(world);
    await store.keepClient(view.applicationId, 'sandbox', 'another-client');
    expect((await loaded(view)).clients.sandbox).toBe(view.sandbox.clientId);
    await store.keepClient(view.applicationId, 'production', 'first');
    await store.keepClient(view.applicationId, 'production', 'second');
    expect((await loaded(view)).clients.production).toBe('first');
  });

  it('is the first call that shows a product at work', async () => {
    const view = await registered(world);
    const evidence = (requestId: string): Evidence => ({
      product: 'patient-access',
      lob: 'DSNP',
      at: '2026-11-20T10:00:00.000Z',
      route: '/extfhirpatientaccess/v1/Patient/{id}',
      requestId,
    });
    await store.keepEvidence(view.applicationId, [evidence('first')]);
    await store.keepEvidence(view.applicationId, [evidence('second')]);
    expect((await loaded(view)).evidence).toEqual([evidence('first')]);
  });
});
