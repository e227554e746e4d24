import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { callRefusals } from '../../../lambdas/catalog/call-refusals.ts';
import { shownReasons } from '../../../lambdas/catalog/oauth/token-refusals.ts';

/** Files with the reasons of the token, revocation and introspection endpoints. */
const folder = new URL('../../../lambdas/authorization/token/', import.meta.url);

/** Words in the form of a reason that are none: parameters, grant types, methods and scopes. */
const otherWords = [
  /^(client_id|client_secret|client_assertion|client_assertion_type|code_verifier|redirect_uri|grant_type|expires_in)$/,
  /^(authorization_code|refresh_token|client_credentials|offline_access|private_key_jwt|access_token)$/,
  /^(invalid|unsupported|unauthorized|insufficient|temporarily)_/,
  /^(not_found|family_changed|code_used|token_unknown|token_superseded|token_revoked|client_unknown)$/,
  // Reasons of UserInfo, whose calls are not in the log of calls.
  /^(openid_not_granted|request_malformed|login_required)$/,
];

it('explains every reason of the token endpoints to the developer', () => {
  const words = readdirSync(folder)
    .filter((file) => file !== 'userinfo-endpoint.ts')
    .flatMap((file) => [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(
        /'([a-z]+(?:_[a-z]+)+)'|^ {2}([a-z]+(?:_[a-z]+)+): '/gm,
      ),
    ])
    .map(([, quoted, key]) => quoted ?? key ?? '')
    .filter((word) => !otherWords.some((form) => form.test(word)));
  const unexplained = [...new Set(words)].filter((word) => {
    const shown = shownReasons[word] ?? word;
    return callRefusals[shown] === undefined;
  });
  expect(unexplained).toEqual([]);
  expect(words).toContain('code_verifier_wrong');
});
