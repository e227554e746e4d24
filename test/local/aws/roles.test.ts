import { describe, expect, it } from 'vitest';
import { documentsOf, rolePolicies } from '../../../local/aws/iam/roles.ts';
import { allow, assembly, resource, role, roleArn } from './declarations.ts';

const document = (action: string) => ({ Version: '2012-10-17', Statement: [allow(action)] });

describe('the policies of a role', () => {
  it('are its own, those attached to it, and those it names', () => {
    const managed = resource(
      'AWS::IAM::ManagedPolicy',
      'Managed',
      { PolicyDocument: document('kms:Encrypt') },
      {
        physicalId: 'arn:aws:iam::123456789012:policy/Managed',
        arn: 'arn:aws:iam::123456789012:policy/Managed',
      },
    );
    const attaching = resource('AWS::IAM::ManagedPolicy', 'Attaching', {
      Roles: ['reader'],
      PolicyDocument: document('kms:Sign'),
    });
    const attached = resource('AWS::IAM::Policy', 'Attached', {
      Roles: ['reader'],
      PolicyDocument: document('kms:Decrypt'),
    });
    const foreign = resource('AWS::IAM::Policy', 'Foreign', {
      Roles: ['writer'],
      PolicyDocument: document('kms:Verify'),
    });
    const reader = role(allow('sns:Publish'));
    const named = { ...reader, properties: { ...reader.properties, ManagedPolicyArns: [managed.arn] } };
    const policies = rolePolicies(assembly(named, managed, attaching, attached, foreign))(roleArn);
    const verdict = (action: string) => policies?.evaluate(action, 'any');
    expect(['sns:Publish', 'kms:Encrypt', 'kms:Sign', 'kms:Decrypt'].map(verdict)).toEqual(
      Array(4).fill('allowed'),
    );
    expect(verdict('kms:Verify')).toBe('not allowed');
  });

  it('include the basic execution role, by whatever partition it is named', () => {
    const ManagedPolicyArns = ['arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole'];
    const reader = resource(
      'AWS::IAM::Role',
      'Reader',
      { ManagedPolicyArns },
      { physicalId: 'reader', arn: roleArn },
    );
    const policies = rolePolicies(assembly(reader))(roleArn);
    expect(policies?.evaluate('logs:PutLogEvents', 'any')).toBe('allowed');
    expect(policies?.evaluate('dynamodb:GetItem', 'any')).toBe('not allowed');
  });

  it('cannot be told where a managed policy is unknown', () => {
    const ManagedPolicyArns = ['arn:aws:iam::aws:policy/AdministratorAccess'];
    const reader = resource(
      'AWS::IAM::Role',
      'Reader',
      { ManagedPolicyArns },
      { physicalId: 'reader', arn: roleArn },
    );
    expect(() => documentsOf(reader, assembly(reader))).toThrow('AdministratorAccess');
  });

  it('cannot be told where a boundary limits them', () => {
    const PermissionsBoundary = 'arn:aws:iam::123456789012:policy/Boundary';
    const reader = role(allow('sns:Publish'));
    const limited = { ...reader, properties: { ...reader.properties, PermissionsBoundary } };
    expect(() => documentsOf(limited, assembly(limited))).toThrow('permissions boundary');
  });

  it('are nobody’s for a role no template declares', () => {
    expect(rolePolicies(assembly())(roleArn)).toBeUndefined();
  });
});
