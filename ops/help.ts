/** Help text of `npm run ops`. */

import { endReasons } from '../lambdas/authorization/connected-apps/operator-grants-contract.ts';
import { portalHelp } from './portal/help.ts';
import { pairs } from './table.ts';

/** The text of `--help`, by the command's words; the program's own if they name no command. */
const common = `System:
  --local            the local system (started by \`npm start\`); the default unless AWS_PROFILE
                     is set
  --system FILE      description of the local system, if not .local/system.json
  --function NAME    the function to invoke in your AWS account; or set PROVISIONING_FUNCTION,
                     INGEST_FUNCTION, OPERATOR_GRANTS_FUNCTION, AUDIT_VERIFY_FUNCTION,
                     KEY_ROTATION_FUNCTION, LOAD_OPERATIONS_FUNCTION,
                     DIRECTORY_OPERATIONS_FUNCTION, JOB_OPERATIONS_FUNCTION or
                     ACCOUNT_SWEEP_FUNCTION
  --environment, -e  sandbox (default) or production
Output:
  --json             print the response as JSON
                     and errors as JSON on standard error
  --dry-run          print the request and do not send it; a command that can't refuses it
  --yes              don't ask before an act that can't be undone; without a terminal none asks
Exit codes: 0 done, 1 refused, 2 invalid command line, 3 outcome unknown.`;

const program = `Operator's command line.

  clients register|update|describe|credentials|calls|usage
          suspend|resume|revoke|rotate-secret|rotate-key|stop-secret|stop-key
          verify-organization
  members load|list|generate|sweep-accounts
  loads start|watch|list|show|rejects|retry|cancel|freshness|sweep
  jobs list|show|cancel
  directory builds|show|report|nppes|publish|page-key|load-synthetic
  grants list|end
  audit verify|reads|metrics
  keys list|rotate|remove
  apps queue|list|show
       approve|request-changes|reject|suspend|resume|revoke
       approve-change|request-change-changes|reject-change
  accounts queue|list|show|verify|refuse|suspend|resume
  operators create|list|remove|reset-authenticator
  test-members publish
  seed

For details: npm run ops -- clients --help. The same for members, loads, jobs, directory,
grants, audit, keys, apps, accounts, operators, test-members.

${common}`;

const clients = `Registers and manages the clients of one environment.

  clients register --name NAME --lob CODE [options]
  clients update <client id> --name NAME --lob CODE [options]
      replaces the whole registration; ID, state and credentials stay the same
  clients describe <client id>
  clients usage <client id> [--from YYYY-MM-DD] [--to YYYY-MM-DD]
  clients credentials <client id>
      shows its active secrets and keys; the view is audited
  clients calls <client id> [--limit N]
      lists its calls from the gateway's access log, newest first
  clients suspend | resume | revoke <client id>
      revoke is final
  clients rotate-secret | rotate-key <client id> [--overlap-seconds N]
      issues a new one; the previous one stops N seconds later (default 600). With 0, every
      other secret stops at once, and every other key within 30 seconds
  clients stop-secret | stop-key <client id> --created-at TIME
      stops the older of two: a secret at once, a key within 30 seconds. \`clients credentials\`
      shows TIME
  clients verify-organization <client id> [--npi N] [--naic N] [--tax-id N] [--oid URN]
      sets the identifiers of the payer's organization that you have verified, in place of those
      before; each may be repeated. Without any, the application can no longer match members

Options of a registration:
  --name             name of the application
  --display-name     name that members see, if different
  --lob              CHPDC, CHPMD, DSNP, MAPD, MHBE, EGWP; separate several with commas
  --product          patient-access, payer-access, provider-directory; default: all that the
                     LOBs offer
  --grant            authorization_code, client_credentials; default: those the other options allow
  --redirect-uri     may be repeated; compared character by character. With --public also
                     com.example.app:/path, and http://127.0.0.1/path with any port
  --logout-redirect-uri  where the browser goes after a logout that the application requests
  --initiate-login-uri   where a member starts to sign in at the application
  --public           a client that can't keep a secret
  --jwks FILE        public keys of a client that signs assertions (private_key_jwt); it gets no
                     secret
  --jwks-uri URL     the same, from a URL where the client publishes its keys
  --no-pkce          a confidential client without PKCE; it must use state
  --attested         the developer has attested how the application handles member data
  --suspended        register suspended: every call is refused until \`resume\`
  --tier             usage-plan tier; default: standard
  --application-uri, --privacy-uri, --terms-uri, --contact-email
  --request-id ID    repeats a command whose outcome is unknown: one ID is carried out once and
                     returns the same response for a day

${common}`;

const members = `Loads and lists members.

  members load [--file FILE]
      loads the members of a file: one JSON object on each line, as described in
      lambdas/loads/ingest/ingest-contract.ts. Without --file, loads the synthetic members (not into
      a deployed production). Sends large members in parts. Safe to repeat
  members generate --lob CODE --members NUMBER --folder FOLDER [--seed TEXT]
      writes a synthetic population as a drop for the command loads start. The same seed gives
      the same bytes in the same month. With --dry-run, describes the first members
  members sweep-accounts
      looks which accounts were disabled or enabled in the user pool, at once instead of within
      15 minutes: no application refreshes a token of a disabled account
  members list
      lists the synthetic members with their passwords, which are public test credentials
  seed [--personas | --payer-cohort]
      loads the synthetic members of both environments into the local system, and publishes the
      sandbox's on the portal's page of test members. With --personas, loads the sandbox's
      personas and publishes them too. With --payer-cohort, loads the members of the sandbox
      that other payers test with

${common}`;

