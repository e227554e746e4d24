/**
 * Every problem that the portal's API can return, with its stable `code`, HTTP status and fix. The API's responses (RFC 9457), the pages'
 * messages and the public list of errors are made from this table.
 */

interface Problem {
  readonly status: number;
  /** One sentence, the same for every occurrence (RFC 9457 section 3.1.3). */
  readonly title: string;
  /** The correction that the caller can make, in a sentence. */
  readonly fix: string;
}

export const portalProblems = {
  invalid_request: {
    status: 400,
    title: 'The request has invalid values.',
    fix: 'Each entry of `errors` names a field, the expected value and a code. Correct the fields and send the request again.',
  },
  invalid_json: {
    status: 400,
    title: 'The body is not a JSON object.',
    fix: 'Send a JSON object with `Content-Type: application/json`.',
  },
  body_too_large: {
    status: 413,
    title: 'The request body is too large.',
    fix: 'Send at most 64 KB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type of the body is not supported.',
    fix: 'Send `Content-Type: application/json`.',
  },
  not_found: {
    status: 404,
    title: 'This was not found, or you do not have access to it.',
    fix: 'Check the address. Records of other teams are reported as not found.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This address does not support that method.',
    fix: 'The `Allow` header lists the supported methods.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request did not come from a page of the portal.',
    fix: 'Open the portal in your browser and try again.',
  },
  signed_out: {
    status: 401,
    title: 'You are not signed in, or your session has ended.',
    fix: 'Sign in again. The portal keeps a draft of what you typed.',
  },
  password_needed: {
    status: 403,
    title: 'Enter your password again to continue.',
    fix: 'Send your password as `password`; it gives this session access to secrets for five minutes.',
  },
  wrong_password: {
    status: 403,
    title: 'Incorrect password.',
    fix: 'Check that Caps Lock is off, or set a new password.',
  },
  sign_in_refused: {
    status: 401,
    title: 'Incorrect e-mail or password.',
    fix: 'Check your e-mail address or user name and your password, or set a new password.',
  },
  account_state: {
    status: 409,
    title: 'The state of the account does not allow this.',
    fix: 'The field `state` gives the state of the account. Sign in to see the next step.',
  },
  account_suspended: {
    status: 403,
    title: 'This account is suspended.',
    fix: 'Write to the address at the bottom of the page.',
  },
  account_locked: {
    status: 403,
    title: 'This account is locked after too many incorrect passwords.',
    fix: 'Set a new password with the link on the sign-in page.',
  },
  bot_check_failed: {
    status: 400,
    title: 'The check that you are a person failed.',
    fix: 'Complete the check again. Each check is valid once, for ten minutes.',
  },
  wrong_code: {
    status: 400,
    title: 'Incorrect code.',
    fix: 'Enter the six digits from the latest message. `triesLeft` gives the number of tries left.',
  },
  code_expired: {
    status: 400,
    title: 'The code is no longer valid.',
    fix: 'A code is valid for 10 minutes and five tries. Request a new code.',
  },
  too_many_codes: {
    status: 429,
    title: 'Too many codes were sent.',
    fix: 'Wait the number of seconds in `Retry-After`. The limits for one destination are one code in 60 seconds, five an hour and ten a day. Codes for signing in, for a new password, and for an unconfirmed address or number are counted separately.',
  },
  too_many_tries: {
    status: 429,
    title: 'Too many codes were entered.',
    fix: 'Wait the number of seconds in `Retry-After`, then request a new code. The limit is ten tries an hour for all codes of one purpose.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests.',
    fix: 'Wait the number of seconds in `Retry-After`.',
  },
  job_ended: {
    status: 409,
    title: 'The job was cancelled before, or it has expired.',
    fix: 'Its files are removed. Reload the page to see its state.',
  },
  stale_version: {
    status: 409,
    title: 'This was changed after you opened it.',
    fix: 'Nothing you sent was saved. `current` has the current values and `changed` names the changed fields; review them and send the request again with the new `version`.',
  },
  state_conflict: {
    status: 409,
    title: 'The state of the application does not allow this.',
    fix: 'The field `state` gives the current state, and `allowed` lists the actions it allows.',
  },
  terms_outdated: {
    status: 409,
    title: 'A newer version of the text is published.',
    fix: 'Read and accept the version named in `version`.',
  },
  preflight_failed: {
    status: 409,
    title: 'Some checks failed.',
    fix: 'Each entry of `checks` with the result `fail` says what to correct.',
  },
  limit_reached: {
    status: 409,
    title: 'You have as many of these as you can have.',
    fix: 'The field `limit` gives the maximum number. Remove one that you no longer need, then try again.',
  },
  applications_live: {
    status: 409,
    title: 'Your team has active applications and no other member.',
    fix: 'Withdraw the applications, or invite someone to the team who takes them over. To end a suspended application, write to the address at the bottom of the page.',
  },
  too_many_credentials: {
    status: 409,
    title: 'Two credentials of this kind are already active.',
    fix: 'Stop the older one, or wait until it expires, before you create another.',
  },
  four_eyes: {
    status: 409,
    title: 'A second operator must confirm this decision.',
    fix: 'Your decision is saved. Ask another operator to confirm it.',
  },
  appeal_own_decision: {
    status: 409,
    title: 'Another operator must decide this appeal.',
    fix: 'You rejected the application, and nothing was saved. Ask another operator to decide the appeal.',
  },
  owners_only: {
    status: 403,
    title: 'Only owners of the team can do this.',
    fix: 'Ask an owner. The Team page lists the owners. Any member can leave a team.',
  },
  invitation_invalid: {
    status: 400,
    title: 'The invitation is no longer valid.',
    fix: 'Ask your team for a new invitation. An invitation works once, for one e-mail address, within seven days, unless it is withdrawn.',
  },
  authenticator_needed: {
    status: 403,
    title: 'Set up an authenticator app first.',
    fix: 'Operators sign in with codes from an authenticator app. Set up an app under “Your account”.',
  },
  environment_unavailable: {
    status: 503,
    title: 'The environment is not available right now.',
    fix: 'Try again in a moment. Repeating the request does not create duplicates.',
  },
  act_pending: {
    status: 503,
    title: 'Your change is saved, but an environment has not confirmed it yet.',
    fix: 'Until it does, calls may be answered as before. The portal tries again every few seconds. Repeat the action to try again now.',
  },
  unavailable: {
    status: 503,
    title: 'The portal is not available right now.',
    fix: 'Try again in a moment. If you were changing something, first check whether it was saved.',
  },
  defect: {
    status: 500,
    title: 'The portal could not complete the request.',
    fix: 'Try again. If the problem continues, tell us the `requestId`.',
  },
} as const satisfies Readonly<Record<string, Problem>>;

export type ProblemCode = keyof typeof portalProblems;
