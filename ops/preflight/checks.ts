/** The checks of an account before a stage is deployed. */

import { accountRights, type CloudAccount } from './account.ts';
import { type AccountFinding, ready, todo } from './account-finding.ts';
import { findCertificate } from './find-certificate.ts';
import type { NamedKind, StageNeeds } from './needs.ts';

/** The stage, its account, and the stacks that exist. */
export interface Checked {
  readonly needs: StageNeeds;
  readonly account: CloudAccount;
  /** Status of each existing stack, by name. */
  readonly stacks: ReadonlyMap<string, string>;
  readonly now: Date;
}

export interface Check {
  readonly id: string;
  /** Questions that it asks; their rights are in `accountRights`. */
  readonly asks: readonly (keyof CloudAccount)[];
  readonly find: (checked: Checked) => Promise<AccountFinding | readonly AccountFinding[]>;
}

/** Concurrent executions that Lambda keeps for functions without a reservation. */
const keptUnreserved = 100;
/** Memory in MB that every account allows a function; new accounts allow no more. */
const memoryOfNewAccounts = 3_008;
/** API keys and usage plans of an account and Region. Source: API Gateway, "Quotas for configuring and running a REST API". */
const mostApiKeys = 10_000;
const mostUsagePlans = 300;
/** Keys of one application during a rotation: for metering, the current and the next. */
const keysOfAnApplication = 3;
/** Dollars a month that SNS allows for text messages unless raised. */
const defaultTextDollars = 1;

