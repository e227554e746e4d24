import type { Resources, WrittenStack } from '../cloud-assembly.ts';
import { configOf, site } from '../cloudfront/site.ts';

const ref = (Ref: string) => ({ Ref });
const arnOf = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });
const exported = (name: string) => ({ 'Fn::ImportValue': name });
export const provisioning = 'member-data-sandbox-provisioning';

const keyPolicy = {
  Statement: {
    Effect: 'Allow',
    Action: 'kms:*',
    Principal: { AWS: { 'Fn::Sub': 'arn:aws:iam::$' + '{AWS::AccountId}:root' } },
    Resource: '*',
  },
};

/** The stack of the portal's stateful resources, which exports them for the other stack. */
function data(): WrittenStack['template'] {
  const Resources: Resources = {
    Table: {
      Type: 'AWS::DynamoDB::GlobalTable',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        Replicas: [{ Region: ref('AWS::Region') }],
      },
    },
    Pool: { Type: 'AWS::Cognito::UserPool', Properties: { AliasAttributes: ['email'] } },
    Reviewers: {
      Type: 'AWS::Cognito::UserPoolGroup',
      Properties: { UserPoolId: ref('Pool'), GroupName: 'reviewers' },
    },
    Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: keyPolicy } },
    MacKey: {
      Type: 'AWS::KMS::Key',
      Properties: { KeyPolicy: keyPolicy, KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' },
    },
    Sender: { Type: 'AWS::SES::EmailIdentity', Properties: { EmailIdentity: 'portal.example.org' } },
    Secret: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: { GenerateSecretString: { PasswordLength: 32 } },
    },
  };
  const values: Record<string, unknown> = {
    Table: ref('Table'),
    TableArn: arnOf('Table'),
    Pool: ref('Pool'),
    PoolArn: arnOf('Pool'),
    KeyArn: arnOf('Key'),
    MacKeyArn: arnOf('MacKey'),
    SenderArn: {
      'Fn::Sub': 'arn:aws:ses:$' + '{AWS::Region}:$' + '{AWS::AccountId}:identity/$' + '{Sender}',
    },
    SecretArn: ref('Secret'),
  };
  const Outputs = Object.fromEntries(
    Object.entries(values).map(([name, Value]) => [name, { Value, Export: { Name: `portal:${name}` } }]),
  );
  return { Resources, Outputs };
}

/** The site's stack. Its API has one function that uses every AWS service the portal uses. */
function portalSite(): WrittenStack['template'] {
  const resources = site();
  Object.assign(resources.FilesResource?.Properties ?? {}, { PathPart: 'api' });
  const provisioningArn = {
    'Fn::Join': [
      ':',
      ['arn:aws:lambda', ref('AWS::Region'), ref('AWS::AccountId'), 'function', provisioning],
    ],
  };
  const Variables = Object.fromEntries(
    ['Table', 'Pool', 'KeyArn', 'MacKeyArn', 'SecretArn'].map((name) => [name, exported(`portal:${name}`)]),
  );
  Object.assign(resources.Pets?.Properties ?? {}, {
    Environment: { Variables: { ...Variables, Provisioning: provisioningArn } },
    Timeout: 10,
  });
  resources.AccessLog = { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: 'portal-access' } };
  const Format =
    '{"requestId":"$context.requestId","route":"$context.resourcePath","status":"$context.status"}';
  Object.assign(resources.Stage?.Properties ?? {}, {
    AccessLogSetting: { DestinationArn: arnOf('AccessLog'), Format },
  });
  resources.Answered = {
    Type: 'AWS::Logs::MetricFilter',
    Properties: {
      LogGroupName: ref('AccessLog'),
      FilterPattern: '{ $.status = "200" }',
      MetricTransformations: [{ MetricNamespace: 'Portal', MetricName: 'Answered', MetricValue: '1' }],
    },
  };
  const alarm = (metric: object) => ({
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      ...metric,
      ...{
        AlarmDescription: 'It is called',
        Statistic: 'Sum',
        Period: 300,
        EvaluationPeriods: 1,
        Threshold: 1,
      },
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    },
  });
  resources.AnsweredAlarm = alarm({ Namespace: 'Portal', MetricName: 'Answered' });
  resources.InvokedAlarm = alarm({ Namespace: 'AWS/Lambda', MetricName: 'Invocations' });
  const allow = (Action: string | string[], Resource: unknown) => ({ Effect: 'Allow', Action, Resource });
  resources.Policy = {
    Type: 'AWS::IAM::Policy',
    Properties: {
      PolicyName: 'portal',
      Roles: [ref('Role')],
      PolicyDocument: {
        Statement: [
          allow(['dynamodb:PutItem', 'dynamodb:GetItem'], exported('portal:TableArn')),
          allow('cognito-idp:AdminListGroupsForUser', exported('portal:PoolArn')),
          allow('kms:Encrypt', exported('portal:KeyArn')),
          allow('kms:GenerateMac', exported('portal:MacKeyArn')),
          allow('secretsmanager:GetSecretValue', exported('portal:SecretArn')),
          // While the account is in SES's sandbox, sending also needs the right on the identity of each recipient.
          allow('ses:SendEmail', {
            'Fn::Join': [':', ['arn:aws:ses', ref('AWS::Region'), ref('AWS::AccountId'), 'identity/*']],
          }),
          allow('lambda:InvokeFunction', provisioningArn),
        ],
      },
    },
  };
  resources.Rule = {
    Type: 'AWS::Events::Rule',
    Properties: {
      ScheduleExpression: 'rate(1 hour)',
      State: 'ENABLED',
      Targets: [{ Id: 'portal', Arn: arnOf('Pets'), Input: '{"sweep":true}' }],
    },
  };
  resources.RulePermission = {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: arnOf('Pets'),
      Principal: 'events.amazonaws.com',
      SourceArn: arnOf('Rule'),
    },
  };
  configOf(resources).Comment = 'the developer portal';
  return { Resources: resources, Outputs: { AccountsFunctionName: { Value: ref('Pets') } } };
}

