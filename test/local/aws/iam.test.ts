import { describe, expect, it } from 'vitest';
import { compilePolicies, type Statement } from '../../../local/aws/iam/iam.ts';

const tables = 'arn:aws:dynamodb:us-east-1:123456789012:table';

function policies(...statements: Statement[]) {
  return compilePolicies([{ Statement: statements }]);
}

function statement(overrides: Partial<Statement> = {}): Statement {
  return { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: `${tables}/a`, ...overrides };
}

describe('a policy without conditions', () => {
  it('allows what it names and nothing else', () => {
    const { evaluate } = policies(statement());
    expect(evaluate('dynamodb:GetItem', `${tables}/a`)).toBe('allowed');
    expect(evaluate('dynamodb:PutItem', `${tables}/a`)).toBe('not allowed');
    expect(evaluate('dynamodb:GetItem', `${tables}/ab`)).toBe('not allowed');
    expect(evaluate('dynamodb:GetItem', '*')).toBe('not allowed');
  });

  it('allows nothing when there is none', () => {
    expect(compilePolicies([]).evaluate('dynamodb:GetItem', `${tables}/a`)).toBe('not allowed');
  });

  it('reads action wildcards without regard to case, and resource wildcards with it', () => {
    const { evaluate } = policies(
      statement({ Action: ['DynamoDB:get*', 'kms:?ncrypt'], Resource: `${tables}/A*` }),
    );
    expect(evaluate('dynamodb:GetItem', `${tables}/Abc/index/x`)).toBe('allowed');
    expect(evaluate('kms:Encrypt', `${tables}/A`)).toBe('allowed');
    expect(evaluate('dynamodb:GetItem', `${tables}/abc`)).toBe('not allowed');
    expect(evaluate('dynamodb:BatchGetItem', `${tables}/A`)).toBe('not allowed');
  });

  it('takes a dot or a bracket in a resource for itself', () => {
    const { evaluate } = policies(statement({ Resource: 'arn:aws:s3:::a.b[1]*' }));
    expect(evaluate('dynamodb:GetItem', 'arn:aws:s3:::a.b[1]/c')).toBe('allowed');
    expect(evaluate('dynamodb:GetItem', 'arn:aws:s3:::axb1')).toBe('not allowed');
  });

  it('denies over any number of allows, in any order', () => {
    const deny = statement({ Effect: 'Deny', Action: '*', Resource: `${tables}/secret` });
    for (const order of [
      [deny, statement({ Resource: '*' })],
      [statement({ Resource: '*' }), deny],
    ]) {
      const { evaluate } = policies(...order);
      expect(evaluate('dynamodb:GetItem', `${tables}/secret`)).toBe('explicitly denied');
      expect(evaluate('dynamodb:GetItem', `${tables}/other`)).toBe('allowed');
    }
  });

  it('joins the documents of a role', () => {
    const both = compilePolicies([
      { Statement: statement() },
      { Statement: [statement({ Action: 'dynamodb:PutItem' })] },
    ]);
    expect(both.evaluate('dynamodb:GetItem', `${tables}/a`)).toBe('allowed');
    expect(both.evaluate('dynamodb:PutItem', `${tables}/a`)).toBe('allowed');
  });

  it('knows NotAction and NotResource', () => {
    const { evaluate } = policies({
      Effect: 'Allow',
      NotAction: 'dynamodb:Delete*',
      NotResource: `${tables}/secret`,
    });
    expect(evaluate('dynamodb:GetItem', `${tables}/a`)).toBe('allowed');
    expect(evaluate('dynamodb:DeleteItem', `${tables}/a`)).toBe('not allowed');
    expect(evaluate('dynamodb:GetItem', `${tables}/secret`)).toBe('not allowed');
  });

  it('falls on the strict side of a policy variable', () => {
    const own = `${tables}/\${aws:username}`;
    expect(policies(statement({ Resource: own })).evaluate('dynamodb:GetItem', own)).toBe('not allowed');
    const denied = policies(statement({ Resource: '*' }), statement({ Effect: 'Deny', Resource: own }));
    expect(denied.evaluate('dynamodb:GetItem', `${tables}/a`)).toBe('explicitly denied');
    const others = policies({ Effect: 'Allow', Action: '*', NotResource: own });
    expect(others.evaluate('dynamodb:GetItem', `${tables}/a`)).toBe('not allowed');
  });

  it('refuses to compile what AWS would refuse to deploy', () => {
    expect(() => policies({ Effect: 'Perhaps', Action: '*', Resource: '*' })).toThrow('Effect');
    expect(() => policies({ Effect: 'Allow', Resource: '*' })).toThrow('Action');
    expect(() => policies({ Effect: 'Allow', Action: '*' })).toThrow('Resource');
  });

  it('gives the same verdict the second time', () => {
    const { evaluate } = policies(statement());
    const verdicts = () => [
      evaluate('dynamodb:GetItem', `${tables}/a`),
      evaluate('dynamodb:GetItem', `${tables}/b`),
    ];
    expect(verdicts()).toEqual(verdicts());
  });
});

