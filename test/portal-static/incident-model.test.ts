import { describe, expect, it } from 'vitest';
import type { StatusView } from '../../lambdas/portal/api/status-view.ts';
import {
  environmentsTouched,
  incidentsTouching,
} from '../../portal-static/pages/applications/incident-model.ts';
import { aConfiguration } from './applications-fixtures.ts';

const incident = (
  parts: readonly string[],
  state: 'scheduled' | 'open' | 'over' = 'open',
): StatusView['incidents'][number] => ({
  id: '20261127-0a0b0c0d',
  title: 'Sign-in fails',
  severity: 'outage',
  state,
  startsAt: '2026-11-27T19:00:00.000Z',
  parts,
  updates: [{ at: '2026-11-27T19:00:00.000Z', text: 'We are looking.' }],
});

/** An application of Patient Access for DSNP and MAPD in the sandbox. */
const used = { sandbox: { configuration: aConfiguration } };
const production = { configuration: { ...aConfiguration, linesOfBusiness: ['EGWP' as const] } };

describe('the incidents at an application', () => {
  it.each([
    ['its interface', 'sandbox/DSNP/patient-access', 1],
    ['the sign-in of its line of business', 'sandbox/MAPD/sign-in', 1],
    ['another interface', 'sandbox/DSNP/provider-directory', 0],
    ['another line of business', 'sandbox/EGWP/patient-access', 0],
    ['an environment it is not in', 'production/DSNP/patient-access', 0],
    ['the portal', 'portal', 0],
  ])('are those that touch %s', (_, part, count) => {
    expect(incidentsTouching([incident([part])], used)).toHaveLength(count);
  });

  it('are those of its production too, with that configuration, and none that is over', () => {
    const part = 'production/EGWP/sign-in';
    expect(incidentsTouching([incident([part])], { ...used, production })).toHaveLength(1);
    expect(incidentsTouching([incident([part], 'scheduled')], { ...used, production })).toHaveLength(1);
    expect(incidentsTouching([incident([part], 'over')], { ...used, production })).toEqual([]);
  });

  it('name the environments that they touch', () => {
    expect(environmentsTouched(incident(['production/EGWP/sign-in', 'sandbox/EGWP/sign-in', 'portal']))).toBe(
      'sandbox and production',
    );
  });
});
