import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type Interface, interfaceNames, offers } from '../lambdas/catalog/interfaces.ts';
import { add, auditPartitions, items, partitions, read, tableKey } from './data-access.ts';
import { EnvironmentFunction } from './environment-function.ts';
import { hostValues } from './environment-values.ts';
import type { LobStackProps } from './lob-stack.ts';

/** How many of a function may run at once: the hot ones a day's peak, the metadata ones a trickle. */
const concurrency: Readonly<Record<Interface | 'authorizer', number>> = {
  authorizer: 40,
  'patient-access': 40,
  'payer-access': 10,
  'provider-directory': 20,
};

/** The functions of a line of business. Each role ends at this LOB's partitions. */
export class LobFunctions extends Construct {
  readonly authorizer: LambdaFunction;
  /** One for each interface the LOB offers. */
  readonly interfaces: ReadonlyMap<Interface, LambdaFunction>;

  constructor(scope: Construct, id: string, props: LobStackProps) {
    super(scope, id);
    this.authorizer = this.create('Authorizer', 'authorizer', props, authorizerRights(props));
    this.interfaces = new Map(
      interfaceNames
        .filter((name) => offers(props.lob, name))
        .map((name) => [name, this.create(pascalCase(name), name, props, interfaceRights(name, props))]),
    );
  }

  private create(
    id: string,
    name: Interface | 'authorizer',
    { configuration, data, bundles, lob }: LobStackProps,
    statements: readonly PolicyStatement[],
  ): LambdaFunction {
    return new EnvironmentFunction(this, id, {
      name,
      bundles,
      logKey: data.logKey,
      reservedConcurrency: concurrency[name],
      environment: { ...hostValues(configuration, data), lineOfBusiness: lob },
      statements,
    }).function;
  }
}

/** The key's lookup item, and the public keys tokens are verified with; no member, no grant. */
function authorizerRights({ data, lob }: LobStackProps): PolicyStatement[] {
  return [
    items(data, ['dynamodb:GetItem', 'dynamodb:BatchGetItem'], partitions([lob], ['KEY#*', 'JWKS'])),
    tableKey(data),
  ];
}

/** Patient data is read by Patient Access only; the other two answer metadata, which lies in no table. */
function interfaceRights(name: Interface, { data, lob }: LobStackProps): PolicyStatement[] {
  if (name !== 'patient-access') return [];
  return [
    items(data, read, partitions([lob], ['PATIENT#*'])),
    items(data, add, auditPartitions([lob])),
    tableKey(data),
  ];
}

function pascalCase(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_match, _dash, letter: string) => letter.toUpperCase());
}
