/** Construct of the SES and SNS resources for members' verification codes. */

import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { type Reach, reachable } from '../rights/statements.ts';
import { acknowledgeTexts } from './cdk-nag-findings.ts';

export interface CodeMessagesProps {
  /** Domain of the e-mail sender, `no-reply@<domain>`. */
  readonly domain: string;
  /** The hosted zone of the domain; absent if DNS is kept elsewhere. */
  readonly hostedZone?: { readonly id: string } | undefined;
}

/**
 * Resources for sending verification codes: the SES identity of the sender, and the KMS key of the codes' digests. SES verifies the
 * identity by DNS records. They are created if the hosted zone is configured; otherwise stack outputs list them.
 */
export class CodeMessages extends Construct {
  /** The address that e-mail is sent from. */
  readonly sender: string;
  readonly codeDigestKey: Key;
  private readonly identity: EmailIdentity;

  constructor(scope: Construct, id: string, { domain, hostedZone }: CodeMessagesProps) {
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
    if (hostedZone === undefined) this.nameDnsRecords();
    // Digests are valid for ten minutes only, so the key may be deleted with the stack.
    this.codeDigestKey = new Key(this, 'CodeDigestKey', {
      description: 'Digests of verification codes',
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  private nameDnsRecords(): void {
    for (const [index, { name, value }] of this.identity.dkimRecords.entries()) {
      new CfnOutput(this, `DkimRecord${index + 1}`, { value: `${name} CNAME ${value}` });
    }
  }

  /**
   * The resources of the rights to send e-mail from this sender and text messages, and to compute digests of codes. While an account is in
   * the SES sandbox, SES also requires the right on the identity of each recipient. Therefore the resource is every identity of the
   * account, and a condition limits the sender's address. Publishing to a phone number has no resource in IAM, so it is allowed on `*`, and
   * publishing to topics is denied.
   *
   * @see https://docs.aws.amazon.com/ses/latest/dg/control-user-access.html
   */
  resources(): Reach['resources'] {
    const stack = Stack.of(this);
    const identities = stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' });
    const topics = PolicyStatement.fromJson({
      Effect: 'Deny',
      Action: 'sns:Publish',
      Resource: `arn:${stack.partition}:sns:*:*:*`,
    });
    return {
      mail: reachable(identities, { conditions: { StringEquals: { 'ses:FromAddress': this.sender } } }),
      texts: reachable('*', { denials: [topics] }),
      codeDigestKey: reachable(this.codeDigestKey.keyArn),
    };
  }

  /** Acknowledges, for cdk-nag, that a policy with these statements names every resource in one of them. */
  acknowledge(policy: Construct): void {
    acknowledgeTexts(policy);
  }
}
