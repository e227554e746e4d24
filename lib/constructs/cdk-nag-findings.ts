/** Acknowledged findings of cdk-nag, each with its reason. */

import { Stack, Validations } from 'aws-cdk-lib';
import {
  CfnMethod,
  CfnRestApi,
  CfnStage,
  type CfnUsagePlan,
  type UsagePlan,
} from 'aws-cdk-lib/aws-apigateway';
import { CfnDistribution } from 'aws-cdk-lib/aws-cloudfront';
import { CfnUserPool } from 'aws-cdk-lib/aws-cognito';
import { CfnManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { IConstruct } from 'constructs';

/**
 * Findings of cdk-nag that this project acknowledges, each with its reason; any other finding fails
 * `npm run synth:validate`. Listed by resource type, because the reason depends on the use of the type here.
 *
 * @see https://github.com/cdklabs/cdk-nag/blob/main/RULES.md
 */
const byType: readonly {
  readonly type: string;
  readonly findings: Readonly<Record<string, string>>;
}[] = [
  {
    type: CfnRestApi.CFN_RESOURCE_TYPE_NAME,
    findings: {
      'AwsSolutions::AwsSolutions-APIG2':
        "The functions validate every request against a schema and answer errors in the host's format.",
    },
  },
  {
    type: CfnStage.CFN_RESOURCE_TYPE_NAME,
    findings: {
      'AwsSolutions::AwsSolutions-APIG6':
        "Execution logs contain paths and headers (a patient's ID, tokens); the access log contains neither.",
      'HIPAA.Security::HIPAA.Security-APIGWExecutionLoggingEnabled':
        "Execution logs contain paths and headers (a patient's ID, tokens); the access log contains neither.",
      'HIPAA.Security::HIPAA.Security-APIGWXrayEnabled':
        "A trace contains the whole URL (a patient's ID, a query); the access log has each call's duration and request ID.",
      'HIPAA.Security::HIPAA.Security-APIGWCacheEnabledAndEncrypted':
        'A cached response would outlive a revoked grant and be sent without an audit event.',
    },
  },
  {
    type: CfnMethod.CFN_RESOURCE_TYPE_NAME,
    findings: {
      'AwsSolutions::AwsSolutions-COG4':
        "Tokens are issued by this service's own authorization server and checked by its own authorizer.",
    },
  },
  {
    type: CfnFunction.CFN_RESOURCE_TYPE_NAME,
    findings: {
      'HIPAA.Security::HIPAA.Security-LambdaDLQ':
        'A caller sees the failure of a function and repeats the call; a scheduled function continues with its next run.',
      'HIPAA.Security::HIPAA.Security-LambdaInsideVPC':
        'The functions call AWS APIs only, by IAM and TLS; a VPC would add an outbound path and no protection.',
    },
  },
  {
    type: CfnUserPool.CFN_RESOURCE_TYPE_NAME,
    findings: {
      'AwsSolutions::AwsSolutions-COG1':
        'NIST SP 800-63B-4 section 3.1.1.2: at least 15 characters and no composition rules.',
      'AwsSolutions::AwsSolutions-COG2':
        'The service requires a code by e-mail or text if its configuration says so; the pool itself requires a password.',
      'AwsSolutions::AwsSolutions-COG8':
        'The pool has no public client: functions sign people in, and the web ACL limits their callers.',
    },
  },
  {
    type: CfnBucket.CFN_RESOURCE_TYPE_NAME,
    findings: {
      'HIPAA.Security::HIPAA.Security-S3BucketReplicationEnabled':
        'Public pages are put there again by a deployment, and drops by the plan; what a drop loaded is in the table. The configuration replicates the audit archive.',
      'HIPAA.Security::HIPAA.Security-S3DefaultEncryptionKMS':
        'Drops have a key of their own. The others hold public pages, and logs that the delivering services write; S3 encrypts both. A key of the account could be deleted, and with it the audit archive.',
    },
  },
  {
    type: CfnDistribution.CFN_RESOURCE_TYPE_NAME,
    findings: {
      'AwsSolutions::AwsSolutions-CFR1':
        'Developers work in all countries; access to member data is decided elsewhere.',
      'AwsSolutions::AwsSolutions-CFR2':
        "The API behind it has a web ACL; a web ACL for public pages is the platform team's choice (`webAclArn`).",
    },
  },
];

/** Acknowledges, everywhere below `scope`, the findings listed by resource type. */
export function acknowledgeFindings(scope: IConstruct): void {
  for (const construct of scope.node.findAll()) {
    const type = 'cfnResourceType' in construct ? construct.cfnResourceType : undefined;
    for (const entry of byType) if (entry.type === type) acknowledge(construct, entry.findings);
    if (type === CfnManagedPolicy.CFN_RESOURCE_TYPE_NAME) acknowledgeMail(construct);
  }
}

function acknowledgeMail(policy: IConstruct): void {
  const { region, account } = Stack.of(policy);
  acknowledge(policy, {
    [`AwsSolutions::AwsSolutions-IAM5[Resource::arn:aws:ses:${region}:${account}:identity/*]`]:
      "In the SES sandbox the right is also required for each recipient's identity; the sender's address is a condition.",
  });
}

/** Reasons why a method has no authorizer. Each such method names one of them; a method without a reason is a finding. */
export const publicAccessReasons = {
  metadata: 'Metadata and keys: by the standards, clients read them before they have a credential.',
  browser: "The member's browser has no credential yet: the page is for signing in.",
  client: 'The client authenticates itself to the function with its secret (RFC 6749 section 2.3).',
  bearer: 'The function checks the access token and its grant, and answers errors as RFC 6750 defines.',
  session: "The function checks the developer's session, a cookie; some routes are for sign-up and sign-in.",
  page: 'A public page: whoever searches the provider directory needs no account (42 CFR 422.120).',
  refused: 'A method that the path does not have: the function answers 405 and reads nothing.',
  preflight: 'A browser sends a CORS preflight without credentials; the response is constant.',
} as const;

export function acknowledgePublic(method: IConstruct, because: keyof typeof publicAccessReasons): void {
  acknowledge(method, { 'AwsSolutions::AwsSolutions-APIG4': publicAccessReasons[because] });
}

/**
 * Acknowledges wildcards for API keys.
 *
 * @param plans the usage plans to which the policy's role may add keys, and from which it may remove them.
 */
export function acknowledgeKeyWildcards(policy: IConstruct, plans: readonly UsagePlan[]): void {
  const stack = Stack.of(policy);
  const control = `arn:aws:apigateway:${stack.region}::`;
  const ofPlans = plans.map((plan) => {
    const resource = plan.node.defaultChild as CfnUsagePlan;
    return `${control}/usageplans/<${stack.resolve(resource.logicalId)}>/keys/*`;
  });
  const tags = `${control}/tags/${encodeURIComponent(`${control}/apikeys/`)}*`;
  for (const path of [`${control}/apikeys/*`, tags, ...ofPlans]) {
    acknowledge(policy, {
      [`AwsSolutions::AwsSolutions-IAM5[Resource::${path}]`]:
        'API Gateway assigns the IDs of keys when they are created, so the paths of keys end in a wildcard.',
    });
  }
}

/**
 * Acknowledges a policy for text messages.
 *
 * @param policy allows `sns:Publish` on `*`, and denies it on every topic
 */
export function acknowledgeTexts(policy: IConstruct): void {
  for (const resource of ['*', 'arn:<AWS::Partition>:sns:*:*:*']) {
    acknowledge(policy, {
      [`AwsSolutions::AwsSolutions-IAM5[Resource::${resource}]`]:
        'A text to a phone number has no resource in SNS; publishing to topics is denied in the same policy.',
    });
  }
}

/**
 * Acknowledges a secret without a rotation schedule.
 *
 * @param because the reason.
 */
export function acknowledgeUnrotated(secret: IConstruct, because: string): void {
  acknowledge(secret, {
    'AwsSolutions::AwsSolutions-SMG4': because,
    'HIPAA.Security::HIPAA.Security-SecretsManagerRotationEnabled': because,
  });
}

/**
 * Acknowledges the findings on CDK's own function that copies files to a bucket, and on its role.
 *
 * @param bucket the only bucket that the function writes to.
 */
export function acknowledgeBucketDeployment(deployer: IConstruct, bucket: IBucket): void {
  const stack = Stack.of(deployer);
  const resource = bucket.node.defaultChild as CfnBucket;
  const assets = `arn:aws:s3:::cdk-hnb659fds-assets-${stack.account}-${stack.region}/*`;
  const wildcards = [
    ...['GetBucket*', 'GetObject*', 'List*', 'Abort*', 'DeleteObject*'].map(
      (action) => `Action::s3:${action}`,
    ),
    ...[assets, `<${stack.resolve(resource.logicalId)}.Arn>/*`].map((path) => `Resource::${path}`),
  ];
  const because =
    "CDK's own role: it reads CDK's files and writes to the bucket of the portal's pages, which are public.";
  const policy = 'service-role/AWSLambdaBasicExecutionRole';
  for (const construct of deployer.node.findAll()) {
    acknowledge(construct, {
      ...Object.fromEntries(wildcards.map((each) => [`AwsSolutions::AwsSolutions-IAM5[${each}]`, because])),
      [`AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`]: because,
      'HIPAA.Security::HIPAA.Security-IAMNoInlinePolicy': because,
      'AwsSolutions::AwsSolutions-L1': 'CDK chooses the runtime of its own function.',
      'HIPAA.Security::HIPAA.Security-LambdaConcurrency':
        'Only CloudFormation calls it, during a deployment.',
    });
  }
}

export function acknowledgeUnreserved(of: IConstruct): void {
  acknowledge(of, {
    'HIPAA.Security::HIPAA.Security-LambdaConcurrency':
      'The configuration reserves nothing (`lambdaConcurrency`), for tests in a new account.',
  });
}

export function acknowledgeLogPolicy(role: IConstruct, policy: string): void {
  acknowledge(role, {
    [`AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`]:
      "The policy that AWS documents for API Gateway's log role; AWS updates it.",
  });
}

/** Acknowledges the role with which AWS Backup makes backups. */
export function acknowledgeBackupRole(role: IConstruct): void {
  const policy = 'service-role/AWSBackupServiceRolePolicyForBackup';
  acknowledge(role, {
    [`AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`]:
      'The policy that AWS documents for backups; AWS updates it. It reads and writes no items of a table.',
  });
}

/** Acknowledges the findings on the state machine of loads. `policy` has its rights, `logging` those to write its log and traces. */
export function acknowledgeLoadMachine(
  machine: CfnStateMachine,
  policy: IConstruct,
  logging: IConstruct,
): void {
  acknowledgeExecutions(policy, machine);
  acknowledge(logging, {
    'AwsSolutions::AwsSolutions-IAM5[Resource::*]': logDeliveryReason,
  });
}

/** Acknowledges rights on the executions of a state machine. */
export function acknowledgeExecutions(policy: IConstruct, machine: CfnStateMachine): void {
  const stack = Stack.of(machine);
  const name = stack.resolve(machine.logicalId);
  acknowledge(policy, {
    [`AwsSolutions::AwsSolutions-IAM5[Resource::arn:aws:states:${stack.region}:${stack.account}:execution:<${name}.Name>:*]`]:
      executionsReason,
  });
}

/** Acknowledges rights on the executions of state machines with physical names. */
export function acknowledgeExecutionsNamed(policy: IConstruct, machines: readonly string[]): void {
  const { region, account } = Stack.of(policy);
  for (const name of machines) {
    acknowledge(policy, {
      [`AwsSolutions::AwsSolutions-IAM5[Resource::arn:aws:states:${region}:${account}:execution:${name}:*]`]:
        executionsReason,
    });
  }
}

const executionsReason = 'Step Functions gives executions their names, so that their ARNs end in a wildcard.';

const logDeliveryReason =
  'Step Functions delivers its log and traces by actions that CloudWatch Logs and X-Ray give no resource.';

/** Acknowledges the findings on a state machine of jobs. `policy` has its rights, including those to write its log and traces. */
export function acknowledgeJobMachine(policy: IConstruct): void {
  acknowledge(policy, { 'AwsSolutions::AwsSolutions-IAM5[Resource::*]': logDeliveryReason });
}

/** Acknowledges rights on objects of a bucket, of this stack or another, whose keys end in wildcards. */
export function acknowledgeObjects(policy: IConstruct, bucket: IBucket, objects: readonly string[]): void {
  const owner = Stack.of(bucket);
  const arn =
    owner === Stack.of(policy)
      ? `<${owner.resolve((bucket.node.defaultChild as CfnBucket).logicalId)}.Arn>`
      : owner.resolve(owner.exportValue(bucket.bucketArn))['Fn::ImportValue'];
  for (const each of objects) {
    acknowledge(policy, {
      [`AwsSolutions::AwsSolutions-IAM5[Resource::${arn}/${each}]`]:
        'The keys of objects have names and days in them that are not known before, so that they are wildcards.',
    });
  }
}

/** Acknowledges a bucket without versions. */
export function acknowledgeUnversioned(bucket: IConstruct): void {
  acknowledge(bucket, {
    'HIPAA.Security::HIPAA.Security-S3BucketVersioningEnabled':
      'A deleted file of a job must be gone: an older version of it would be member data that nobody sees, and that outlives its job.',
  });
}

/** Acknowledges rights on the replicas of objects in a bucket of another account. */
export function acknowledgeReplicas(policy: IConstruct, bucketArn: string): void {
  acknowledge(policy, {
    [`AwsSolutions::AwsSolutions-IAM5[Resource::${bucketArn}/*]`]: 'Every file of the bucket is replicated.',
  });
}

/** Acknowledges findings. A rule of the pack HIPAA.Security has the same name in NIST.800.53.R5, and the same reason. */
function acknowledge(construct: IConstruct, findings: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(findings)) {
    for (const each of new Set([id, id.replaceAll('HIPAA.Security', 'NIST.800.53.R5')]))
      Validations.of(construct).acknowledge({ id: each, reason });
  }
}
