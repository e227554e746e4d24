import { describe, expect, it } from 'vitest';
import { createStatusStore } from '../../../lambdas/portal/adapters/status-store.ts';
import { statusComponents } from '../../../lambdas/portal/catalog/status.ts';
import type { Incident } from '../../../lambdas/portal/status/incident.ts';
import type { Measurement } from '../../../lambdas/portal/status/status-ports.ts';
import { createEmptyTable } from '../../support/empty-table.ts';

const measured = (measuredAt: string, fails: readonly string[] = []): Measurement => ({
  measuredAt,
  components: statusComponents.map(({ id }) => ({ id, answers: !fails.includes(id) })),
  data: [],
  directories: [],
});

describe('measurements', () => {
  it('are counted once a period and by day, even where two run at once', async () => {
    const store = createStatusStore(await createEmptyTable());
    expect(await store.newest()).toBeUndefined();
    const first = measured('2026-11-26T23:55:00.000Z', ['portal']);
    const counted = await Promise.all([
      store.record(first, 1),
      store.record(first, 1),
      store.record(first, 1),
    ]);
    expect(counted.filter(Boolean)).toHaveLength(1);
    expect(await store.record(measured('2026-11-26T23:59:00.000Z'), 2)).toBe(true);
    const last = measured('2026-11-27T00:05:00.000Z');
    expect(await store.record(last, 3)).toBe(true);
    expect(await store.newest()).toEqual(last);
    const days = await store.days('2026-11-26');
    expect(days.map(({ date, components }) => [date, components.portal])).toEqual([
      ['2026-11-26', { answered: 1, failed: 1 }],
      ['2026-11-27', { answered: 1, failed: 0 }],
    ]);
    expect(Object.keys(days[0]?.components ?? {}).sort()).toEqual(
      statusComponents.map(({ id }) => id).sort(),
    );
    expect((await store.days('2026-11-27')).map(({ date }) => date)).toEqual(['2026-11-27']);
  });
});

describe('incidents', () => {
  it('are written only on the version they were changed from, and listed newest first', async () => {
    const store = createStatusStore(await createEmptyTable());
    const incident = (id: string, version: number): Incident => ({
      id,
      severity: 'degraded',
      title: 'Searches are slow',
      scope: { lobs: ['DSNP'] },
      startsAt: '2026-11-27T19:00:00.000Z',
      updates: [{ at: '2026-11-27T19:00:00.000Z', text: 'We are looking.', by: 'Olga' }],
      version,
    });
    expect(await store.putIncident(incident('20261126-00000000', 1))).toBe(true);
    expect(await store.putIncident(incident('20261127-00000000', 1))).toBe(true);
    expect(await store.putIncident(incident('20261127-00000000', 1))).toBe(false);
    expect(await store.putIncident(incident('20261127-00000000', 3))).toBe(false);
    expect(await store.putIncident(incident('20261127-00000000', 2))).toBe(true);
    expect((await store.incidents()).map(({ id, version }) => `${id} ${version}`)).toEqual([
      '20261127-00000000 2',
      '20261126-00000000 1',
    ]);
    expect(await store.incident('20261101-00000000')).toBeUndefined();
  });
});
