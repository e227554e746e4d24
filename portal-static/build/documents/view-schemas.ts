/** Builders of the portal's response schemas, compared by the compiler with the types in `lambdas/portal/api/views.ts` and `operator-views.ts`. */

import * as z from 'zod';
import { environments } from '../../../lambdas/catalog/environments.ts';
import { interfaceNames } from '../../../lambdas/catalog/fhir/interfaces.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { accountStateNames } from '../../../lambdas/portal/catalog/account-states.ts';
import {
  applicationStateNames,
  applicationTransitions,
  changeStates,
  changeTransitions,
  decisionCriterionNames,
} from '../../../lambdas/portal/catalog/application-states.ts';

/**
 * Builders of the portal's response schemas. The compiler compares each schema with its view's type in both directions, so that a field
 * added, renamed or removed there is a type error here.
 */

/** A type prepared for the comparison: without `readonly`, and with optional members marked. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? {
        [Key in keyof T]-?: object extends Pick<T, Key>
          ? { optional: Plain<Exclude<T[Key], undefined>> }
          : Plain<T[Key]>;
      }
    : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? unknown : never) : never;

/** Makes a function that accepts only a schema of exactly this view. */
export function view<View>() {
  return <Schema extends z.ZodType>(
    schema: Schema & Same<Plain<z.output<Schema>>, Plain<View>>,
    id: string,
    description?: string,
  ): z.ZodType<View> =>
    (schema as z.ZodType).meta({ id, ...(description !== undefined && { description }) }) as z.ZodType<View>;
}

export const names = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];
export const time = () => z.string().meta({ description: 'ISO 8601, UTC.' });
export const environment = z.enum(environments);
export const lineOfBusiness = z.enum(lineOfBusinessCodes as readonly (typeof lineOfBusinessCodes)[number][]);
export const product = z.enum(interfaceNames as readonly (typeof interfaceNames)[number][]);
export const accountState = z.enum(accountStateNames as readonly (typeof accountStateNames)[number][]);
export const applicationState = z.enum(
  applicationStateNames as readonly (typeof applicationStateNames)[number][],
);
export const changeState = z.enum(names(changeStates));
export const criterion = z.enum(decisionCriterionNames as readonly (typeof decisionCriterionNames)[number][]);
export const stateActs = [...names(applicationTransitions), ...names(changeTransitions)];
export const optional = z.exactOptional;
