/** State of the sign-up form for one developer type: fields, checks, submission. */

import { useLocation } from 'preact-iso/router';
import type { SignUp } from '../../../lambdas/portal/api/accounts.ts';
import type { DeveloperType } from '../../../lambdas/portal/catalog/account-states.ts';
import { call } from '../../api/portal-client.ts';
import { dropInvitation, keptInvitation } from '../../app/kept-invitation.ts';
import { homeOf, useSession } from '../../app/session.tsx';
import { type BotCheckField, useBotCheck } from '../../components/bot-check.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { type FormState, useForm } from '../../forms/use-form.ts';
import type { FieldName, FieldValues } from '../../forms/values.ts';

type SignUpOf<Type extends DeveloperType> = Extract<SignUp, { readonly developerType: Type }>;

/**
 * Makes the sign-up form of a developer type. The request also contains the type and the token of an invitation that the visitor opened.
 */
export function useSignUp<Type extends DeveloperType>(
  developerType: Type,
  initial: FieldValues = {},
): { readonly form: FormState<FieldName<SignUpOf<Type>>>; readonly check: BotCheckField } {
  const check = useBotCheck();
  const { refresh } = useSession();
  const { route } = useLocation();
  const invitation = keptInvitation();
  const form: FormState<FieldName<SignUpOf<Type>>> = useForm<SignUpOf<Type>, unknown>({
    schema: async () => (await accountSchemas()).signUpSchemas[developerType] as never,
    initial: { developerType, ...initial, ...(invitation === undefined ? {} : { invitation }) },
    draft: `sign-up-${developerType}`,
    botCheck: check,
    send: async (body) => {
      const outcome = await call('POST /api/accounts', { body });
      // Removes the expired invitation, so that submitting again signs up without it; the page says that it has expired.
      if (!outcome.ok && outcome.problem.code === 'invitation_invalid') {
        dropInvitation();
        form.set('invitation' as never, '');
      }
      return outcome;
    },
    done: async () => {
      dropInvitation();
      const state = await refresh();
      route(state.kind === 'signed_in' ? homeOf(state.account) : '/verify-email');
    },
  });
  return { form, check };
}