describe('dynamodb:LeadingKeys', () => {
  const limited = policies(
    statement({ Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['DSNP#*', 'SHARED'] } } }),
  );
  const read = (...leadingKeys: string[]) =>
    limited.evaluate('dynamodb:GetItem', `${tables}/a`, { 'dynamodb:leadingkeys': leadingKeys });

  it('allows keys that match, whether one or many', () => {
    expect(read('DSNP#PATIENT#1')).toBe('allowed');
    expect(read('DSNP#PATIENT#1', 'SHARED')).toBe('allowed');
  });

  it('refuses when a single key of many does not match', () => {
    expect(read('DSNP#PATIENT#1', 'MAPD#PATIENT#1')).toBe('not allowed');
    expect(read('XDSNP#1')).toBe('not allowed');
    expect(read('dsnp#1')).toBe('not allowed');
    expect(read('\u0000')).toBe('not allowed');
  });

  it('matches a key with a line break as a whole', () => {
    expect(read('DSNP#a\nb')).toBe('allowed');
    expect(read('MAPD#\nDSNP#1')).toBe('not allowed');
  });

  it('compares exactly with StringEquals', () => {
    const exact = policies(
      statement({ Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': 'DSNP#*' } } }),
    );
    const verdict = (key: string) =>
      exact.evaluate('dynamodb:GetItem', `${tables}/a`, { 'dynamodb:leadingkeys': [key] });
    expect(verdict('DSNP#*')).toBe('allowed');
    expect(verdict('DSNP#1')).toBe('not allowed');
  });

  it('holds of a call without keys, as ForAllValues does in AWS', () => {
    expect(limited.evaluate('dynamodb:GetItem', `${tables}/a`)).toBe('allowed');
  });
});

describe('other conditions', () => {
  const allowedWith = (
    Condition: Statement['Condition'],
    context: Record<string, string[]>,
    Effect = 'Allow',
  ) => {
    const open = statement({ Resource: '*', Action: '*' });
    const tested = statement({
      Effect,
      Resource: '*',
      Action: '*',
      ...(Condition === undefined ? {} : { Condition }),
    });
    const verdict = policies(...(Effect === 'Allow' ? [tested] : [open, tested])).evaluate(
      'kms:Decrypt',
      'x',
      context,
    );
    return verdict === 'allowed';
  };
  const stage = (value: string) => ({ 'secretsmanager:versionstage': [value] });

  it('need every operator and every key to hold', () => {
    const Condition = {
      StringEquals: { 'secretsmanager:VersionStage': 'AWSCURRENT', 'aws:SecureTransport': 'true' },
      ArnLike: { 'aws:PrincipalArn': 'arn:aws:iam::*:role/a*' },
    };
    const all = {
      ...stage('AWSCURRENT'),
      'aws:securetransport': ['true'],
      'aws:principalarn': ['arn:aws:iam::1:role/ab'],
    };
    expect(allowedWith(Condition, all)).toBe(true);
    expect(allowedWith(Condition, { ...all, 'aws:securetransport': ['false'] })).toBe(false);
    expect(allowedWith(Condition, { ...all, ...stage('AWSPENDING') })).toBe(false);
    expect(allowedWith(Condition, { ...all, 'aws:principalarn': ['arn:aws:iam::1:role/b'] })).toBe(false);
  });

  it('compare each part of an ARN by itself', () => {
    const Condition = { ArnLike: { 'aws:PrincipalArn': 'arn:aws:iam::*:role/a' } };
    expect(allowedWith(Condition, { 'aws:principalarn': ['arn:aws:iam::1:2:role/a'] })).toBe(false);
  });

  it('do not hold of a key the request lacks, unless IfExists or a negation says so', () => {
    expect(allowedWith({ StringEquals: { 'kms:ViaService': 'x' } }, {})).toBe(false);
    expect(allowedWith({ StringEqualsIfExists: { 'kms:ViaService': 'x' } }, {})).toBe(true);
    expect(allowedWith({ StringNotEquals: { 'kms:ViaService': 'x' } }, {})).toBe(true);
    expect(allowedWith({ Null: { 'kms:ViaService': 'true' } }, {})).toBe(true);
    expect(allowedWith({ Null: { 'kms:ViaService': 'false' } }, {})).toBe(false);
  });

  it('read Bool, negations and sets', () => {
    expect(
      allowedWith({ Bool: { 'aws:SecureTransport': 'true' } }, { 'aws:securetransport': ['true'] }),
    ).toBe(true);
    expect(
      allowedWith(
        { StringNotEquals: { 'ses:FromAddress': 'a@example.org' } },
        { 'ses:fromaddress': ['a@example.org'] },
      ),
    ).toBe(false);
    const recipients = { 'ses:recipients': ['a@example.org', 'b@example.com'] };
    expect(allowedWith({ 'ForAllValues:StringLike': { 'ses:Recipients': '*.org' } }, recipients)).toBe(false);
  });

  it('fall on the strict side where the operator or the key is not known', () => {
    for (const Condition of [
      { NumericLessThan: { 'aws:SecureTransport': '5' } },
      { StringEquals: { 'aws:SourceVpc': 'x' } },
    ]) {
      expect(allowedWith(Condition, { 'aws:sourcevpc': ['x'] })).toBe(false);
      expect(allowedWith(Condition, {}, 'Deny')).toBe(false);
    }
  });

  it('let a Deny whose known condition does not hold pass', () => {
    const Condition = { Bool: { 'aws:SecureTransport': 'false' } };
    expect(allowedWith(Condition, { 'aws:securetransport': ['true'] }, 'Deny')).toBe(true);
    expect(allowedWith(Condition, { 'aws:securetransport': ['false'] }, 'Deny')).toBe(false);
  });
});
