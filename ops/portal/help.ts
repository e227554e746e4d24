import { decisionCriteria } from '../../lambdas/portal/catalog/applications.ts';

/** What `--help` prints of the commands about the developer portal. */
const common = `Where it goes:
  --local            the system on this machine (what \`npm start\` started); taken by itself
                     unless AWS_PROFILE is set
  --system FILE      that system's description, when it isn't in .local/system.json
  --function NAME    the function to invoke in your AWS account, or set
                     APPLICATION_OPERATIONS_FUNCTION
How:
  --operator NAME    your name, as timelines show it; OPERATOR or your user name unless told
  --json             the answer as JSON
  --dry-run          print what would be sent, and ask whether it would be done; nothing is
                     written, and nobody is told
Exit code: 0 done, 1 refused, 2 the command line is wrong, 3 the outcome is unknown.`;

const width = Math.max(...Object.keys(decisionCriteria).map(({ length }) => length));
const criteria = Object.entries(decisionCriteria)
  .map(
    ([name, { name: title, mayReject }]) =>
      `  ${name.padEnd(width)}  ${title}${mayReject ? ' (may reject)' : ''}`,
  )
  .join('\n');

const apps = `Applications in the developer portal, and what is decided about them.

  apps queue
      what awaits a decision, oldest first
  apps list [--state STATE]
  apps show <application id>
      everything a decision needs: values, differences, pre-flight, calls, timeline
  apps approve <application id> [--note TEXT]
      refused, like approve-change, where two operators must approve: they do that on the
      console, where each signs in
  apps request-changes | reject <application id> --criterion NAME --reason TEXT [--field NAME]
  apps suspend | revoke <application id> --reason TEXT
      its production calls are refused from then on; revoke is final
  apps resume <application id> [--note TEXT]
  apps approve-change <application id> [--note TEXT]
  apps request-change-changes | reject-change <application id> --criterion NAME --reason TEXT
          [--field NAME]
      of an approved application, about the change it proposes

  --version N        the version you looked at: a decision about another one is refused. Where
                     it isn't told, the present one is read and shown first
  --criterion        one of the published list; members' data may be kept from an application for
                     a risk to its security only:
${criteria}
  --reason, --note   what the developer reads

${common}`;

const accounts = `Accounts of the developer portal.

  accounts queue
      organizations that await verification, oldest first
  accounts list [--state STATE]
      those that await verification unless told
  accounts show <account id>
  accounts verify <account id>
  accounts refuse <account id> --reason TEXT
      an organization; refused, its account ends
  accounts suspend <account id> --reason TEXT [--applications unattended | ID,ID]
      its sessions end at once; its team's applications run on, but for those suspended with it:
      unattended, each approved one where nobody else in its team is active; or those named
  accounts resume <account id>
      applications suspended with it stay so (apps resume)

  --version N        the version you looked at; the present one is read and shown first
                     where it isn't told

${common}`;

const operators = `Who decides in the portal's console.

  operators create --email ADDRESS --first-name NAME --last-name NAME --phone NUMBER
      prints a password, once; at the first sign-in a code goes to the phone, a US number,
      and then an authenticator app is set up
  operators list
  operators remove <operator id or e-mail address>
      its sessions end at once, and the address is free
  operators reset-authenticator <operator id or e-mail address>
      of an operator who has lost the app: its sessions end, and at the next sign-in a code
      goes to the phone. Make sure who asks

${common}`;

const testMembers = `The test members developers find in the portal.

  test-members publish
      the sandbox's synthetic members, in the place of those of before; \`members load\` puts
      them into the sandbox

${common}`;

export const portalHelp: Readonly<Record<string, string>> = {
  apps,
  accounts,
  operators,
  'test-members': testMembers,
};
