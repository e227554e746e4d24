/**
 * Every problem the portal's API can answer with: its stable `code`, its status, and what helps. The API's answers (RFC 9457),
 * the pages' messages and the public list of errors are made of this table.
 */
interface Problem {
  readonly status: number;
  /** One sentence, the same for every occurrence (RFC 9457 section 3.1.3). */
  readonly title: string;
  /** The way to correct it. */
  readonly fix: string;
}

export const portalProblems = {
  invalid_request: {
    status: 400,
    title: 'The request has values that cannot be accepted.',
    fix: 'Each entry of `errors` names a field, what was expected of it and a code. Correct these and send the request again.',
  },
  invalid_json: {
    status: 400,
    title: 'The body is not a JSON object.',
    fix: 'Send a JSON object with `Content-Type: application/json`.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is larger than this API takes.',
    fix: 'Send at most 64 KB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body has a type this API does not read.',
    fix: 'Send `Content-Type: application/json`.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing here for you.',
    fix: 'Check the address. What belongs to another team is answered in the same way as what does not exist.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This address does not take that method.',
    fix: 'The `Allow` header names the methods it takes.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request does not come from the portal’s own pages.',
    fix: 'Use the portal in one browser tab of its own origin.',
  },
  signed_out: {
    status: 401,
    title: 'You are not signed in, or your session has ended.',
    fix: 'Sign in again. What you typed is kept in your draft.',
  },
  password_needed: {
    status: 403,
    title: 'Your password is needed once more.',
    fix: 'Send it as `password`; it opens secrets for five minutes in this session.',
  },
  wrong_password: {
    status: 403,
    title: 'That is not the password of this account.',
    fix: 'Check for caps lock, or set a new password.',
  },
  sign_in_refused: {
    status: 401,
    title: 'E-mail address or user name and password do not fit together.',
    fix: 'Check both, or set a new password. The answer is the same for accounts that do not exist.',
  },
  account_state: {
    status: 409,
    title: 'The account is in a state that does not allow this.',
    fix: 'The field `state` says where the account stands; its next step is shown after signing in.',
  },
  account_suspended: {
    status: 403,
    title: 'This account has been suspended.',
    fix: 'Write to the address at the foot of the page.',
  },
  account_locked: {
    status: 403,
    title: 'This account is locked after too many wrong passwords.',
    fix: 'Set a new password by the link on the sign-in page.',
  },
  bot_check_failed: {
    status: 400,
    title: 'The check that you are a person did not pass.',
    fix: 'Do the check again; each one counts once and for ten minutes.',
  },
  wrong_code: {
    status: 400,
    title: 'That is not the code we sent.',
    fix: 'Type the six digits of the newest message. `triesLeft` says how many tries remain.',
  },
  code_expired: {
    status: 400,
    title: 'The code is no longer valid.',
    fix: 'A code is valid for 10 minutes and for five tries. Ask for a new one.',
  },
  too_many_codes: {
    status: 429,
    title: 'Too many codes were sent.',
    fix: 'Wait as long as `Retry-After` says: 60 seconds between codes, five an hour and ten a day for one destination. Signing in, a new password, and an address or number that is not confirmed yet are counted apart.',
  },
  too_many_tries: {
    status: 429,
    title: 'Too many codes were typed.',
    fix: 'Wait as long as `Retry-After` says, then ask for a new code. There are ten tries an hour, for all the codes of one purpose together.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests.',
    fix: 'Wait as long as `Retry-After` says.',
  },
  stale_version: {
    status: 409,
    title: 'This was changed in the meantime.',
    fix: 'Nothing you sent was saved. `current` is what it is now and `changed` names the fields; look at them and send again with the new `version`.',
  },
  state_conflict: {
    status: 409,
    title: 'The application is in a state that does not allow this.',
    fix: 'The field `state` says where it stands, `allowed` what can be done from there.',
  },
  terms_outdated: {
    status: 409,
    title: 'A newer text has been published.',
    fix: 'Read and accept the version named in `version`.',
  },
  preflight_failed: {
    status: 409,
    title: 'Something must be done before this.',
    fix: 'Each entry of `checks` with the result `fail` says what.',
  },
  limit_reached: {
    status: 409,
    title: 'There is no room for another one.',
    fix: 'The field `limit` says how many there may be. Remove one first.',
  },
  applications_live: {
    status: 409,
    title: 'Your team has applications, and nobody else is in it.',
    fix: 'Withdraw them first, or invite somebody to the team who goes on with them. One that is suspended is ended by an operator: write to the address at the foot of the page.',
  },
  too_many_credentials: {
    status: 409,
    title: 'Two are live already.',
    fix: 'Stop the older one, or wait until it ends, before making a third.',
  },
  four_eyes: {
    status: 409,
    title: 'A second operator must take this decision too.',
    fix: 'Your decision is kept. Another operator confirms it.',
  },
  owners_only: {
    status: 403,
    title: 'Only owners of the team may do this.',
    fix: 'Ask an owner: the page of the team says who they are. Anybody may leave a team.',
  },
  invitation_invalid: {
    status: 400,
    title: 'The invitation is used, has ended or was withdrawn.',
    fix: 'Ask your team for a new one. An invitation is for one e-mail address and seven days.',
  },
  authenticator_needed: {
    status: 403,
    title: 'Set up an authenticator app first.',
    fix: 'Operators of this portal sign in with the codes of an authenticator app. Set one up under “Your account”.',
  },
  environment_unavailable: {
    status: 503,
    title: 'The environment does not answer right now.',
    fix: 'Try again in a moment. The same request again makes nothing twice.',
  },
  act_pending: {
    status: 503,
    title: 'This was saved, and an environment has not confirmed it yet.',
    fix: 'Until it does, calls may be answered as before. The portal tries again every few seconds; do the same again to have it tried at once.',
  },
  unavailable: {
    status: 503,
    title: 'The portal cannot answer right now.',
    fix: 'Try again in a moment. If you were changing something, look first whether it was saved.',
  },
  defect: {
    status: 500,
    title: 'Something went wrong on our side.',
    fix: 'Try again. If it stays, tell us the `requestId`.',
  },
} as const satisfies Readonly<Record<string, Problem>>;

export type ProblemCode = keyof typeof portalProblems;