/** All checks, in the order in which their acts are done: those that wait for AWS or for a domain's owner first. */
export const checks: readonly Check[] = [
  {
    id: 'account',
    asks: ['callerAccount'],
    async find({ needs: { account, stage }, account: asked }) {
      const caller = await asked.callerAccount();
      if (caller === account) return ready(`The credentials belong to account ${account}.`);
      return todo(
        `The credentials belong to account ${caller}, but lib/config/ has ${account} for ${stage}.`,
        `Set AWS_PROFILE to a profile of account ${account}, or correct \`account\` in lib/config/. The other results are those of account ${caller}.`,
      );
    },
  },
  {
    id: 'bootstrap',
    asks: ['bootstrapVersion'],
    async find({ needs: { bootstrap, account, region }, account: asked }) {
      const version = await asked.bootstrapVersion(bootstrap.parameter);
      if (version !== undefined && version >= bootstrap.version) {
        return ready(`CDK is bootstrapped, version ${version}.`);
      }
      const found =
        version === undefined
          ? `CDK is not bootstrapped in ${region}.`
          : `The bootstrap stack has version ${version}; the templates need ${bootstrap.version}.`;
      return todo(found, `Run \`npx cdk bootstrap aws://${account}/${region}\`.`);
    },
  },
  {
    id: 'concurrency',
    asks: ['concurrency'],
    async find({ needs: { reservedConcurrency, region }, account, stacks }) {
      const { limit, unreserved } = await account.concurrency();
      // A stage that is deployed already has its reservations in the count of the account.
      const ofOthers = stacks.size > 0 ? 0 : limit - unreserved;
      const needed = reservedConcurrency + ofOthers + keptUnreserved;
      if (needed <= limit) {
        return ready(`Lambda allows ${limit} concurrent executions; ${needed} are needed.`);
      }
      const others = ofOthers === 0 ? '' : `, other functions of the account reserve ${ofOthers}`;
      return todo(
        `Lambda allows ${limit} concurrent executions in ${region}. The stage reserves ${reservedConcurrency}${others}, and Lambda keeps ${keptUnreserved}.`,
        `Request ${needed} or more in Service Quotas, AWS Lambda, "Concurrent executions" (L-B99A9384), and set lambdaConcurrency in lib/config/ to it. It can take days.`,
      );
    },
  },
  {
    id: 'memory',
    asks: ['concurrency'],
    async find({ needs: { memoryMegabytes }, account }) {
      if (memoryMegabytes <= memoryOfNewAccounts) {
        return ready(`The largest function has ${memoryMegabytes} MB, which every account allows.`);
      }
      const { limit } = await account.concurrency();
      const hint =
        limit < 1_000
          ? ' Its limit of concurrent executions is that of a new account, so it probably allows no more.'
          : '';
      return {
        state: 'unknown',
        found: `The largest function has ${memoryMegabytes} MB. A new account allows ${memoryOfNewAccounts} MB, and no call tells what this one allows.${hint}`,
        act: `If the deployment fails with "MemorySize value failed to satisfy constraint", ask AWS Support for ${memoryMegabytes} MB, or lower directory.buildMegabytes in lib/config/.`,
      };
    },
  },
  {
    id: 'runtime',
    asks: ['knowsRuntime'],
    async find({ needs: { runtimes, region }, account }) {
      const unknown: string[] = [];
      for (const each of runtimes) if (!(await account.knowsRuntime(each))) unknown.push(each);
      if (unknown.length === 0) return ready(`Lambda in ${region} knows ${runtimes.join(', ')}.`);
      return todo(
        `Lambda in ${region} does not know ${unknown.join(', ')}.`,
        'Choose a Region that has it in lib/config/ (region, certificateArn).',
      );
    },
  },
  {
    id: 'certificate',
    asks: ['certificate'],
    async find({ needs: { certificates }, account, now }) {
      if (certificates.length === 0) return ready('The stage has no host with a certificate.');
      return await Promise.all(certificates.map((each) => findCertificate(each, account, now)));
    },
  },
  {
    id: 'dns',
    asks: ['hostedZone'],
    async find({ needs: { hostedZones }, account }) {
      if (hostedZones.length === 0) {
        return ready(
          'DNS is kept elsewhere: after the deployment, create the records that the outputs name.',
        );
      }
      return await Promise.all(
        hostedZones.map(async (id) => {
          const name = await account.hostedZone(id);
          if (name !== undefined) return ready(`Route 53 has the hosted zone ${name} (${id}).`);
          return todo(
            `Route 53 of this account has no hosted zone ${id}.`,
            'Correct hostedZone in lib/config/, or remove it if DNS is kept elsewhere.',
          );
        }),
      );
    },
  },
  {
    id: 'mail',
    asks: ['mail'],
    async find({ needs: { region }, account }) {
      const { productionAccess, sending } = await account.mail();
      if (!sending) {
        return todo(
          `SES has stopped all mail of this account in ${region}.`,
          'Open the SES console, "Account dashboard", and follow the review that stopped it.',
        );
      }
      if (productionAccess) return ready('SES sends to every address.');
      return todo(
        `SES in ${region} is in its sandbox: only verified addresses get codes and messages.`,
        'Open the SES console, "Account dashboard", and request production access. It takes a day or more.',
      );
    },
  },
  {
    id: 'text-messages',
    asks: ['textMessages'],
    async find({ needs: { region }, account }) {
      const { sandbox, monthlyDollars, originationNumbers } = await account.textMessages();
      const acts: AccountFinding[] = [];
      if (sandbox) {
        acts.push(
          todo(
            `SNS in ${region} is in its SMS sandbox: only verified numbers get codes.`,
            'Open the SNS console, "Text messaging (SMS)", and choose "Exit SMS sandbox".',
          ),
        );
      }
      if (originationNumbers === 0) {
        acts.push(
          todo(
            'There is no number from which text messages may be sent to the United States.',
            'Request a toll-free number or a 10DLC campaign in AWS End User Messaging. Its registration takes weeks.',
          ),
        );
      }
      if (monthlyDollars <= defaultTextDollars) {
        acts.push(
          todo(
            `SNS stops text messages after ${monthlyDollars} dollar a month.`,
            'Raise the account spend limit: SNS console, "Text messaging (SMS)"; above the quota by a case at AWS Support.',
          ),
        );
      }
      if (acts.length > 0) return acts;
      return ready(
        `SNS sends text messages from ${originationNumbers} number(s), up to ${monthlyDollars} dollars a month.`,
      );
    },
  },
  {
    id: 'gateway-logs',
    asks: ['gatewayLogRole'],
    async find({ needs: { region }, account, stacks }) {
      const role = await account.gatewayLogRole();
      if (role === undefined)
        return ready('API Gateway has no role for access logs; the deployment sets one.');
      if (stacks.size > 0) return ready(`API Gateway writes access logs with ${role}.`);
      return todo(
        `API Gateway in ${region} already writes access logs with ${role}. The deployment replaces it for all APIs of the account.`,
        'Deploy into an account of its own, or make sure that other APIs may use the new role.',
      );
    },
  },
  {
    id: 'gateway-quotas',
    asks: ['gatewayUse'],
    async find({ needs: { usagePlans: ours, region }, account, stacks }) {
      const { apiKeys, usagePlans } = await account.gatewayUse();
      const plans = usagePlans + (stacks.size > 0 ? 0 : ours);
      const applications = Math.floor((mostApiKeys - apiKeys) / keysOfAnApplication);
      const acts: AccountFinding[] = [];
      if (applications < 100) {
        acts.push(
          todo(
            `The account has ${apiKeys} of ${mostApiKeys} API keys in ${region}; that leaves room for ${Math.max(0, applications)} applications.`,
            'Deploy into another account or Region: the quota of API keys cannot be raised.',
          ),
        );
      }
      if (plans > mostUsagePlans) {
        acts.push(
          todo(
            `The account needs ${plans} usage plans in ${region}; ${mostUsagePlans} are allowed.`,
            'Request more in Service Quotas, Amazon API Gateway, "Usage plans per account per region".',
          ),
        );
      }
      if (acts.length > 0) return acts;
      return ready(`API Gateway has room for ${applications} applications.`);
    },
  },
  {
    id: 'stacks',
    asks: ['stackStatus'],
    async find({ needs, stacks }) {
      if (stacks.size === 0)
        return ready(`None of the ${needs.stacks.length} stacks exists: this is a first deployment.`);
      const acts = [...stacks].flatMap(([name, status]) => stackAct(name, status) ?? []);
      return acts.length > 0
        ? acts
        : ready(`${stacks.size} of ${needs.stacks.length} stacks exist and can be updated.`);
    },
  },
  {
    id: 'names',
    asks: ['named'],
    async find({ needs, account, stacks }) {
      const awaited = needs.named.filter(({ stack }) => !stacks.has(stack));
      const acts: AccountFinding[] = [];
      for (const each of awaited) {
        const state = await account.named(each);
        if (state === undefined) continue;
        acts.push(
          state === 'deleting'
            ? todo(
                `The secret ${each.name} is being deleted. Until its recovery window ends, ${each.stack} can't create it.`,
                `Run \`aws secretsmanager delete-secret --secret-id ${each.name} --force-delete-without-recovery\` if nobody needs it, or wait.`,
              )
            : todo(
                `${kindNames[each.kind]} ${each.name} exists already, so ${each.stack} can't create it.`,
                'Delete it if it was left by an earlier deployment or created by hand; otherwise deploy into another account.',
              ),
        );
      }
      return acts.length > 0 ? acts : ready(`None of ${awaited.length} fixed names is taken.`);
    },
  },
];

