import { afterAll, describe, expect, it } from 'vitest';
import { loadAssembly } from '../../../local/assembly/load-assembly.ts';
import { type AccountGap, accountGaps } from '../../../local/aws/account/account-gaps.ts';
import { awsAccount } from '../../../ops/preflight/aws-account.ts';
import { readNeeds } from '../../../ops/preflight/needs.ts';
import { type CheckResult, inspect, report } from '../../../ops/preflight/preflight.ts';
import { started } from '../../local/aws/started.ts';
import { writeCloudAssembly } from '../../local/cloud-assembly.ts';

const certificate = 'arn:aws:acm:us-east-2:111122223333:certificate/one';
const code = { S3Bucket: 'assets', S3Key: 'worker.zip' };
const template = {
  Resources: {
    Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { Statement: [] } } },
    Worker: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: 'member-data-worker',
        Handler: 'index.handler',
        Runtime: 'nodejs24.x',
        MemorySize: 512,
        ReservedConcurrentExecutions: 20,
        Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
        Code: code,
      },
    },
    Host: {
      Type: 'AWS::ApiGateway::DomainName',
      Properties: { DomainName: 'dsnp.api.plan.example', RegionalCertificateArn: certificate },
    },
    Keys: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'member-data-keys' } },
    Sender: { Type: 'AWS::SES::EmailIdentity', Properties: { EmailIdentity: 'plan.example' } },
    Log: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: 'aws-waf-logs-plan' } },
  },
};

const written = writeCloudAssembly(
  [{ name: 'production-Data', template }],
  {
    worker: 'exports.handler = async () => {};',
  },
  { stageName: 'production' },
);
afterAll(written.remove);

const needs = readNeeds(written.directory, 'production');
const now = new Date('2026-11-27T12:00:00Z');

const gaps = new Set<AccountGap>();
const aws = await started({
  assembly: loadAssembly(written.directory),
  accountGaps: gaps,
  now: () => now.getTime(),
});
afterAll(aws.stopAndForget);
const account = awsAccount(aws.asOperator, needs.account, needs.region);

/** The findings of the account when it lacks some things. */
async function findings(...lacking: readonly AccountGap[]): Promise<readonly CheckResult[]> {
  gaps.clear();
  for (const gap of lacking) gaps.add(gap);
  return await inspect(needs, account, now);
}

/** The checks that are not ready, each with the beginning of what was found. */
const open = (results: readonly CheckResult[]) =>
  results.filter(({ state }) => state !== 'ready').map(({ check, state, found }) => [check, state, found]);

describe('preflight', () => {
  it('finds nothing to do in a prepared account, whether the stacks exist or not', async () => {
    expect(open(await findings())).toEqual([]);
    const first = await findings('deployment');
    expect(open(first)).toEqual([]);
    expect(report(needs, first)).toContain("Everything is ready: npx cdk deploy 'production/*'");
  });

  it.each<[AccountGap, string, string]>([
    ['bootstrap', 'bootstrap', 'CDK is not bootstrapped in us-east-2.'],
    ['concurrency', 'concurrency', 'Lambda allows 10 concurrent executions in us-east-2.'],
    ['runtime', 'runtime', 'Lambda in us-east-2 does not know nodejs24.x.'],
    [
      'issued-certificate',
      'certificate',
      `The certificate ${certificate} is not issued: PENDING_VALIDATION.`,
    ],
    [
      'certificate-names',
      'certificate',
      `The certificate ${certificate} does not name dsnp.api.plan.example.`,
    ],
    ['mail', 'mail', 'SES in us-east-2 is in its sandbox'],
    ['text-messages', 'text-messages', 'SNS in us-east-2 is in its SMS sandbox'],
    ['log-role', 'gateway-logs', 'API Gateway in us-east-2 already writes access logs with'],
    ['names', 'names', 'The function member-data-worker exists already'],
    ['whole-stacks', 'stacks', 'The stack production-Data was never created whole: ROLLBACK_COMPLETE.'],
  ])('names what an account that lacks %s has to do, and nothing else', async (gap, check, found) => {
    const results = open(await findings(gap));
    expect(results[0]).toEqual([check, 'todo', expect.stringContaining(found)]);
    expect(new Set(results.map(([name]) => name))).toEqual(new Set([check]));
  });

  it('says of a secret that is being deleted how its name becomes free', async () => {
    const results = await findings('names');
    const secret = results.find(({ found }) => found.includes('member-data-keys'));
    expect(secret?.act).toContain(
      'delete-secret --secret-id member-data-keys --force-delete-without-recovery',
    );
  });

  it('names the right for each question that AWS refuses', async () => {
    const results = await findings('rights');
    const unknown = results.filter(({ state }) => state === 'unknown');
    expect(unknown.map(({ check }) => check)).toEqual([
      ...['bootstrap', 'concurrency', 'runtime', 'certificate', 'mail', 'text-messages'],
      ...['gateway-logs', 'gateway-quotas', 'stacks', 'names'],
    ]);
    expect(unknown[0]?.act).toContain('Allow ssm:GetParameter.');
  });

  it('tells all gaps at once, in the order in which they are mended', async () => {
    const all = Object.keys(accountGaps).filter((gap) => gap !== 'rights' && gap !== 'whole-stacks');
    const text = report(needs, await findings(...(all as AccountGap[])));
    const acts = text.slice(text.indexOf('To do, in this order:'));
    expect(acts.match(/^\d+\. .{0,24}/gm)).toMatchInlineSnapshot(`
      [
        "1. CDK is not bootstrapped ",
        "2. Lambda allows 10 concurr",
        "3. Lambda in us-east-2 does",
        "4. The certificate arn:aws:",
        "5. SES in us-east-2 is in i",
        "6. SNS in us-east-2 is in i",
        "7. There is no number from ",
        "8. SNS stops text messages ",
        "9. API Gateway in us-east-2",
        "10. The function member-data",
        "11. The secret member-data-k",
      ]
    `);
  });

  it('says that AWS gives no answer where the credentials are not known', async () => {
    const nobody = awsAccount(aws.asNobody, needs.account, needs.region);
    await expect(inspect(needs, nobody, now)).rejects.toThrow(
      'AWS gave no answer: The security token included in the request is invalid.',
    );
  });

  it('says whose account the credentials are if it is another', async () => {
    gaps.clear();
    const results = await inspect({ ...needs, account: '444455556666' }, account, now);
    expect(open(results)[0]).toEqual([
      'account',
      'todo',
      'The credentials belong to account 111122223333, but lib/config/ has 444455556666 for production.',
    ]);
  });
});
