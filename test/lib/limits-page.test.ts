import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../lib/config/configuration.ts';
import { production } from '../../lib/config/production.ts';
import { prices } from '../../lib/monitoring/prices.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { limitsPage } from './limits-page/page.ts';
import { ownFunctions, synthesizeApp } from './synthesized-app.ts';

/** Reserved concurrency of each function in one line of business, and the sum of all functions of production. */
function reservedConcurrency(): Readonly<Record<string, number>> {
  const own = [...synthesizeApp()]
    .filter(([stack]) => stack.startsWith('production/'))
    .flatMap(([stack, template]) =>
      Object.entries(template.Resources)
        .filter(([, { Properties }]) => ownFunctions(template).some((one) => one.Properties === Properties))
        .map(([id, { Properties }]) => ({
          stack,
          id,
          reserved: Number(Properties.ReservedConcurrentExecutions),
        })),
    );
  const of = (id: RegExp) => own.find((one) => one.stack.includes('DSNP') && id.test(one.id))?.reserved;
  return {
    'patient-access': of(/PatientAccess/) ?? Number.NaN,
    'payer-jobs': of(/PayerJobs/) ?? Number.NaN,
    total: own.reduce((sum, { reserved }) => sum + reserved, 0),
  };
}

describe('docs/limits.md', () => {
  it('says what the configuration, the templates, the quotas and the counts of the benches say', async () => {
    const reserved = reservedConcurrency();
    for (const value of Object.values(reserved)) expect(value).toBeGreaterThan(0);
    const page = limitsPage(parseConfiguration('lib/config/production.ts', production), reserved);
    expect(page).not.toContain('NaN');
    await expect(page).toMatchFileSnapshot(join(repositoryRoot, 'docs/limits.md'));
  });

  it('reckons with the prices that docs/costs.md names', () => {
    const costs = readFileSync(join(repositoryRoot, 'docs/costs.md'), 'utf8').replaceAll(/\s+/g, ' ');
    expect(costs).toContain(`${prices.writeUnits.dollars} a million write units`);
    expect(costs).toContain(`${prices.readUnits.dollars} a million read units`);
    expect(costs).toContain(`${prices.transitions.dollars / 1_000} a thousand state transitions`);
    expect(costs).toContain(`${(prices.compute.dollars / 1e6).toFixed(10)} a GB-second`);
  });
});
