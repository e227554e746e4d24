/**
 * Makes the names, ARNs and `Fn::GetAtt` attributes that the resources of the templates have on this machine. The deployment resolves
 * references with them, and the stand-ins of AWS services find their resources by them.
 */

import { createHash } from 'node:crypto';
import type { VersionNumbers } from './version-numbers.ts';

/** The properties that a resource's name is made from. */
export interface Naming {
  readonly stack: string;
  readonly account: string;
  readonly region: string;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly versions: VersionNumbers;
}

/** A resource's names in AWS. `attributes` are the values of `Fn::GetAtt`, beside `Arn`. */
export interface Identity {
  readonly physicalId: string;
  readonly arn: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

type Identify = (naming: Naming) => {
  readonly id: string;
  readonly arn?: string;
  attributes?: Identity['attributes'];
};

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Lowercase letters and digits of a hash, in the form of API Gateway's IDs; always the same for the same stack and logical ID. */
function letters(naming: Naming, length: number): string {
  const hash = digest(naming);
  return Array.from({ length }, (_, index) => alphabet[(hash[index % 32] ?? 0) % alphabet.length]).join('');
}

function digest({ stack, logicalId }: Naming): Buffer {
  return createHash('sha256').update(`${stack}/${logicalId}`).digest();
}

function uuid(naming: Naming): string {
  const hex = digest(naming).toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** `<stack>-<logical id>-<12 characters>`, shortened as CloudFormation does to the type's limit. */
function generatedName(naming: Naming, limit = 64): string {
  const suffix = letters(naming, 12).toUpperCase();
  const stem = limit - suffix.length - 2;
  const stack = naming.stack.slice(0, Math.max(1, stem - naming.logicalId.length, Math.floor(stem / 2)));
  return `${stack}-${naming.logicalId.slice(0, stem - stack.length)}-${suffix}`;
}

/** The name in a property, or a generated name. */
function named(naming: Naming, property: string, limit?: number): string {
  const given = naming.properties[property];
  return typeof given === 'string' ? given : generatedName(naming, limit);
}

function arn({ region, account }: Naming, service: string, resource: string): string {
  return `arn:aws:${service}:${region}:${account}:${resource}`;
}

const restApiPart =
  (length: number, attribute: string, path: string): Identify =>
  (naming) => {
    const id = letters(naming, length);
    const parent = naming.properties.RestApiId;
    const owner = typeof parent === 'string' ? `/restapis/${parent}` : '';
    return {
      id,
      arn: `arn:aws:apigateway:${naming.region}::${owner}/${path}/${id}`,
      attributes: { [attribute]: id },
    };
  };

/**
 * `Ref`, ARN and attributes by resource type; for other types `Ref` is a generated name. Source: "Return values" of each type in the AWS
 * CloudFormation resource reference.
 */
const identities: Readonly<Record<string, Identify>> = {
  'AWS::ApiGateway::RestApi': (naming) => {
    const id = letters(naming, 10);
    const root = letters({ ...naming, logicalId: `${naming.logicalId}/root` }, 10);
    return {
      id,
      arn: `arn:aws:apigateway:${naming.region}::/restapis/${id}`,
      attributes: { RestApiId: id, RootResourceId: root },
    };
  },
  'AWS::ApiGateway::Resource': restApiPart(6, 'ResourceId', 'resources'),
  'AWS::ApiGateway::Deployment': restApiPart(6, 'DeploymentId', 'deployments'),
  'AWS::ApiGateway::Authorizer': restApiPart(6, 'AuthorizerId', 'authorizers'),
  'AWS::ApiGateway::UsagePlan': restApiPart(6, 'Id', 'usageplans'),
  'AWS::ApiGateway::ApiKey': restApiPart(10, 'APIKeyId', 'apikeys'),
  'AWS::ApiGateway::UsagePlanKey': (naming) => ({
    id: `${naming.properties.KeyId}:${naming.properties.UsagePlanId}`,
  }),
  'AWS::ApiGateway::ClientCertificate': restApiPart(6, 'ClientCertificateId', 'clientcertificates'),
  'AWS::ApiGateway::Stage': (naming) => {
    const stage = String(naming.properties.StageName);
    const api = String(naming.properties.RestApiId);
    return { id: stage, arn: `arn:aws:apigateway:${naming.region}::/restapis/${api}/stages/${stage}` };
  },
  'AWS::ApiGateway::DomainName': (naming) => {
    const name = String(naming.properties.DomainName);
    const alias = `d-${letters(naming, 10)}.execute-api.${naming.region}.amazonaws.com`;
    const zone = `Z${letters(naming, 12).toUpperCase()}`;
    return {
      id: name,
      arn: `arn:aws:apigateway:${naming.region}::/domainnames/${name}`,
      attributes: {
        RegionalDomainName: alias,
        RegionalHostedZoneId: zone,
        DistributionDomainName: alias,
        DistributionHostedZoneId: zone,
      },
    };
  },
  'AWS::Lambda::Function': (naming) => {
    const name = named(naming, 'FunctionName');
    return { id: name, arn: arn(naming, 'lambda', `function:${name}`) };
  },
  'AWS::Lambda::Version': (naming) => {
    const of = functionArn(naming);
    const Version = naming.versions.numberOf(of, naming.logicalId);
    const own = `${of}:${Version}`;
    return { id: own, arn: own, attributes: { FunctionArn: own, Version } };
  },
  'AWS::Lambda::Alias': (naming) => {
    const own = `${functionArn(naming)}:${String(naming.properties.Name)}`;
    return { id: own, arn: own, attributes: { AliasArn: own } };
  },
  'AWS::CloudWatch::Alarm': (naming) => {
    const name = named(naming, 'AlarmName', 255);
    return { id: name, arn: arn(naming, 'cloudwatch', `alarm:${name}`) };
  },
  'AWS::DynamoDB::Table': table,
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::IAM::Role': (naming) => {
    const name = named(naming, 'RoleName');
    const path = typeof naming.properties.Path === 'string' ? naming.properties.Path : '/';
    return {
      id: name,
      arn: `arn:aws:iam::${naming.account}:role${path}${name}`,
      attributes: { RoleId: `AROA${letters(naming, 17).toUpperCase()}` },
    };
  },
  'AWS::IAM::ManagedPolicy': (naming) => {
    const name = named(naming, 'ManagedPolicyName', 128);
    const path = typeof naming.properties.Path === 'string' ? naming.properties.Path : '/';
    const own = `arn:aws:iam::${naming.account}:policy${path}${name}`;
    return { id: own, arn: own, attributes: { PolicyArn: own } };
  },
  'AWS::Cognito::UserPool': (naming) => {
    const id = `${naming.region}_${letters(naming, 9)}`;
    const provider = `cognito-idp.${naming.region}.amazonaws.com/${id}`;
    return {
      id,
      arn: arn(naming, 'cognito-idp', `userpool/${id}`),
      attributes: { UserPoolId: id, ProviderName: provider, ProviderURL: `https://${provider}` },
    };
  },
  'AWS::Cognito::UserPoolClient': (naming) => {
    const id = letters(naming, 26);
    return { id, attributes: { ClientId: id, Name: named(naming, 'ClientName', 128) } };
  },
  'AWS::Cognito::UserPoolGroup': (naming) => ({ id: named(naming, 'GroupName', 128) }),
  'AWS::KMS::Key': (naming) => {
    const id = uuid(naming);
    return { id, arn: arn(naming, 'kms', `key/${id}`), attributes: { KeyId: id } };
  },
  'AWS::SecretsManager::Secret': (naming) => {
    const name = named(naming, 'Name', 512);
    const own = arn(naming, 'secretsmanager', `secret:${name}-${letters(naming, 6)}`);
    return { id: own, arn: own, attributes: { Id: own } };
  },
  'AWS::SNS::Topic': (naming) => {
    const name = named(naming, 'TopicName', 256);
    const own = arn(naming, 'sns', name);
    return { id: own, arn: own, attributes: { TopicArn: own, TopicName: name } };
  },
  'AWS::SQS::Queue': (naming) => {
    const name = named(naming, 'QueueName', 80);
    const url = `https://sqs.${naming.region}.amazonaws.com/${naming.account}/${name}`;
    return { id: url, arn: arn(naming, 'sqs', name), attributes: { QueueName: name, QueueUrl: url } };
  },
  'AWS::SES::EmailIdentity': (naming) => {
    const name = String(naming.properties.EmailIdentity);
    const dkim = ['1', '2', '3'].flatMap((number) => [
      [`DkimDNSTokenName${number}`, `token${number}._domainkey.${name}`],
      [`DkimDNSTokenValue${number}`, `token${number}.dkim.amazonses.com`],
    ]);
    return { id: name, arn: arn(naming, 'ses', `identity/${name}`), attributes: Object.fromEntries(dkim) };
  },
  'AWS::Events::Rule': (naming) => {
    const name = named(naming, 'Name');
    return { id: name, arn: arn(naming, 'events', `rule/${name}`) };
  },
  'AWS::S3::Bucket': (naming) => {
    const name = named(naming, 'BucketName', 63).toLowerCase();
    return {
      id: name,
      arn: `arn:aws:s3:::${name}`,
      attributes: {
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: `${name}.s3.${naming.region}.amazonaws.com`,
      },
    };
  },
  'AWS::StepFunctions::StateMachine': (naming) => {
    const name = named(naming, 'StateMachineName', 80);
    const own = arn(naming, 'states', `stateMachine:${name}`);
    return { id: own, arn: own, attributes: { Name: name } };
  },
  'AWS::CloudFront::Distribution': (naming) => {
    const id = `E${letters(naming, 13).toUpperCase()}`;
    const domain = `${id.toLowerCase()}.cloudfront.net`;
    return { id, arn: edgeArn(naming, `distribution/${id}`), attributes: { Id: id, DomainName: domain } };
  },
  'AWS::CloudFront::Function': (naming) => {
    const own = edgeArn(naming, `function/${named(naming, 'Name')}`);
    const attributes = { FunctionARN: own, 'FunctionMetadata.FunctionARN': own, Stage: 'LIVE' };
    return { id: own, arn: own, attributes };
  },
  'AWS::CloudFront::CachePolicy': edgePolicy('cache-policy'),
  'AWS::CloudFront::OriginRequestPolicy': edgePolicy('origin-request-policy'),
  'AWS::CloudFront::ResponseHeadersPolicy': edgePolicy('response-headers-policy'),
  'AWS::CloudFront::OriginAccessControl': (naming) => {
    const id = `E${letters(naming, 13).toUpperCase()}`;
    return { id, arn: edgeArn(naming, `origin-access-control/${id}`), attributes: { Id: id } };
  },
  'AWS::Logs::LogGroup': (naming) => {
    const name = named(naming, 'LogGroupName', 512);
    return { id: name, arn: arn(naming, 'logs', `log-group:${name}:*`) };
  },
  'AWS::Logs::LogStream': (naming) => {
    const name = named(naming, 'LogStreamName', 512);
    return {
      id: name,
      arn: arn(naming, 'logs', `log-group:${naming.properties.LogGroupName}:log-stream:${name}`),
    };
  },
  'AWS::CertificateManager::Certificate': (naming) => {
    const own = arn(naming, 'acm', `certificate/${uuid(naming)}`);
    return { id: own, arn: own };
  },
  'AWS::WAFv2::WebACL': (naming) => {
    const name = named(naming, 'Name', 128);
    const id = uuid(naming);
    const scope = String(naming.properties.Scope);
    return {
      id: `${name}|${id}|${scope}`,
      arn: arn(naming, 'wafv2', `${scope.toLowerCase()}/webacl/${name}/${id}`),
      attributes: { Id: id },
    };
  },
};

function table(naming: Naming) {
  const name = named(naming, 'TableName', 255);
  const own = arn(naming, 'dynamodb', `table/${name}`);
  return {
    id: name,
    arn: own,
    attributes: { StreamArn: `${own}/stream/1970-01-01T00:00:00.000`, TableId: uuid(naming) },
  };
}

/** ARN of a CloudFront resource, which has no Region. */
function edgeArn({ account }: Naming, resource: string): string {
  return `arn:aws:cloudfront::${account}:${resource}`;
}

function edgePolicy(kind: string): Identify {
  return (naming) => {
    const id = uuid(naming);
    const attributes = { Id: id, LastModifiedTime: '1970-01-01T00:00:00Z' };
    return { id, arn: edgeArn(naming, `${kind}/${id}`), attributes };
  };
}

/** ARN of the function that a version or alias belongs to; the property contains a name or an ARN. */
function functionArn(naming: Naming): string {
  const name = String(naming.properties.FunctionName);
  return name.startsWith('arn:') ? name : arn(naming, 'lambda', `function:${name}`);
}

/**
 * Makes the names of a resource. `known`: all attributes of its type are listed above, so that asking for another one is a mistake in the
 * template.
 */
export function identify(naming: Naming): Identity & { readonly known: boolean } {
  const identifyType = identities[naming.type];
  const { id, arn: own, attributes } = identifyType?.(naming) ?? { id: generatedName(naming) };
  const service = naming.type.split('::')[1]?.toLowerCase() ?? 'custom';
  const fullArn = own ?? arn(naming, service, `${naming.type.split('::')[2] ?? 'resource'}/${id}`);
  return {
    physicalId: id,
    arn: fullArn,
    attributes: { Arn: fullArn, ...attributes },
    known: identifyType !== undefined,
  };
}
