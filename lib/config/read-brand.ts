import type { PlanBrand } from '../../lambdas/catalog/plan-brand.ts';
import { brand } from './brand.ts';
import { parseBrand } from './brand-configuration.ts';

/**
 * Reads and checks the plan's brand.
 *
 * @returns undefined if none is configured.
 * @throws ConfigurationError
 */
export function readBrand(): PlanBrand | undefined {
  return brand === undefined ? undefined : parseBrand(brand);
}
