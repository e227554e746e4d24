import { type Assembly, assemblyOf, type Resource } from '../../../local/assembly/resources.ts';

export const account = '123456789012';
export const region = 'us-east-1';

/** A resource as the assembly describes it, with default values for everything that a test does not name. */
export function resource(
  type: string,
  logicalId: string,
  properties: Readonly<Record<string, unknown>>,
  names: { readonly physicalId?: string; readonly arn?: string } = {},
): Resource {
  const service = type.split('::')[1]?.toLowerCase() ?? '';
  return {
    stack: 'sandbox-Data',
    environment: 'sandbox',
    account,
    region,
    logicalId,
    type,
    properties,
    physicalId: names.physicalId ?? logicalId,
    arn: names.arn ?? `arn:aws:${service}:${region}:${account}:${logicalId}`,
    dependsOn: [],
  };
}

export const roleArn = `arn:aws:iam::${account}:role/reader`;

/** The role `reader` with one inline policy of these statements. */
export function role(...statements: readonly object[]): Resource {
  const policy = { PolicyName: 'inline', PolicyDocument: { Version: '2012-10-17', Statement: statements } };
  return resource('AWS::IAM::Role', 'Reader', { Policies: [policy] }, { physicalId: 'reader', arn: roleArn });
}

export function allow(action: string | string[], on: string | string[] = '*', Condition?: object): object {
  return { Effect: 'Allow', Action: action, Resource: on, ...(Condition === undefined ? {} : { Condition }) };
}

export const tableArn = `arn:aws:dynamodb:${region}:${account}:table/environment`;

/** The environment's table: keys `pk` and `sk`, an index on `owner`, time to live in `ttl`. */
export function table(overrides: Readonly<Record<string, unknown>> = {}): Resource {
  const properties = {
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
      { AttributeName: 'holder', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byOwner',
        KeySchema: [{ AttributeName: 'holder', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    ...overrides,
  };
  return resource('AWS::DynamoDB::GlobalTable', 'Table', properties, {
    physicalId: 'environment',
    arn: tableArn,
  });
}

export function assembly(...resources: readonly Resource[]): Assembly {
  return assemblyOf(resources);
}
