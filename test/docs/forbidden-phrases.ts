/** A phrase that no text for a reader may have, and the plain words for it. */
export interface ForbiddenPhrase {
  readonly phrase: RegExp;
  readonly instead: string;
}

/** Phrases of earlier texts that readers did not understand. Add a row for each phrase that you replace. */
export const forbiddenPhrases: readonly ForbiddenPhrase[] = [
  { phrase: / — /, instead: 'a full stop, a comma or parentheses' },
  { phrase: /\bunless told\b/i, instead: 'default: …' },
  { phrase: /\banew\b/i, instead: 'again' },
  { phrase: /\bletter by letter\b/i, instead: 'character by character' },
  { phrase: /\bletters count\b/i, instead: 'is case-sensitive' },
  { phrase: /\bthere is nothing at\b/i, instead: 'was not found' },
  { phrase: /\bif it stays\b/i, instead: 'if the error persists' },
  { phrase: /\bon our side\b/i, instead: 'the service failed to …' },
  { phrase: /\bas long as `?Retry-After/i, instead: 'the seconds in `Retry-After`' },
  { phrase: /\bopens nothing\b/i, instead: 'grants no access' },
  { phrase: /\bnobody waits\b/i, instead: 'runs in the background' },
  { phrase: /\bside by side\b/i, instead: 'in parallel' },
  { phrase: /\bwhat (?:is|was) asked\b/i, instead: 'the request, the requested …' },
  {
    phrase: /\bwhat it is worth\b|\bwhat a token is worth\b|\bis worth nothing\b/i,
    instead: 'the state of …; no longer works',
  },
  { phrase: /\bkept sign-in\b|\bkeeps? (?:a|the|their) sign-in\b/i, instead: 'SSO session' },
  { phrase: /\bstands in for\b/i, instead: 'replaces' },
  { phrase: /\bgoes on\b|\bgo on\b|\bgoing on\b/i, instead: 'continue, keep running' },
  { phrase: /\bfor good\b/i, instead: 'permanently' },
  { phrase: /\blook again\b/i, instead: 'refresh, read it again' },
  { phrase: /\bwhich (?:command|function)\?/i, instead: 'no command given' },
  { phrase: /\bis none of\b/i, instead: 'is not …; use …' },
  { phrase: /\bwould be done; nothing was\b/i, instead: 'dry run: would …' },
  { phrase: /\blives? side\b|\blet in again\b/i, instead: 'resumed' },
  { phrase: /\bwho is it\?/i, instead: 'the member is missing' },
  { phrase: /\b(?:is|are) held to\b|\bholds? this (?:page|table) to\b/i, instead: 'checks against' },
  { phrase: /\bone a (?:function|line|tier|environment|service)\b/i, instead: 'one for each …' },
  { phrase: /\bwhoever['’]s\b/i, instead: 'for any account' },
  { phrase: /\bthe way to what\b/i, instead: 'a link to …' },
  { phrase: /\bby heart\b|\bby hand on\b/i, instead: 'manually' },
  {
    phrase: /\b(?:behaviour|colour|enrolment|favour|licence|normalis|organis|recognis)/i,
    instead: 'American spelling',
  },
  { phrase: /\b(?:dead grant|grant is dead|token is dead)\b/i, instead: 'has ended' },
  { phrase: /\bwords the refusal\b/i, instead: 'formats the error' },
  { phrase: /\bit is no (?:call|page|error)\b/i, instead: 'is not' },
  { phrase: /\bwhat stands\b/i, instead: 'the fixed costs, the resources' },
  { phrase: /\bneeds? another look\b/i, instead: 'There are … problems' },
  { phrase: /\bsame password again\b/i, instead: 'Confirm password' },
  {
    phrase: /\bdo(?:es)? not fit together\b/i,
    instead: 'Incorrect e-mail or password; contradict each other',
  },
  {
    phrase: /\bdrop (?:this|the|a) (?:sign-up|change|draft)\b|^drop it$/i,
    instead: 'start over, discard, delete',
  },
  { phrase: /^before$/i, instead: 'previous' },
  { phrase: /\bawaited\b/i, instead: 'waiting' },
  { phrase: /\blet it (?:run|work) again\b/i, instead: 'reinstate' },
  { phrase: /\btells? (?:every|all|each)\b/i, instead: 'lists every …' },
  { phrase: /\b(?:weakness|mended|to mend|mend it)\b/i, instead: 'vulnerability, fixed, to fix' },
  { phrase: /\bhow to complain\b/i, instead: 'file a complaint' },
  { phrase: /\bwhat your calls carry\b/i, instead: 'your credentials' },
  { phrase: /\bsaid yes\b/i, instead: 'consents' },
  { phrase: /\bmade-up (?:members?|data)\b/i, instead: 'fictional' },
  {
    phrase: /\bkeys? (?:\w+ ){0,3}stops? at once\b|\bold one stops at once\b/i,
    instead: 'stops within 30 seconds',
  },
  { phrase: /\bstops? looking\b|\bby itself every\b/i, instead: 'automatic refresh' },
  {
    phrase: /\bthere is nothing (?:here )?for you\b|\bnothing in the way\b/i,
    instead: 'was not found; all checks passed',
  },
];