const kindNames: Readonly<Record<NamedKind, string>> = {
  'AWS::ApiGateway::DomainName': 'The custom domain name',
  'AWS::Lambda::Function': 'The function',
  'AWS::Logs::LogGroup': 'The log group',
  'AWS::SES::EmailIdentity': 'The SES identity',
  'AWS::SecretsManager::Secret': 'The secret',
  'AWS::StepFunctions::StateMachine': 'The state machine',
};

/** The act for a stack that can't be updated as it is; undefined if it can. */
function stackAct(name: string, status: string): AccountFinding | undefined {
  if (status.endsWith('_IN_PROGRESS')) {
    return todo(`The stack ${name} is in work: ${status}.`, 'Wait until it has ended.');
  }
  if (['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'CREATE_FAILED', 'REVIEW_IN_PROGRESS'].includes(status)) {
    return todo(
      `The stack ${name} was never created whole: ${status}.`,
      `Run \`aws cloudformation delete-stack --stack-name ${name}\`. CDK deletes a stack in ROLLBACK_COMPLETE itself.`,
    );
  }
  if (status.endsWith('_FAILED')) {
    const act =
      status === 'UPDATE_ROLLBACK_FAILED'
        ? `Run \`npx cdk rollback\` for ${name}, after its events have told what failed.`
        : 'Read its events in the CloudFormation console, and delete what blocks it.';
    return todo(`The stack ${name} can't be updated: ${status}.`, act);
  }
  return undefined;
}

/** The IAM actions of all checks, sorted. */
export function preflightRights(): readonly string[] {
  const asked = new Set(checks.flatMap(({ asks }) => asks.flatMap((each) => accountRights[each])));
  return [...asked].sort();
}
