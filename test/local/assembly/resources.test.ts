import { afterEach, describe, expect, it } from 'vitest';
import { loadAssembly } from '../../../local/assembly/load-assembly.ts';
import { type Resources, type WrittenStack, writeCloudAssembly } from '../cloud-assembly.ts';

const written: (() => void)[] = [];
afterEach(() => {
  for (const remove of written.splice(0)) remove();
});

function load(...stacks: WrittenStack[]) {
  const { directory, remove } = writeCloudAssembly(stacks, { code: 'exports.handler = async () => 1;' });
  written.push(remove);
  return loadAssembly(directory);
}

function topic(properties: Record<string, unknown>) {
  return { Type: 'AWS::SNS::Topic', Properties: properties };
}

/** Resolves a value as a property of a resource, with other resources in the template. */
function resolved(value: unknown, others: Resources = {}, sections: Record<string, unknown> = {}) {
  const template = { ...sections, Resources: { ...others, Subject: topic({ value }) } };
  const assembly = load({ name: 'one', template });
  return assembly.ofType('AWS::SNS::Topic').find((one) => one.logicalId === 'Subject')?.properties.value;
}

describe('loadAssembly', () => {
  it('finds the stacks of nested assemblies with account, Region and the name of their stage', () => {
    const assembly = load({ name: 'data', template: { Resources: { Topic: topic({}) } } });
    expect(assembly.resources).toMatchObject([
      {
        stack: 'data',
        environment: 'sandbox',
        account: '111122223333',
        region: 'us-east-2',
        logicalId: 'Topic',
      },
    ]);
  });

  it('gives the same ids for the same template, and other ids in another stack', () => {
    const template = { Resources: { Api: { Type: 'AWS::ApiGateway::RestApi', Properties: {} } } };
    const id = (name: string) => load({ name, template }).resources[0]?.physicalId;
    expect(id('one')).toMatch(/^[a-z0-9]{10}$/);
    expect(id('one')).toBe(id('one'));
    expect(id('one')).not.toBe(id('two'));
  });

  it('resolves an export of a stack that comes later', () => {
    const importing = { Resources: { Topic: topic({ value: { 'Fn::ImportValue': 'data:table' } }) } };
    const exporting = {
      Resources: { Table: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'members' } } },
      Outputs: { Table: { Value: { Ref: 'Table' }, Export: { Name: 'data:table' } } },
    };
    const assembly = load({ name: 'api', template: importing }, { name: 'data', template: exporting });
    expect(assembly.ofType('AWS::SNS::Topic')[0]?.properties.value).toBe('members');
    expect(assembly.outputs()).toMatchObject({ data: { Table: 'members' } });
  });

  it('leaves out a resource whose condition does not hold', () => {
    const Conditions = { Never: { 'Fn::Equals': ['a', 'b'] } };
    const Resources = { Topic: { ...topic({}), Condition: 'Never' }, Kept: topic({}) };
    const assembly = load({ name: 'one', template: { Conditions, Resources } });
    expect(assembly.resources.map((one) => one.logicalId)).toEqual(['Kept']);
  });

  it('finds the folder of an asset by its object key', () => {
    const assembly = load({ name: 'one', template: { Resources: {} } });
    expect(assembly.assetPath('code.zip')).toMatch(/asset\.code$/);
    expect(assembly.assetPath('other.zip')).toBeUndefined();
  });

  it.each([
    [
      'a resource that is not there',
      { Ref: 'Nobody' },
      'stack one: Subject (AWS::SNS::Topic): there is no resource',
    ],
    ['an attribute a type does not have', { 'Fn::GetAtt': ['Role', 'Colour'] }, 'has no attribute Colour'],
    ['an export nobody makes', { 'Fn::ImportValue': 'x' }, 'no stack exports x'],
    ['an intrinsic it does not know', { 'Fn::Transform': {} }, 'Fn::Transform is not known'],
    ['a resource that refers to itself', { Ref: 'Subject' }, 'refers to itself'],
  ])('refuses %s, saying where', (_what, value, message) => {
    const role = { Role: { Type: 'AWS::IAM::Role', Properties: {} } };
    expect(() => resolved(value, role)).toThrow(message);
  });

  it('refuses a folder that holds no assembly', () => {
    expect(() => loadAssembly('/nowhere')).toThrow("the cloud assembly can't be read");
  });
});

describe('intrinsic functions', () => {
  const table: Resources = {
    Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { TableName: 'members' } },
  };

  it.each<[string, unknown, unknown]>([
    ['Ref', { Ref: 'Table' }, 'members'],
    ['Ref of a pseudo parameter', { Ref: 'AWS::AccountId' }, '111122223333'],
    [
      'Fn::GetAtt',
      { 'Fn::GetAtt': ['Table', 'Arn'] },
      'arn:aws:dynamodb:us-east-2:111122223333:table/members',
    ],
    [
      'Fn::GetAtt with a dot',
      { 'Fn::GetAtt': 'Table.Arn' },
      'arn:aws:dynamodb:us-east-2:111122223333:table/members',
    ],
    ['Fn::Join', { 'Fn::Join': ['/', ['a', { Ref: 'Table' }]] }, 'a/members'],
    [
      'Fn::Sub',
      { 'Fn::Sub': '$' + '{Table}:$' + '{AWS::Region}:$' + '{!Kept}' },
      'members:us-east-2:$' + '{Kept}',
    ],
    ['Fn::Sub with variables', { 'Fn::Sub': ['$' + '{x}', { x: { Ref: 'Table' } }] }, 'members'],
    ['Fn::Select and Fn::Split', { 'Fn::Select': [1, { 'Fn::Split': ['-', 'a-b'] }] }, 'b'],
    ['Fn::Base64', { 'Fn::Base64': 'a' }, 'YQ=='],
    ['Fn::If', { 'Fn::If': ['Yes', 'then', 'else'] }, 'then'],
    ['Fn::FindInMap', { 'Fn::FindInMap': ['Map', 'a', 'b'] }, 'c'],
    ['AWS::NoValue in a list', ['a', { Ref: 'AWS::NoValue' }], ['a']],
    ['AWS::NoValue in an object', { a: { Ref: 'AWS::NoValue' }, b: 1 }, { b: 1 }],
    ['a parameter', { Ref: 'Given' }, 'default'],
  ])('resolves %s', (_name, value, expected) => {
    const sections = {
      Parameters: { Given: { Default: 'default' } },
      Mappings: { Map: { a: { b: 'c' } } },
      Conditions: { Yes: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'elsewhere'] }] } },
    };
    expect(resolved(value, table, sections)).toEqual(expected);
  });

  it('combines conditions with and, or, and by name', () => {
    const Conditions = {
      Yes: { 'Fn::Equals': ['a', 'a'] },
      No: { 'Fn::Equals': ['a', 'b'] },
      Both: { 'Fn::And': [{ Condition: 'Yes' }, { Condition: 'No' }] },
      Either: { 'Fn::Or': [{ Condition: 'Yes' }, { Condition: 'No' }] },
    };
    const value = { both: { 'Fn::If': ['Both', 1, 2] }, either: { 'Fn::If': ['Either', 1, 2] } };
    expect(resolved(value, {}, { Conditions })).toEqual({ both: 2, either: 1 });
  });

  it("keeps a policy's Condition element as it is", () => {
    const value = { Effect: 'Allow', Condition: { StringEquals: { a: { Ref: 'Table' } } } };
    expect(resolved(value, table)).toEqual({
      Effect: 'Allow',
      Condition: { StringEquals: { a: 'members' } },
    });
  });
});
