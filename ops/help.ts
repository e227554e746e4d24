import { endReasons } from '../lambdas/oauth/connected-apps/operator-grants-contract.ts';
import { portalHelp } from './portal/help.ts';
import { pairs } from './table.ts';

/** What `--help` prints, by the command's words; the program's own where they name none. */
const common = `Where it goes:
  --local            the system on this machine (what \`npm start\` started); taken by itself
                     unless AWS_PROFILE is set
  --system FILE      that system's description, when it isn't in .local/system.json
  --function NAME    the function to invoke in your AWS account, or set
                     PROVISIONING_FUNCTION, INGEST_FUNCTION, MEMBER_GRANTS_FUNCTION,
                     AUDIT_VERIFY_FUNCTION or KEY_ROTATION_FUNCTION
  --environment, -e  sandbox (unless told) or production
How:
  --json             the answer as JSON
  --dry-run          print what would be sent, and send nothing
Exit code: 0 done, 1 refused, 2 the command line is wrong, 3 the outcome is unknown.`;

const program = `The operator's command line.

  clients register|update|describe|credentials|calls|usage
          suspend|resume|revoke|rotate-secret|rotate-key|stop-secret|stop-key
  members load|list
  grants list|end
  audit verify|reads|metrics
  keys list|rotate|remove
  apps queue|list|show
       approve|request-changes|reject|suspend|resume|revoke
       approve-change|request-change-changes|reject-change
  accounts queue|list|show|verify|refuse|suspend|resume
  operators create|list|remove
  test-members publish
  seed

npm run ops -- clients --help; likewise members, grants, audit, keys, apps, accounts, operators,
test-members

${common}`;

const clients = `Applications of one environment.

  clients register --name NAME --lob CODE [options]
  clients update <client id> --name NAME --lob CODE [options]
      the whole registration anew; id, state and credentials stay
  clients describe <client id>
  clients usage <client id> [--from YYYY-MM-DD] [--to YYYY-MM-DD]
  clients credentials <client id>
      its live secrets and keys; audited
  clients calls <client id> [--limit N]
      what the gateway logged of its calls, newest first
  clients suspend | resume | revoke <client id>
      revoke is final
  clients rotate-secret | rotate-key <client id> [--overlap-seconds N]
      the one before it stops N seconds later (600 unless told); 0 ends all others at once
  clients stop-secret | stop-key <client id> --created-at TIME
      ends the older of two at once; \`clients credentials\` has its time

A registration:
  --name             what it is called; --display-name is what members see, where it differs
  --lob              CHPDC, CHPMD, DSNP, MAPD, MHBE, EGWP; several with commas
  --product          patient-access, payer-access, provider-directory; all the LOBs offer unless told
  --grant            authorization_code, client_credentials; those that fit unless told
  --redirect-uri     may be given several times; compared character by character (with --public also com.example.app:/path
                     and http://127.0.0.1/path, whose port may be any)
  --logout-redirect-uri  where the browser may go after a logout the application asked for
  --initiate-login-uri   where a member begins to sign in at the application
  --public           a client that can't keep a secret
  --jwks FILE        a client that signs with a key of its own (private_key_jwt): its public
                     keys; or --jwks-uri URL, where it publishes them. It gets no secret
  --no-pkce          a confidential client that doesn't use PKCE (then it must use state)
  --attested         its developer attested how it handles member data
  --suspended        begins suspended: every call is refused until \`resume\`
  --tier             usage-plan tier; standard unless told
  --application-uri, --privacy-uri, --terms-uri, --contact-email
  --request-id ID    repeat an act whose outcome is unknown: the same id is done once, and
                     answered alike for a day

${common}`;

const members = `Members.

  members load [--file FILE]
      the synthetic members (not into a deployed production), or those of a file: one JSON
      object a line, as lambdas/members/ingest-contract.ts describes it. A member of more
      than an invocation takes is sent in parts. Repeatable.
  members list
      the synthetic members with their passwords: test credentials, meant to be known
  seed
      the synthetic members of both environments into the system on this machine, and the
      sandbox's onto the portal's page of test members

${common}`;

const audit = `The audit trail.

  audit verify [--lob CODE] [--seals-only]
      computes every seal anew, of all trails unless told, and compares it with its anchor; then
      reads the whole table for events that are in no seal. Names what is missing, changed or
      added; exit code 1 if anything is. --seals-only leaves the table unread
  audit reads --lob CODE --patient ID [--from YYYY-MM-DD] [--to YYYY-MM-DD]
      what was given of a member's data, to which application and when; days are UTC, both
      inside. --json has all that is on record, refusals and sign-ins too
  audit metrics --year YYYY [--lob CODE]
      the yearly report on Patient Access (42 CFR 422.119(f)): members whose data was sent to
      an application, and more than once: on several days or to several applications. What is
      behind the second number comes after it. Counts by the sealed trail; \`counted until\` says
      how far that reaches

${common}`;

const grants = `What a member shares with applications in one line of business, for a member who phones. The
member is told by --member, the plan's member identifier, or by --patient, the id of the Patient.

  grants list --lob CODE --member ID
      each application with its scopes, since when, until when, and when it last got data
  grants end --lob CODE --member ID --client ID --reason CODE
  grants end --lob CODE --member ID --all --reason CODE
      ends what one application was allowed, or all of them, as the member's own "Stop sharing"
      does: its next call is refused, and so is its refresh token. Audited. It is safe to repeat

The reason is one of:
${pairs(Object.entries(endReasons).map(([code, meaning]) => [`  ${code}`, meaning] as const))}

${common}`;

const keys = `The keys tokens are signed with, of each line of business (--lob CODE) and of the
machine-to-machine token host (--lob M2M).

  keys list --lob CODE
      the published keys: id, state, since when
  keys rotate --lob CODE
      the next key signs, within a minute; no token and no call is lost
  keys remove --lob CODE --kid ID
      a stolen key: it is taken out at once, and its tokens with it; APIs refuse it within
      90 seconds

${common}`;

export function helpText(words: readonly string[]): string {
  const ofPortal = portalHelp[words[0] ?? ''];
  if (ofPortal !== undefined) return ofPortal;
  if (words[0] === 'clients') return clients;
  if (words[0] === 'audit') return audit;
  if (words[0] === 'grants') return grants;
  if (words[0] === 'keys') return keys;
  return words[0] === 'members' || words[0] === 'seed' ? members : program;
}
