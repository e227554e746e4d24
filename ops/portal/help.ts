/** Help text of the portal commands. */

import { decisionCriteria } from '../../lambdas/portal/catalog/application-states.ts';

/** The text of `--help` for the commands about the developer portal. */
const common = `System:
  --local            the local system (started by \`npm start\`); the default unless AWS_PROFILE
                     is set
  --system FILE      description of the local system, if not .local/system.json
  --function NAME    the function to invoke in your AWS account; or set
                     APPLICATION_OPERATIONS_FUNCTION
Output:
  --operator NAME    your name in timelines; default: OPERATOR, or your user name
  --json             print the response as JSON
  --dry-run          print the request and check whether it would be accepted; nothing is
                     written and no mail is sent
Exit codes: 0 done, 1 refused, 2 invalid command line, 3 outcome unknown.`;

const width = Math.max(...Object.keys(decisionCriteria).map(({ length }) => length));
const criteria = Object.entries(decisionCriteria)
  .map(
    ([name, { name: title, mayReject }]) =>
      `  ${name.padEnd(width)}  ${title}${mayReject ? ' (may reject)' : ''}`,
  )
  .join('\n');

const apps = `Shows and decides on applications in the developer portal.

  apps queue
      lists what waits for a decision, oldest first
  apps list [--state STATE]
  apps show <application id>
      shows everything a decision needs: values, differences, pre-flight, calls, timeline
  apps approve <application id> [--note TEXT]
      approve and approve-change are refused if two operators must approve; they approve on the
      console, where each signs in
  apps request-changes | reject <application id> --criterion NAME --reason TEXT [--field NAME]
  apps suspend | revoke <application id> --reason TEXT
      refuses its production calls from then on; revoke is final
  apps resume <application id> [--note TEXT]
  apps approve-change <application id> [--note TEXT]
  apps request-change-changes | reject-change <application id> --criterion NAME --reason TEXT
          [--field NAME]
      decides on the change that an approved application proposes

  --version N        the version you reviewed; a decision on another version is refused. Without
                     it, the current version is read and shown first
  --criterion        a published criterion. Only a security risk may keep members' data from an
                     application:
${criteria}
  --reason, --note   text for the developer

${common}`;

const accounts = `Shows and decides on accounts of the developer portal.

  accounts queue
      lists organizations that wait for verification, oldest first
  accounts list [--state STATE]
      lists accounts in a state; default: those that wait for verification
  accounts show <account id>
  accounts verify <account id>
  accounts refuse <account id> --reason TEXT
      refuses an organization and ends its account
  accounts suspend <account id> --reason TEXT [--applications unattended | ID,ID]
      ends its sessions at once. Its team's applications keep running, except those suspended
      with it: with unattended, each approved application if nobody else in the team is active;
      or the listed ones
  accounts resume <account id>
      applications suspended with it stay suspended (use apps resume)

  --version N        the version you reviewed. Without it, the current version is read and shown
                     first

${common}`;

const operators = `Manages the operators of the portal's console.

  operators create --email ADDRESS --first-name NAME --last-name NAME --phone NUMBER
      prints a password once. At the first sign-in a code goes to the phone, a US number; then
      the operator sets up an authenticator app
  operators list
  operators remove <operator id or e-mail address>
      ends the operator's sessions at once; the address can be used again
  operators reset-authenticator <operator id or e-mail address>
      for an operator who lost the app: ends the sessions, and sends a code to the phone at the
      next sign-in. Verify the person's identity first

${common}`;

const testMembers = `Publishes the test members that developers see in the portal.

  test-members publish
      replaces the published test members with the sandbox's synthetic members; \`members load\`
      loads them into the sandbox

${common}`;

export const portalHelp: Readonly<Record<string, string>> = {
  apps,
  accounts,
  operators,
  'test-members': testMembers,
};
