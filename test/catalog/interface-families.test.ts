import { expect, it } from 'vitest';
import { fhirRoutes } from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { callerOfPath } from '../../lambdas/catalog/interface-families.ts';

it('tells the caller of each route that is guarded as the table of routes does', () => {
  const guarded = fhirRoutes.filter(({ access }) => access !== 'public');
  const told = guarded.map(({ path, gatewayPath = path }) => [gatewayPath, callerOfPath(gatewayPath)]);
  expect(told).toEqual(guarded.map(({ path, gatewayPath = path, access }) => [gatewayPath, access]));
  expect(guarded.length).toBeGreaterThan(0);
});

it.each([
  '/',
  '/unknown/{id}',
  '/extfhirproviderdirectory/v1/Organization',
])('guards a path of no interface as strictly as a member’s: %s', (path) => {
  expect(callerOfPath(path)).toBe('member');
});
