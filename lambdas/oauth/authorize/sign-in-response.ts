import type { Digests } from '../../kernel/digests.ts';
import { applicationOf } from '../pages/application.ts';
import { formActionOf, type SignInError, signInPage } from '../pages/sign-in-page.ts';
import { formTokenOf } from './browser-binding.ts';
import type { PageResponse } from './browser-request.ts';
import type { FoundInteraction } from './find-interaction.ts';

/** Renders the sign-in page of an interaction, after an error with its message. */
export function signInPageResponse(
  { digests }: { readonly digests: Digests },
  { binding, client, interaction, request }: FoundInteraction,
  also: {
    readonly error?: SignInError;
    readonly username?: string | undefined;
    readonly keep?: boolean;
  } = {},
): PageResponse {
  const html = signInPage({
    language: request.language,
    lob: request.lob,
    application: client === undefined ? undefined : applicationOf(client),
    handle: binding.handle,
    formToken: formTokenOf(binding, digests),
    ...also,
  });
  const target = interaction.request?.redirectUri;
  return {
    kind: 'page',
    status: 200,
    html,
    ...(target !== undefined && { formAction: formActionOf(target) }),
  };
}
