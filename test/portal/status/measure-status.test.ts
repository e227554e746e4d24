import { describe, expect, it } from 'vitest';
import type { ProvisioningClient } from '../../../lambdas/portal/applications/application-ports.ts';
import { statusComponents } from '../../../lambdas/portal/catalog/status.ts';
import { type MeasureServices, measureStatus } from '../../../lambdas/portal/status/measure-status.ts';

const start = Date.parse('2026-11-27T20:00:00Z');
const origins = (name: string) => ({
  auth: `https://auth.${name}.example`,
  token: `https://token.${name}.example`,
  apiTemplate: `https://{lob}.${name}.example`,
});
const healthy: ProvisioningClient['send'] = async () => ({
  kind: 'healthy',
  healthy: true,
  data: [
    {
      lob: 'DSNP',
      late: false,
      freshUntil: '2026-11-28T00:00:00.000Z',
      reconciledAt: '2026-11-26T03:00:00.000Z',
    },
  ],
});
const builtAt = '2026-11-25T04:00:00.000Z';

/** A service whose components all answer, except where `broken` says otherwise. */
function services(
  broken: (url: string) => number | 'silent' | undefined = () => undefined,
  more: Partial<MeasureServices> = {},
): MeasureServices {
  let now = start;
  return {
    get: async (url) => {
      now += 1;
      const status = broken(url) ?? 200;
      if (status === 'silent') return undefined;
      return { status, text: url.endsWith('/truth-report') ? JSON.stringify({ builtAt }) : '{}' };
    },
    provisioning: { send: healthy },
    addresses: { sandbox: origins('sandbox'), production: origins('production') },
    origin: 'https://developer.example',
    now: () => now,
    ...more,
  };
}

const failing = (measurement: Awaited<ReturnType<typeof measureStatus>>) =>
  measurement.components.filter(({ answers }) => !answers).map(({ id }) => id);

describe('a measurement', () => {
  it('calls every component once, in both environments, and has the time each took', async () => {
    const found = await measureStatus(services(), undefined);
    expect(found.components.map(({ id }) => id)).toEqual(statusComponents.map(({ id }) => id));
    expect(found.components).toHaveLength(1 + 2 * (1 + 3 * 6 + 5));
    for (const { latencyMs } of found.components) expect(latencyMs).toBeGreaterThanOrEqual(0);
    expect(found.measuredAt).toBe('2026-11-27T20:00:00.000Z');
    expect(found.directories).toContainEqual({ environment: 'production', lob: 'EGWP', builtAt });
    expect(found.data.map(({ environment, lob }) => `${environment} ${lob}`)).toEqual([
      'sandbox DSNP',
      'production DSNP',
    ]);
  });

  it('names only the component that fails: one line of business away leaves the others as they are', async () => {
    const down = services((url) => (url.startsWith('https://dsnp.production.') ? 'silent' : undefined));
    const before = await measureStatus(services(), undefined);
    expect(failing(await measureStatus(down, before))).toEqual([
      'production/DSNP/patient-access',
      'production/DSNP/payer-access',
      'production/DSNP/provider-directory',
    ]);
  });

  it.each([500, 503, 403, 'silent'] as const)('counts %s as no answer', async (status) => {
    const broken = services((url) => (url.includes('/pub/mapd/jwks') ? status : undefined));
    expect(failing(await measureStatus(broken, undefined))).toEqual([
      'sandbox/MAPD/sign-in',
      'production/MAPD/sign-in',
    ]);
  });

  it('leaves a directory unmeasured that was never published, and reports one that was', async () => {
    const unpublished = services((url) => (url.endsWith('/truth-report') ? 503 : undefined));
    const first = await measureStatus(unpublished, undefined);
    expect(first.components.filter(({ id }) => id.endsWith('provider-directory'))).toEqual([]);
    const later = await measureStatus(unpublished, await measureStatus(services(), undefined));
    expect(failing(later)).toHaveLength(10);
    // The page still says when the directory was published.
    expect(later.directories).toHaveLength(10);
  });

  it('keeps what an environment had loaded while its function is away', async () => {
    const away = services(undefined, {
      provisioning: {
        send: async (environment, request) =>
          environment === 'production'
            ? { kind: 'refusal', refusal: { code: 'environment_unavailable' } }
            : await healthy(environment, request),
      },
    });
    const found = await measureStatus(away, await measureStatus(services(), undefined));
    expect(failing(found)).toEqual(['production/registration']);
    expect(found.data.map(({ environment }) => environment)).toEqual(['sandbox', 'production']);
  });
});
