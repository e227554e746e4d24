import { describe, expect, it } from 'vitest';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import type { NewIncident } from '../../../lambdas/portal/api/incidents.ts';
import type { PortalResult } from '../../../lambdas/portal/api/route-handler.ts';
import { componentsOf, type Incident, incidentState } from '../../../lambdas/portal/status/incident.ts';
import { createIncidentCommands } from '../../../lambdas/portal/status/incident-commands.ts';
import { memoryStatusStore } from './status-store.ts';

const outage: NewIncident = {
  severity: 'outage',
  title: 'Patient Access does not answer',
  text: 'Calls get 503. We are looking for the cause.',
  component: ['patient-access'],
  environment: ['production'],
  lob: ['DSNP', 'MAPD'],
};
const olga = { by: 'Olga', dryRun: false };

function aService() {
  const clock = { ms: Date.parse('2026-11-27T20:00:00Z') };
  const store = memoryStatusStore();
  const commands = createIncidentCommands({ store, now: () => clock.ms, sha256: digests.sha256Hex });
  return { clock, store, commands };
}

function incidentOf(result: PortalResult): Incident {
  if (result.kind === 'problem') throw new Error(JSON.stringify(result));
  return result.body as Incident;
}

describe('an incident', () => {
  it('is opened, updated and resolved, with each text and its time', async () => {
    const { clock, commands } = aService();
    const { id } = incidentOf(await commands.open(outage, olga));
    expect(id).toMatch(/^20261127-[0-9a-f]{8}$/);
    clock.ms += 60_000;
    incidentOf(await commands.change(id, { text: 'Reads work again.', severity: 'degraded' }, olga));
    clock.ms += 60_000;
    const ended = incidentOf(await commands.change(id, { text: 'Done.', resolve: true }, olga));
    expect(ended).toMatchObject({ severity: 'degraded', resolvedAt: '2026-11-27T20:02:00.000Z', version: 3 });
    expect(ended.updates.map(({ at, text }) => `${at} ${text}`)).toEqual([
      '2026-11-27T20:00:00.000Z Calls get 503. We are looking for the cause.',
      '2026-11-27T20:01:00.000Z Reads work again.',
      '2026-11-27T20:02:00.000Z Done.',
    ]);
    expect(await commands.change(id, { text: 'One more.' }, olga)).toMatchObject({
      problem: 'state_conflict',
    });
  });

  it('is not doubled where a command is sent again', async () => {
    const { commands, store } = aService();
    const [{ id }] = (await Promise.all([commands.open(outage, olga), commands.open(outage, olga)])).map(
      incidentOf,
    ) as [Incident, Incident];
    expect(await store.incidents()).toHaveLength(1);
    for (const change of [{ text: 'Slow.' }, { text: 'Over.', resolve: true }] as const) {
      const first = incidentOf(await commands.change(id, change, olga));
      expect(incidentOf(await commands.change(id, change, olga))).toEqual(first);
    }
    expect((await store.incident(id))?.updates).toHaveLength(3);
  });

  it('is not opened again under its title with another text, and another operator’s text is not overwritten', async () => {
    const { commands, store } = aService();
    const { id } = incidentOf(await commands.open(outage, olga));
    expect(await commands.open({ ...outage, text: 'Another cause.' }, olga)).toMatchObject({
      problem: 'stale_version',
      detail: expect.stringContaining(id),
    });
    const [one, other] = await Promise.all([
      commands.change(id, { text: 'From Olga.' }, olga),
      commands.change(id, { text: 'From Omar.' }, { by: 'Omar', dryRun: false }),
    ]);
    expect([one.kind, other.kind].sort()).toEqual(['problem', 'response']);
    expect((await store.incident(id))?.updates).toHaveLength(2);
  });

  it('is only shown in a dry run', async () => {
    const { commands, store } = aService();
    incidentOf(await commands.open(outage, { ...olga, dryRun: true }));
    expect(await store.incidents()).toEqual([]);
  });

  it.each<[string, Partial<NewIncident>, string]>([
    ['maintenance without an end', { severity: 'maintenance' }, '/endsAt'],
    [
      'maintenance that is over',
      { severity: 'maintenance', startsAt: '2026-11-26T02:00:00Z', endsAt: '2026-11-26T04:00:00Z' },
      '/endsAt',
    ],
    ['an outage to come', { startsAt: '2026-11-28T02:00:00Z' }, '/startsAt'],
    ['an outage with an end', { endsAt: '2026-11-28T02:00:00Z' }, '/endsAt'],
    ['a component that does not exist', { component: ['provider-directory'], lob: ['MHBE'] }, '/component'],
  ])('refuses %s', async (_, changed, pointer) => {
    const { commands, store } = aService();
    expect(await commands.open({ ...outage, ...changed }, olga)).toMatchObject({
      problem: 'invalid_request',
      errors: [{ pointer }],
    });
    expect(await store.incidents()).toEqual([]);
  });

  it('is about the components of its scope, and about all without one', () => {
    const scope = { kinds: ['sign-in'], environments: ['sandbox'], lobs: ['DSNP'] } as const;
    expect(componentsOf(scope).map(({ id }) => id)).toEqual(['sandbox/DSNP/sign-in']);
    expect(componentsOf({ kinds: ['portal'] }).map(({ id }) => id)).toEqual(['portal']);
    expect(componentsOf({})).toHaveLength(49);
  });

  it('of maintenance is scheduled, open and over by its own times', () => {
    const period = { startsAt: '2026-11-28T02:00:00Z', endsAt: '2026-11-28T04:00:00Z' };
    const states = ['2026-11-28T01:00:00Z', '2026-11-28T03:00:00Z', '2026-11-28T04:00:00Z'].map((time) =>
      incidentState(period, Date.parse(time)),
    );
    expect(states).toEqual(['scheduled', 'open', 'over']);
  });
});