const audit = `Verifies and reads the audit trail.

  audit verify [--lob CODE] [--seals-only]
      recomputes every seal of all trails (or of one LOB) and compares it with its anchor. Then
      scans the table for events that no seal covers, unless --seals-only is given. Lists what
      is missing, changed or added; exit code 1 if anything is
  audit reads --lob CODE (--member ID | --patient ID) [--from YYYY-MM-DD] [--to YYYY-MM-DD]
      lists the disclosures of a member's data, with application and time; calls of one
      application and kind that follow each other are one line. Identify the member by --member,
      the plan's member identifier, or by --patient, the Patient's ID. Days are UTC and inclusive.
      --json prints the whole record, a call an entry, with refusals and sign-ins
  audit metrics --year YYYY [--lob CODE] [--ledger FOLDER]
      prints the yearly report on Patient Access (42 CFR 422.119(f)): members whose data was sent
      to an application, and members whose data was sent more than once (on several days or to
      several applications), with the parts of the second number. Counts sealed events only;
      \`counted until\` shows the time of the last seal. With --ledger, keeps what was counted in
      FOLDER (digests of Patient IDs, applications and days), and a later run reads only the
      events sealed since

${common}`;

const loads = `Drops: files of members' data from the plan's systems (docs/drops.md). The arrival of a drop's
manifest in the ingest bucket starts its load; these commands upload, watch and mend.

  loads start FOLDER --lob CODE [--source NAME] [--drop NAME] [--kind full|delta]
                     [--product members|directory]
      uploads the folder's files, then its manifest.json, prints the load's ID, and watches the
      load. Without a manifest one is made of the .ndjson files, whose names begin with their
      type. With --dry-run checks every row on this machine, and uploads nothing
  loads watch LOAD --lob CODE
      waits until the load has ended; exit code 0 if it is reconciled. A load does not depend on
      the command that began it: this one comes back to it
  loads list --lob CODE [--limit N] [--after LOAD]
      the newest 20 loads, or those before LOAD
  loads show LOAD --lob CODE
      counts of each file
  loads rejects LOAD --lob CODE
      every row that was not loaded: file, line, code, and how to fix it, as NDJSON
  loads retry LOAD --lob CODE
      loads what was not loaded, and what was rejected, once more, and watches it
  loads cancel LOAD --lob CODE
      what is loaded stays
  loads freshness
      when each source was last reconciled; exit code 1 if one is late
  loads sweep
      starts each drop of the last seven days that has no load after 15 minutes, and fails each
      load whose execution has ended; a schedule does so every five minutes

${common}`;

const jobs = `Asynchronous jobs of Payer Access: matches of many members, and exports.

  jobs list --lob CODE [--after POSITION]
      the newest 20 jobs, with the members that are done, or those after a position that the
      list before ended with
  jobs show JOB --lob CODE
      its times and files
  jobs cancel JOB --lob CODE
      cancels a job, or removes the files of one that has ended

${common}`;

const directory = `Publications of the Provider Directory: each reconciled load of a directory (loads start
--product directory) starts a build. A build that is refused leaves the last publication.

  directory builds --lob CODE [--limit N]
      lists builds, newest first, with the reasons of those that were refused
  directory show --lob CODE
      the publications that are kept: the current one, and the one before it
  directory publish --lob CODE [--accept-loss]
      builds what is loaded, and waits. With --accept-loss a publication may have fewer
      resources than is tolerated
  directory report --lob CODE [--findings FILE]
      how much of the published directory is verified and complete; FILE gets the
      records to correct, as CSV where its name ends in .csv, else as NDJSON
  directory nppes FILE --lob CODE
      uploads the NPIs of NPPES's monthly CSV; builds of every LOB of the environment
      compare their directories with them
  directory page-key
      registers the portal's page "Find a doctor" and gives it a subscription key
  directory load-synthetic [--lob CODE] [--roles N]
      uploads a synthetic directory as a drop (not into a deployed production)

${common}`;

const grants = `Lists and ends a member's grants in one line of business, for a member who phones.
Identify the member by --member, the plan's member identifier, or by --patient, the Patient's ID.

  grants list --lob CODE --member ID
      lists each application with its scopes, start, end and last access
  grants end --lob CODE --member ID --client ID --reason CODE
  grants end --lob CODE --member ID --all --reason CODE
      ends the grants of one application or of all, like the member's own "Stop sharing". The
      application's next call and its refresh token are refused. Audited. Safe to repeat

Reasons:
${pairs(Object.entries(endReasons).map(([code, meaning]) => [`  ${code}`, meaning] as const))}

${common}`;

const keys = `Manages the keys that sign tokens, for each line of business (--lob CODE) and for the
machine-to-machine token host (--lob M2M).

  keys list --lob CODE
      lists the published keys: ID, state, start
  keys rotate --lob CODE
      the next key signs within a minute; no token and no call fails
  keys remove --lob CODE --kid ID
      removes a leaked key. APIs refuse its tokens within 45 seconds

${common}`;

export function helpText(words: readonly string[]): string {
  const ofPortal = portalHelp[words[0] ?? ''];
  if (ofPortal !== undefined) return ofPortal;
  if (words[0] === 'clients') return clients;
  if (words[0] === 'audit') return audit;
  if (words[0] === 'loads') return loads;
  if (words[0] === 'jobs') return jobs;
  if (words[0] === 'directory') return directory;
  if (words[0] === 'grants') return grants;
  if (words[0] === 'keys') return keys;
  return words[0] === 'members' || words[0] === 'seed' ? members : program;
}
