import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { Configuration } from './config/configuration.ts';
import { acknowledgeTexts } from './findings.ts';

/**
 * How members are sent verification codes: the identity e-mail comes from, and the key of the codes' digests. SES verifies
 * the identity by DNS records, which are written where the hosted zone is configured; its own outputs name them elsewhere.
 */
export class MemberMessages extends Construct {
  /** The sender of e-mail. */
  readonly sender: string;
  readonly codeDigestKey: Key;
  private readonly identity: EmailIdentity;

  constructor(scope: Construct, id: string, { domain, hostedZone }: Configuration) {
    super(scope, id);
    this.sender = `no-reply@${domain}`;
    this.identity = new EmailIdentity(this, 'Identity', {
      identity:
        hostedZone === undefined
          ? Identity.domain(domain)
          : Identity.publicHostedZone(
              HostedZone.fromHostedZoneAttributes(this, 'HostedZone', {
                hostedZoneId: hostedZone.id,
                zoneName: domain,
              }),
            ),
    });
    // Nothing that lives longer than ten minutes is made with it: it may go with the stack.
    this.codeDigestKey = new Key(this, 'CodeDigestKey', {
      description: 'Digests of verification codes',
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  /** Sending codes, and making their digests. */
  statements(): readonly PolicyStatement[] {
    return [
      new PolicyStatement({
        actions: ['ses:SendEmail'],
        resources: [this.identity.emailIdentityArn],
        conditions: { StringEquals: { 'ses:FromAddress': this.sender } },
      }),
      new PolicyStatement({ actions: ['sns:Publish'], resources: ['*'] }),
      // A text to a phone number is sent to no resource, so it is allowed on all, and publishing to topics is taken away.
      PolicyStatement.fromJson({
        Effect: 'Deny',
        Action: 'sns:Publish',
        Resource: `arn:${Stack.of(this).partition}:sns:*:*:*`,
      }),
      new PolicyStatement({ actions: ['kms:GenerateMac'], resources: [this.codeDigestKey.keyArn] }),
    ];
  }

  /** Says of the policy that has these statements why one of them names every resource. */
  acknowledge(policy: Construct): void {
    acknowledgeTexts(policy);
  }
}