/** An environment with a function that has a physical name. */
function sandbox(): WrittenStack['template'] {
  return {
    Resources: {
      Role: { Type: 'AWS::IAM::Role', Properties: {} },
      Provisioning: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          FunctionName: provisioning,
          Runtime: 'nodejs24.x',
          Handler: 'index.handler',
          Code: { S3Key: 'provisioning.zip' },
          Role: arnOf('Role'),
        },
      },
    },
    Outputs: { ProvisioningFunctionName: { Value: ref('Provisioning') } },
  };
}

export function stacks(): readonly WrittenStack[] {
  return [
    { name: 'sandbox-Subscriptions', stage: 'sandbox', template: sandbox() },
    { name: 'portal-Data', stage: 'portal', template: data() },
    { name: 'portal-Site', stage: 'portal', template: portalSite() },
  ];
}

/** Source of a function that calls the service named by the request's path, with its own role. */
export const portalHandler = `
const send = async (service, headers, body, path = '/') => {
  const { AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_REGION } = process.env;
  const authorization = 'AWS4-HMAC-SHA256 Credential=' + AWS_ACCESS_KEY_ID + '/20261120/' + AWS_REGION + '/' +
    service + '/aws4_request, SignedHeaders=host, Signature=0';
  const response = await fetch(AWS_ENDPOINT_URL + path, { method: 'POST', headers: { ...headers, authorization }, body });
  return response.status + ' ' + (await response.text());
};
const json = (service, version, target, input) => send(
  service,
  { 'content-type': 'application/x-amz-json-' + version, 'x-amz-target': target },
  JSON.stringify(input),
);
const { Table, Pool, KeyArn, MacKeyArn, SecretArn, Provisioning } = process.env;
const text = Buffer.from('text').toString('base64');
const acts = {
  put: () => json('dynamodb', '1.0', 'DynamoDB_20120810.PutItem', { TableName: Table, Item: { pk: { S: 'a' } } }),
  get: () => json('dynamodb', '1.0', 'DynamoDB_20120810.GetItem', { TableName: Table, Key: { pk: { S: 'a' } } }),
  groups: () => json('cognito-idp', '1.1', 'AWSCognitoIdentityProviderService.AdminListGroupsForUser',
    { UserPoolId: Pool, Username: 'nobody' }),
  encrypt: () => json('kms', '1.1', 'TrentService.Encrypt', { KeyId: KeyArn, Plaintext: text }),
  mac: () => json('kms', '1.1', 'TrentService.GenerateMac',
    { KeyId: MacKeyArn, Message: text, MacAlgorithm: 'HMAC_SHA_256' }),
  secret: () => json('secretsmanager', '1.1', 'secretsmanager.GetSecretValue', { SecretId: SecretArn }),
  mail: () => send('ses', { 'content-type': 'application/x-www-form-urlencoded' }, new URLSearchParams({
    Action: 'SendEmail', Version: '2010-12-01', Source: 'no-reply@portal.example.org',
    'Destination.ToAddresses.member.1': 'dev@example.org', 'Message.Subject.Data': 'Welcome',
    'Message.Body.Text.Data': 'Hello',
  })),
  invoke: () => send('lambda', {}, '{"hello":1}',
    '/2015-03-31/functions/' + encodeURIComponent(Provisioning) + '/invocations'),
  denied: () => json('dynamodb', '1.0', 'DynamoDB_20120810.Scan', { TableName: Table }),
};
exports.handler = async ({ path }) => ({ statusCode: 200, body: await acts[path.slice('/api/'.length)]() });`;
