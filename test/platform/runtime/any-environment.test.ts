import { expect, it } from 'vitest';
import { anyEnvironment } from '../../../bench/any-environment.ts';
import { environmentVariables } from '../../../lambdas/catalog/environment-variables.ts';
import { readEnvironment } from '../../../lambdas/platform/runtime/environment.ts';

it('gives the measured functions a value for every variable there is', () => {
  const names = Object.keys(environmentVariables) as (keyof typeof environmentVariables)[];
  expect(Object.keys(readEnvironment(names, anyEnvironment)).sort()).toEqual([...names].sort());
});
