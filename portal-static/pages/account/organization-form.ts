/** Types that an organization's sign-up form and its screens share. */

import type { SignUp } from '../../../lambdas/portal/api/accounts.ts';
import type { Agreement } from '../../../lambdas/portal/catalog/agreements.ts';
import type { FormState } from '../../forms/use-form.ts';
import type { FieldName } from '../../forms/values.ts';

export type OrganizationField = FieldName<Extract<SignUp, { readonly developerType: 'payer' | 'brokerage' }>>;

export interface FormScreenProps {
  readonly form: FormState<OrganizationField>;
  readonly developerType: 'payer' | 'brokerage';
  readonly affirmation: Agreement;
}
