import { describe, expect, it } from 'vitest';
import {
  parseTemplate,
  rightChanges,
  type Templates,
  templateChanges,
} from '../../../ops/release/template-changes.ts';

interface Given {
  readonly actions: readonly string[];
  readonly partitions?: readonly string[];
  readonly memory?: number;
}

/** The templates of one stack with a function that may touch a table. */
function templates({ actions, partitions = ['DSNP#*'], memory = 512 }: Given): Templates {
  const statement = {
    Effect: 'Allow',
    Action: actions,
    Resource: { 'Fn::GetAtt': ['TableCD117FA1', 'Arn'] },
    Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } },
  };
  const text = JSON.stringify({
    Resources: {
      TableCD117FA1: { Type: 'AWS::DynamoDB::Table' },
      TokenRole0A1B2C3D: { Type: 'AWS::IAM::Role' },
      Token11223344: {
        Type: 'AWS::Lambda::Function',
        Properties: { MemorySize: memory, Role: { 'Fn::GetAtt': ['TokenRole0A1B2C3D', 'Arn'] } },
      },
      TokenPolicy55667788: {
        Type: 'AWS::IAM::ManagedPolicy',
        Properties: { Roles: [{ Ref: 'TokenRole0A1B2C3D' }], PolicyDocument: { Statement: [statement] } },
      },
      CDKMetadata: { Type: 'AWS::CDK::Metadata', Properties: { Analytics: actions.join() } },
    },
  });
  return new Map([['production-Authorization', parseTemplate(text)]]);
}

const deployed = templates({ actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] });

describe('the changes of a release', () => {
  it('are none if nothing differs but CDK’s metadata', () => {
    const released = templates({ actions: ['dynamodb:PutItem', 'dynamodb:GetItem'] });
    expect(rightChanges(deployed, released)).toEqual([]);
    expect(templateChanges(deployed, deployed)).toEqual([]);
  });

  it('name the function that gains an action and the one it loses, with resource and partitions', () => {
    const released = templates({ actions: ['dynamodb:GetItem', 'dynamodb:DeleteItem'] });
    const on = 'Table where dynamodb:LeadingKeys ForAllValues:StringLike DSNP#*';
    const holder = 'production-Authorization Token';
    expect(rightChanges(deployed, released)).toEqual(
      [
        { action: 'dynamodb:DeleteItem', change: 'gains', holder, on },
        { action: 'dynamodb:PutItem', change: 'loses', holder, on },
      ].map((each) => expect.objectContaining(each)),
    );
  });

  it('show an action on another partition as gained there and lost here', () => {
    const released = templates({ actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], partitions: ['*'] });
    const changes = rightChanges(deployed, released);
    expect(changes.filter(({ change }) => change === 'gains').map(({ on }) => on)).toEqual([
      expect.stringMatching(/StringLike \*$/),
      expect.stringMatching(/StringLike \*$/),
    ]);
    expect(changes.filter(({ change }) => change === 'loses')).toHaveLength(2);
  });

  it('list added, changed and removed resources', () => {
    const released = templates({ actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], memory: 1024 });
    const stack = 'production-Authorization';
    expect(templateChanges(deployed, released)).toEqual([
      { stack, change: 'changed', type: 'AWS::Lambda::Function', id: 'Token11223344' },
    ]);
    expect(templateChanges(new Map(), deployed).every(({ change }) => change === 'added')).toBe(true);
    expect(templateChanges(deployed, new Map()).every(({ change }) => change === 'removed')).toBe(true);
  });
});
